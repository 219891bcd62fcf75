package membership

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"analyzer/compose/cluster/monitor"
)

// State is the state of a node.
type State string

// The states.
const (
	Running  State = "running"
	Starting State = "starting" // it has not answered yet
	Silent   State = "silent"   // it runs, and does not answer
	Away     State = "away"     // it does not run
	Failing  State = "failing"  // it has died several times in a row, soon after each start
)

// Node is what the leader knows of a node, or what gossip tells while nobody leads.
type Node struct {
	Name     string    `json:"name"`
	Role     Role      `json:"role"`
	Host     string    `json:"host,omitempty"`
	State    State     `json:"state"`
	Leads    bool      `json:"leads,omitempty"`
	Rank     int       `json:"rank,omitempty"`
	PID      int       `json:"pid,omitempty"`
	HTTP     string    `json:"http,omitempty"`
	Since    time.Time `json:"since,omitzero"` // when the process started
	Restarts int       `json:"restarts"`
	Why      string    `json:"why,omitempty"` // why it was restarted last, or does not run
	Log      string    `json:"log,omitempty"` // the end of the log of a failing node
}

// Report is the state of a cluster.
type Report struct {
	Leader string `json:"leader,omitempty"` // "": nobody leads, and Nodes come from gossip
	By     string `json:"by"`               // the member that made the report
	// Driver starts the nodes, which are listed in the file Topology on the leader's machine.
	Driver   string `json:"driver,omitempty"`
	Topology string `json:"topology,omitempty"`
	Nodes    []Node `json:"nodes"`
}

// PagePath is where a member shows its Report, as JSON.
const PagePath = "/cluster"

// ownOnly is the query parameter that asks for what a member knows itself.
const ownOnly = "own"

// askPatience is how long the leader may take to answer: less than anybody waits for the
// page.
const askPatience = 1500 * time.Millisecond

// Page shows the report of the cluster: the leader's, or what gossip tells if the leader does
// not answer. own returns this member's own report if it leads; it is nil if the member is no
// supervisor.
func (g *Group) Page(own func() (Report, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var report Report
		if r.URL.Query().Has(ownOnly) {
			report = g.ownReport(own)
		} else {
			report = g.Report(r.Context(), own)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(report) // the caller may be gone
	})
}

// Report returns what Page shows.
func (g *Group) Report(ctx context.Context, own func() (Report, bool)) Report {
	report := g.ownReport(own)
	if report.Leader == "" {
		if leaders, ok := g.LeaderReport(ctx); ok {
			return leaders
		}
	}
	return report
}

// ownReport is what this member knows: as the leader, or else by gossip, which only tells who
// is alive.
func (g *Group) ownReport(own func() (Report, bool)) Report {
	if own != nil {
		if report, ok := own(); ok {
			return report
		}
	}
	out := Report{By: g.cfg.Self.Name}
	for _, m := range g.Members() {
		out.Nodes = append(out.Nodes, Node{
			Name: m.Name, Role: m.Role, State: Running, Rank: m.Rank, PID: m.PID, HTTP: m.HTTP, Since: m.Since,
		})
	}
	return out
}

// LeaderReport asks the leader for its report, if that is another member; false: there is no
// answer.
func (g *Group) LeaderReport(ctx context.Context) (Report, bool) {
	leader, ok := g.Leader()
	if !ok {
		return Report{}, false
	}
	return g.ReportOf(ctx, leader)
}

// ReportOf asks a supervisor for its own report, if that is another member; false: there is no answer, or it does not
// lead those of its host.
func (g *Group) ReportOf(ctx context.Context, m Member) (Report, bool) {
	if m.HTTP == "" || m.Name == g.cfg.Self.Name {
		return Report{}, false
	}
	ctx, cancel := context.WithTimeout(g.Asking(ctx), askPatience)
	defer cancel()
	var report Report
	err := Get(ctx, "http://"+m.HTTP+PagePath+"?"+ownOnly, &report)
	return report, err == nil && report.Leader != ""
}

// Ask returns the report that a member at host:port shows.
func Ask(ctx context.Context, address string) (report Report, err error) {
	err = Get(ctx, "http://"+address+PagePath, &report)
	return report, err
}

// maxReport bounds how much of a page is read.
const maxReport = 4 << 20

// Get fetches a member's page and decodes it from JSON.
func Get(ctx context.Context, url string, into any) error {
	return monitor.Get(ctx, url, func(r io.Reader) error {
		if err := json.NewDecoder(io.LimitReader(r, maxReport)).Decode(into); err != nil {
			return fmt.Errorf("%s is not the page of a cluster: %w", url, err)
		}
		return nil
	})
}
