// Package load says what the nodes of a cluster are doing, and what holds it up. Any
// node answers: it asks the pages of all others for their metrics twice, a moment
// apart, and shows what has changed between.
package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"analyzer/compose/cluster/membership"
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
	select {
	case <-time.After(Moment):
	case <-ctx.Done():
	}
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
	// A connection that is kept says nothing of a process that hangs.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	var wait sync.WaitGroup
	var mu sync.Mutex
	out := make(map[string]look)
	for _, n := range nodes {
		if n.HTTP == "" {
			continue
		}
		wait.Go(func() {
			metrics, err := fetch(ctx, client, n.HTTP)
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

// maxMetrics bounds what is read of a page.
const maxMetrics = 4 << 20

func fetch(ctx context.Context, client *http.Client, address string) (map[string]float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", address, response.Status)
	}
	return parse(io.LimitReader(response.Body, maxMetrics))
}

// parse reads metrics; of a histogram it takes the sum.
func parse(r io.Reader) (map[string]float64, error) {
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return nil, err
	}
	out := make(map[string]float64, len(families))
	for name, family := range families {
		for _, m := range family.Metric {
			out[name] += value(m)
		}
	}
	return out, nil
}

func value(m *dto.Metric) float64 {
	switch {
	case m.Histogram != nil:
		return m.Histogram.GetSampleSum()
	case m.Counter != nil:
		return m.Counter.GetValue()
	case m.Gauge != nil:
		return m.Gauge.GetValue()
	}
	return 0
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
		Committing: min(rate("analyzer_worker_commit_seconds"), 1),
		Uploads:    int(now.metrics["analyzer_gateway_streams"]), Batches: rate("analyzer_gateway_batch_seconds"),
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
