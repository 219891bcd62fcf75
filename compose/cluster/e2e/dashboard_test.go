package e2e_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"analyzer/compose/cluster/e2e"
)

// TestDashboardShowsWhatThereIs holds the Grafana dashboard to the metrics of a
// cluster that has done a job.
func TestDashboardShowsWhatThereIs(t *testing.T) {
	lengthy(t)
	t.Parallel()
	dashboard, err := os.ReadFile("../deploy/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	c := shared.Start(t, e2e.Options{WorkerFlags: e2e.Serve, GatewayFlags: e2e.Serve})
	c.Exact(c.Submit(t.Context(), "movies"), "movies")
	there := c.Worker(0).Metrics() + c.Gateway(0).Metrics()
	names := regexp.MustCompile(`(analyzer|process)_[a-z_]+[a-z]`).FindAllString(string(dashboard), -1)
	if len(names) < 12 {
		t.Errorf("the dashboard has only %d metrics", len(names))
	}
	for _, name := range names {
		if !strings.Contains(there, "\n"+name+" ") && !strings.Contains(there, "\n"+name+"{") {
			t.Errorf("the dashboard shows %s, which no process does", name)
		}
	}
}
