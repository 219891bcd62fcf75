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

// State is how a node of a cluster is.
type State string

// The states.
const (
	Running  State = "running"
	Starting State = "starting" // it has not answered yet
	Silent   State = "silent"   // it runs, and does not answer
	Away     State = "away"     // it does not run
	Failing  State = "failing"  // it has died again and again, soon after each start
)

// Node is what a leader knows of a node, or what gossip tells where nobody leads.
type Node struct {
	Name     string    `json:"name"`
	Role     Role      `json:"role"`
	State    State     `json:"state"`
	Leads    bool      `json:"leads,omitempty"`
	Rank     int       `json:"rank,omitempty"`
	PID      int       `json:"pid,omitempty"`
	HTTP     string    `json:"http,omitempty"`
	Since    time.Time `json:"since,omitzero"` // when the process began
	Restarts int       `json:"restarts"`
	Why      string    `json:"why,omitempty"` // it was started again last, or does not run
	Log      string    `json:"log,omitempty"` // its end, of a node that fails
}

// Report is what a cluster says of itself.
type Report struct {
	Leader string `json:"leader,omitempty"` // "": nobody leads, and Nodes are those that gossip tells of
	By     string `json:"by"`               // who made the report
	// Driver starts the nodes, which stand in the file Topology on the leader's machine.
	Driver   string `json:"driver,omitempty"`
	Topology string `json:"topology,omitempty"`
	Nodes    []Node `json:"nodes"`
}

// PagePath is where a member shows its Report, as JSON.
const PagePath = "/cluster"

// ownOnly, as a parameter, asks for what a member knows itself.
const ownOnly = "own"

// askPatience is how long the leader is waited for: less than anybody waits for the
// page.
const askPatience = 1500 * time.Millisecond

// Page shows the report of the cluster: the leader's, or what gossip tells while that
// does not answer. own returns that of this member, if it is a supervisor that leads;
// nil: it is none.
func (g *Group) Page(own func() (Report, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var report Report
		if r.URL.Query().Has(ownOnly) {
			report = g.ownReport(own)
		} else {
			report = g.Report(r.Context(), own)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(report) // who asked may be gone
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

// ownReport is what this member knows, as the leader, or by gossip, which tells no more
// than who lives.
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

// LeaderReport asks the leader, if that is another member; false: it does not answer.
func (g *Group) LeaderReport(ctx context.Context) (Report, bool) {
	leader, ok := g.Leader()
	if !ok || leader.HTTP == "" || leader.Name == g.cfg.Self.Name {
		return Report{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	var report Report
	err := Get(ctx, "http://"+leader.HTTP+PagePath+"?"+ownOnly, &report)
	return report, err == nil && report.Leader != ""
}

// Ask returns the report that a member at host:port shows.
func Ask(ctx context.Context, address string) (report Report, err error) {
	err = Get(ctx, "http://"+address+PagePath, &report)
	return report, err
}

// maxReport bounds what is read of a page.
const maxReport = 4 << 20

// Get reads a page of a member that is JSON.
func Get(ctx context.Context, url string, into any) error {
	return monitor.Get(ctx, url, func(r io.Reader) error {
		if err := json.NewDecoder(io.LimitReader(r, maxReport)).Decode(into); err != nil {
			return fmt.Errorf("%s is not the page of a cluster: %w", url, err)
		}
		return nil
	})
}
