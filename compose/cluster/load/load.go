// Package load measures what the nodes of a cluster are doing, and what its bottleneck is.
// Any node can answer: it fetches the metrics of all nodes twice, a moment apart, and shows
// the change between.
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

// Load is what a node is doing.
type Load struct {
	CPU    float64 `json:"cpu"`  // processors that it keeps busy
	CPUs   float64 `json:"cpus"` // processors that it may use
	Memory int64   `json:"memory_bytes"`

	OpenFiles  int `json:"open_files"`
	Goroutines int `json:"goroutines"`

	Jobs int     `json:"jobs,omitempty"`            // of a worker: jobs that it has state of
	Rows float64 `json:"rows_per_second,omitempty"` // taken in by a worker or a gateway
	// Waiting is how many messages wait at the broker for a worker. WaitingBytes estimates
	// their size from the messages received so far.
	Waiting      int64 `json:"waiting_messages,omitempty"`
	WaitingBytes int64 `json:"waiting_bytes,omitempty"`
	// Committing is the share of time that a worker spends making received messages durable.
	Committing float64 `json:"committing,omitempty"`
	// Uploads is how many uploads a gateway has open. Batches is how many of their batches,
	// on average, the gateway had received and the broker had not yet confirmed.
	Uploads int     `json:"uploads,omitempty"`
	Batches float64 `json:"batches,omitempty"`
	// Blocked reports that the broker accepts no messages from the node.
	Blocked bool `json:"blocked,omitempty"`

	Machine Machine `json:"machine,omitzero"`
}

// Machine is the machine that runs a node, with everything else on it; zero: unknown.
type Machine struct {
	Boot float64 `json:"boot"` // boot time, Unix; nodes with the same value share a machine
	CPU  float64 `json:"cpu"`  // processors that are busy
	CPUs float64 `json:"cpus"`
}

// Report is the state of a cluster and its load.
type Report struct {
	membership.Report
	// Load is the load of each node that has answered, by name.
	Load       map[string]Load `json:"load"`
	Bottleneck Bottleneck      `json:"bottleneck"`
}

// Sum returns the total load of the nodes of a role, and how many have answered. Jobs are not
// added up, since nodes share them: Sum takes the largest number.
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

// Moment is the time between the two measurements of a node.
const Moment = time.Second

// patience bounds the wait for the metrics of a node.
const patience = time.Second

// Page shows the report of the cluster that a member belongs to. own is as for
// membership.Group.Page. Each request takes a Moment.
func Page(g *membership.Group, own func() (membership.Report, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report := OfGroup(r.Context(), g, own)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(report) // the caller may be gone
	})
}

// OfGroup returns what Page shows.
func OfGroup(ctx context.Context, g *membership.Group, own func() (membership.Report, bool)) Report {
	return Of(g.Asking(ctx), g.Report(ctx, own))
}

// Of returns the load of the nodes of a cluster, measured over a Moment. The nodes are shown the
// token of the context (monitor.WithToken).
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

// look is one measurement of a node.
type look struct {
	at      time.Time
	metrics map[string]float64 // by name, summed over labels
}

// lookAll measures all nodes that have a page. Nodes that do not answer are left out.
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
				return // the node's state, shown beside its load, says why
			}
			mu.Lock()
			defer mu.Unlock()
			out[n.Name] = look{time.Now(), metrics}
		})
	}
	wait.Wait()
	return out
}

// between returns the load of a node from two measurements. Rates are 0 for a node that was
// missing before or has been restarted since.
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
