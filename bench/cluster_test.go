package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"analyzer/compose/cluster/local"
)

// TestCounts reads the metrics of a worker and a gateway into a run.
func TestCounts(t *testing.T) {
	shown := map[string]string{
		"/worker/metrics": `# HELP analyzer_worker_rows_total Rows of messages taken in.
analyzer_worker_rows_total{stage="1"} 5
analyzer_worker_rows_total{stage="2"} 7
analyzer_worker_compute_seconds_total{stage="2"} 0.25
analyzer_worker_spilled_bytes_total{stage="2"} 1e+06
analyzer_worker_spill_files_total{stage="2"} 3
analyzer_worker_sent_messages_total{stage="1"} 4
analyzer_worker_sent_bytes_total{stage="1"} 400
analyzer_worker_commit_seconds_sum 0.5
analyzer_worker_commit_seconds_count 8
go_gc_duration_seconds{quantile="0"} 1
`,
		"/gateway/metrics": "analyzer_gateway_messages_total 6\nanalyzer_gateway_message_bytes_total 600\n",
	}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, shown[r.URL.Path]) }))
	defer served.Close()
	address := strings.TrimPrefix(served.URL, "http://")
	u := &runningCluster{at: local.Addresses{Monitors: map[string]string{"worker 0": address + "/worker", "gateway 0": address + "/gateway"}}}
	r := Run{Stages: make([]Stage, 3)}
	if err := u.count(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	want := Run{Spilled: 1e6, SpillFiles: 3, Messages: 10, Uploaded: 6, MessageBytes: 1000, Received: 12, Commits: 8, CommitTime: 0.5}
	got := r
	got.Stages = nil
	if fmt.Sprint(got) != fmt.Sprint(want) || r.Stages[2].Time != 0.25 || r.Stages[1].Time != 0 {
		t.Errorf("%+v, want %+v", r, want)
	}
	shown["/gateway/metrics"], shown["/worker/metrics"] = "", ""
	if err := u.count(t.Context(), &Run{}); err == nil || !strings.Contains(err.Error(), "no messages") {
		t.Errorf("processes that count nothing: %v", err)
	}
}

// TestGatewaysAreToldApart: each has a limit of its own.
func TestGatewaysAreToldApart(t *testing.T) {
	after := map[int]Process{
		12: {"gateway", 3, 30, 9}, 11: {"gateway", 2, 20, 8}, 5: {"broker", 1, 10, 3}, 6: {"broker", 1, 1, 1}, 13: {"worker 0", 4, 40, 7},
	}
	want := []Process{{"broker", 2, 11, 4}, {"gateway 0", 1.5, 20, 8}, {"gateway 1", 3, 30, 9}, {"worker 0", 4, 40, 7}}
	if got := used(map[int]Process{11: {"gateway", 0.5, 1, 1}}, after); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestProcessNames(t *testing.T) {
	for want, line := range map[string]string{
		"worker 1": "analyzer worker --http h:1 --replica 1 --replicas 2",
		"gateway":  "analyzer gateway --replicas 2 --listen h:2",
		"broker":   "beam.smp -W w",
	} {
		if got := processName(strings.Fields(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
