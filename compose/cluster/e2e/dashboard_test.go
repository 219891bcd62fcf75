package e2e_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"analyzer/compose/cluster/e2e"
)

// TestDashboardShowsWhatThereIs holds the Grafana dashboard and the rules of alerts to the
// metrics of a cluster that has done a job.
func TestDashboardShowsWhatThereIs(t *testing.T) {
	lengthy(t)
	t.Parallel()
	var shown []byte
	for _, name := range []string{"../deploy/grafana.json", "../deploy/alerts.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, text...)
	}
	c := shared.Start(t, e2e.Options{WorkerFlags: e2e.Serve, GatewayFlags: e2e.Serve})
	c.Exact(c.Submit(t.Context(), "movies"), "movies")
	there := c.Worker(0).Metrics() + c.Gateway(0).Metrics()
	names := regexp.MustCompile(`(analyzer|process)_[a-z_]+[a-z]`).FindAllString(string(shown), -1)
	if len(names) < 12 {
		t.Errorf("the dashboard and the alerts have only %d metrics", len(names))
	}
	for _, name := range names {
		if !strings.Contains(there, "\n"+name+" ") && !strings.Contains(there, "\n"+name+"{") {
			t.Errorf("the dashboard or an alert has %s, which no process does", name)
		}
	}
}
