// Package load says what the nodes of a cluster are doing, and what holds it up. Any
// node answers: it asks the pages of all others for their metrics twice, a moment
// apart, and shows what has changed between.
package load

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/process"
)

// Load is what a node does.
type Load struct {
	CPU    float64 `json:"cpu"`  // processors that it keeps busy
	CPUs   float64 `json:"cpus"` // that it may use
	Memory int64   `json:"memory_bytes"`

	OpenFiles  int `json:"open_files"`
	Goroutines int `json:"goroutines"`

	Jobs int     `json:"jobs,omitempty"`            // that a worker holds state of
	Rows float64 `json:"rows_per_second,omitempty"` // taken in, of a worker or a gateway
	// Waiting is how many messages wait at the broker for a worker; WaitingBytes is about
	// what they take, if they are like those that have come.
	Waiting      int64 `json:"waiting_messages,omitempty"`
	WaitingBytes int64 `json:"waiting_bytes,omitempty"`
	// Committing is the share of the time in which a worker made durable what it received.
	Committing float64 `json:"committing,omitempty"`
	// Uploads is how many a gateway has open; Batches how many of their batches, on
	// average, were there and not yet confirmed by the broker.
	Uploads int     `json:"uploads,omitempty"`
	Batches float64 `json:"batches,omitempty"`
	// Blocked reports that the broker takes no messages of the node.
	Blocked bool `json:"blocked,omitempty"`

	Machine Machine `json:"machine,omitzero"`
}

// Machine is what runs a node, with whatever else; zero: nothing is known of it.
type Machine struct {
	Boot float64 `json:"boot"` // when it began, Unix time: nodes that say the same share it
	CPU  float64 `json:"cpu"`  // processors that are busy
	CPUs float64 `json:"cpus"`
}

// Report is what a cluster is and does.
type Report struct {
	membership.Report
	// Load is that of each node that has answered, by name.
	Load       map[string]Load `json:"load"`
	Bottleneck Bottleneck      `json:"bottleneck"`
}

// Sum returns what the nodes of a role do together, and how many have answered. They
// share jobs: it has as many as the one with the most.
func (r Report) Sum(role membership.Role) (all Load, count int) {
	machines := make(map[float64]bool)
	for _, n := range r.Nodes {
		l, ok := r.Load[n.Name]
		if n.Role != role || !ok {
			continue
		}
		count++
		all.CPU, all.Memory, all.Rows = all.CPU+l.CPU, all.Memory+l.Memory, all.Rows+l.Rows
		all.Waiting, all.WaitingBytes = all.Waiting+l.Waiting, all.WaitingBytes+l.WaitingBytes
		all.Jobs = max(all.Jobs, l.Jobs)
		if m := l.Machine; m.Boot == 0 || !machines[m.Boot] {
			machines[m.Boot] = true
			all.CPUs += l.CPUs
		}
	}
	return all, count
}

// Path is where a member shows its Report, as JSON.
const Path = "/load"

// Moment is between two looks at a node.
const Moment = time.Second

// patience is for the metrics of a node.
const patience = time.Second

// Page shows the report of the cluster that a member is in. own is what
// membership.Group.Page takes. Each request takes a Moment.
func Page(g *membership.Group, own func() (membership.Report, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report := Of(r.Context(), g.Report(r.Context(), own))
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(report) // who asked may be gone
	})
}

// Of returns what the nodes of a cluster do, which it asks for a Moment.
func Of(ctx context.Context, about membership.Report) Report {
	out := Report{Report: about, Load: make(map[string]Load)}
	before := lookAll(ctx, about.Nodes)
	_ = process.Sleep(ctx, Moment)
	after := lookAll(ctx, about.Nodes)
	for name, now := range after {
		out.Load[name] = between(before[name], now)
	}
	out.Bottleneck = find(about.Nodes, out.Load)
	return out
}

// Ask returns the report that a member at host:port shows.
func Ask(ctx context.Context, address string) (report Report, err error) {
	err = membership.Get(ctx, "http://"+address+Path, &report)
	return report, err
}

// look is what a node has shown.
type look struct {
	at      time.Time
	metrics map[string]float64 // by name, of all labels together
}

// lookAll asks all nodes that have a page; who does not answer is left out.
func lookAll(ctx context.Context, nodes []membership.Node) map[string]look {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var wait sync.WaitGroup
	var mu sync.Mutex
	out := make(map[string]look)
	for _, n := range nodes {
		if n.HTTP == "" {
			continue
		}
		wait.Go(func() {
			metrics := make(map[string]float64)
			err := monitor.Read(ctx, n.HTTP, func(name, _ string, value float64) { metrics[name] += value })
			if err != nil {
				return // its state, which is shown beside, says why
			}
			mu.Lock()
			defer mu.Unlock()
			out[n.Name] = look{time.Now(), metrics}
		})
	}
	wait.Wait()
	return out
}

// between returns what a node has done from one look to the next. Of one that was not
// there before, or was started again meanwhile, rates are not known, and 0.
func between(before, now look) Load {
	seconds := now.at.Sub(before.at).Seconds()
	rate := func(name string) float64 {
		was, ok := before.metrics[name]
		if !ok || now.metrics[name] < was {
			return 0
		}
		return (now.metrics[name] - was) / seconds
	}
	l := Load{
		CPU: rate("process_cpu_seconds_total"), CPUs: now.metrics["go_sched_gomaxprocs_threads"],
		Memory:    int64(now.metrics["process_resident_memory_bytes"]),
		OpenFiles: int(now.metrics["process_open_fds"]), Goroutines: int(now.metrics["go_goroutines"]),
		Jobs:       int(now.metrics["analyzer_worker_jobs"]),
		Rows:       rate("analyzer_worker_rows_total") + rate("analyzer_gateway_rows_total"),
		Waiting:    int64(now.metrics["analyzer_worker_waiting_messages"]),
		Committing: min(rate("analyzer_worker_commit_seconds_sum"), 1),
		Uploads:    int(now.metrics["analyzer_gateway_streams"]), Batches: rate("analyzer_gateway_batch_seconds_sum"),
		Blocked: now.metrics["analyzer_broker_state"] > 1,
		Machine: Machine{
			Boot: now.metrics["analyzer_machine_boot_time_seconds"],
			CPU:  rate("analyzer_machine_cpu_seconds_total"), CPUs: now.metrics["analyzer_machine_cpus"],
		},
	}
	if came := now.metrics["analyzer_worker_batches_total"]; came > 0 {
		l.WaitingBytes = int64(float64(l.Waiting) * now.metrics["analyzer_worker_bytes_total"] / came)
	}
	return l
}
