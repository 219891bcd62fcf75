package load

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/compose/cluster/membership"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestBottleneck holds find to its rules: each changes a cluster that is at work, and in
// which nothing stands out, by what makes the rule hold, and by what rules below it
// would say.
func TestBottleneck(t *testing.T) {
	type loads = map[string]Load
	machine := func(cpu float64) Machine { return Machine{Boot: 1, CPU: cpu, CPUs: 4} }
	for _, c := range []struct {
		name   string
		change func(loads)
		where  string
		why    string
	}{
		{"nothing", func(loads) {}, "", "nothing stands out"},
		{"no job", func(l loads) { l["w0"], l["w1"] = Load{}, Load{} }, "", "no job"},
		{"alarm", func(l loads) { l["g0"] = Load{Blocked: true, CPU: 4, CPUs: 4} }, atBroker, "takes no messages"},
		{"worker", func(l loads) { l["w1"] = Load{Jobs: 1, CPU: 3.7, CPUs: 4, Machine: machine(4)} }, "worker", "w1 keeps 3.7 of its 4"},
		{"gateway", func(l loads) { l["g0"] = Load{Uploads: 1, CPU: 3.7, CPUs: 4} }, "gateway", "g0 keeps 3.7 of its 4"},
		{"worker, shared", func(l loads) {
			l["w0"] = Load{Jobs: 1, CPU: 1.2, CPUs: 4, Machine: machine(3.8)}
			l["w1"] = Load{Jobs: 1, CPU: 1.1, CPUs: 4, Machine: machine(3.8), Committing: 0.9}
			l["g0"] = Load{Uploads: 1, CPU: 1, CPUs: 4, Machine: machine(3.8)}
		}, "worker", "3.8 of 4 processors of the machine are busy, 2.3 by workers"},
		{"machine", func(l loads) {
			l["w0"] = Load{Jobs: 1, CPU: 1.2, CPUs: 4, Machine: machine(3.8)}
		}, atMachine, "2.6 by other programs"},
		{"another machine", func(l loads) {
			l["w0"] = Load{Jobs: 1, CPU: 2, CPUs: 4, Machine: Machine{Boot: 2, CPU: 3.8, CPUs: 4}}
			l["w1"] = Load{Jobs: 1, CPU: 3, CPUs: 4, Machine: machine(3)}
		}, "worker", "3.8 of 4 processors of w0's machine are busy, 2.0 by workers"},
		{"disk", func(l loads) { l["w1"] = Load{Jobs: 1, CPU: 1, CPUs: 4, Waiting: 9, Committing: 0.6} }, atDisk, "w1 spends 60 %"},
		{"worker, one thread", func(l loads) { l["w1"] = Load{Jobs: 1, CPU: 1, CPUs: 4, Waiting: 9} }, "worker", "9 messages wait for w1"},
		{"broker delivers slowly", func(l loads) { l["w1"] = Load{Jobs: 1, CPU: 0.1, CPUs: 4, Waiting: 9} }, atBroker, "9 messages wait, and workers"},
		{"broker confirms slowly", func(l loads) { l["g0"] = Load{Uploads: 2, CPU: 0.1, CPUs: 4, Batches: 3} }, atBroker, "3.0 batches of 2 uploads"},
		{"client", func(l loads) { l["g0"] = Load{Uploads: 2, CPU: 0.1, CPUs: 4, Batches: 0.4} }, atClient, "gateways wait for input"},
		{"a node is silent", func(l loads) { delete(l, "w1") }, "", "nothing stands out"},
		{"nobody answers", func(l loads) { clear(l) }, "", "no job"},
	} {
		nodes := []membership.Node{{Name: "w0", Role: "worker"}, {Name: "w1", Role: "worker"}, {Name: "g0", Role: "gateway"}, {Name: "b", Role: "broker"}}
		l := loads{"w0": {Jobs: 1, CPU: 0.2, CPUs: 4}, "w1": {Jobs: 1, CPU: 0.1, CPUs: 4}, "g0": {CPU: 0.1, CPUs: 4}}
		c.change(l)
		b := find(nodes, l)
		if b.Where != c.where || !strings.Contains(b.Why, c.why) {
			t.Errorf("%s: %+v, want %q, %q", c.name, b, c.where, c.why)
		}
		if len(b.Why) > 78 {
			t.Errorf("%s: %q does not fit into a line of a terminal", c.name, b.Why)
		}
	}
}

// TestOf asks nodes for their metrics: one that works, one that was started again
// between, one that answers nonsense, one that hangs, one that is gone, and one without
// a page.
func TestOf(t *testing.T) {
	var asked atomic.Int64
	hung := make(chan struct{})
	page := func(f http.HandlerFunc) string {
		s := httptest.NewServer(f)
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	works := page(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		fmt.Fprintf(w, `# TYPE analyzer_worker_rows_total counter
analyzer_worker_rows_total{stage="0"} %d
analyzer_worker_rows_total{stage="1"} %d
# TYPE analyzer_worker_commit_seconds histogram
analyzer_worker_commit_seconds_bucket{le="+Inf"} 3
analyzer_worker_commit_seconds_sum %g
analyzer_worker_commit_seconds_count 3
# TYPE analyzer_worker_jobs gauge
analyzer_worker_jobs 2
# TYPE analyzer_worker_waiting_messages gauge
analyzer_worker_waiting_messages 10
# TYPE analyzer_worker_batches_total counter
analyzer_worker_batches_total{stage="0"} 4
# TYPE analyzer_worker_bytes_total counter
analyzer_worker_bytes_total{stage="0"} 400
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 1e+06
`, 1000*n, 500*n, 0.25*float64(n))
	})
	again := page(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total %d\n", 5-asked.Load())
	})
	nonsense := page(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}{}") })
	hangs := page(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hung:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(hung) })
	about := membership.Report{Nodes: []membership.Node{
		{Name: "works", Role: "worker", HTTP: works},
		{Name: "again", Role: "worker", HTTP: again},
		{Name: "nonsense", HTTP: nonsense},
		{Name: "hangs", HTTP: hangs},
		{Name: "gone", HTTP: "127.0.0.1:1"},
		{Name: "broker", Role: "broker"},
	}}
	began := time.Now()
	r := Of(t.Context(), about)
	if took := time.Since(began); took > 20*patience {
		t.Errorf("it took %v", took)
	}
	l := r.Load["works"]
	if l.Jobs != 2 || l.Waiting != 10 || l.WaitingBytes != 1000 || l.Memory != 1e6 {
		t.Errorf("totals %+v", l)
	}
	// From look to look a second passes, or more where all are slow.
	if l.Rows < 200 || l.Rows > 1500 || l.Committing < 0.03 || l.Committing > 0.25 {
		t.Errorf("rates %+v", l)
	}
	if again, ok := r.Load["again"]; !ok || again.CPU != 0 || len(r.Load) != 2 {
		t.Errorf("loads %+v", r.Load)
	}
	if all, n := r.Sum("worker"); n != 2 || all.Waiting != 10 || all.Rows != l.Rows {
		t.Errorf("%d workers do %+v", n, all)
	}
}
