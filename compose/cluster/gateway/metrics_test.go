package gateway

import (
	"strings"
	"testing"

	"analyzer/compose/cluster/monitor"
)

func TestMetricsHaveNamesAndHelp(t *testing.T) {
	m := new(Metrics)
	m.Panics.Store(7)
	seen := make(map[string]float64)
	m.Each(func(m monitor.Metric) {
		if seen[m.Name] = m.Value; !strings.HasSuffix(m.Help, ".") {
			t.Errorf("%s: %q is no sentence", m.Name, m.Help)
		}
	})
	if len(seen) != 19 || seen["panics_total"] != 7 {
		t.Errorf("metrics %v", seen)
	}
}
