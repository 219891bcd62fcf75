package gateway

import "testing"

func TestMetricsHaveNames(t *testing.T) {
	m := new(Metrics)
	m.Panics.Store(7)
	seen := make(map[string]int64)
	m.Each(func(name string, value int64) { seen[name] = value })
	if len(seen) != 17 || seen["panics"] != 7 {
		t.Errorf("metrics %v", seen)
	}
}
