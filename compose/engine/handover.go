package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/exec"
	"analyzer/operators/planner"
)

// handover is where the groups of a partial aggregation go in one process: they are not sent
// to the replica of their key, but given by partition to all replicas of the final one.
type handover struct {
	from   int // node of the partial aggregation
	groups *aggregate.Handed

	mu      sync.Mutex
	senders int           // pipelines that are not done
	done    chan struct{} // closed when none is left
}

// handovers returns the inputs at which groups are handed over, and a plan in which the
// aggregations that do so keep all of their groups.
func handovers(p *planner.Plan) (*planner.Plan, map[exec.Port]*handover) {
	out, handed := *p, make(map[exec.Port]*handover)
	out.Nodes = slices.Clone(p.Nodes)
	for _, s := range p.Stages {
		port, partial := mergesGroups(p, s)
		if partial == nil {
			continue
		}
		keeping, cfg := *partial, *partial.Aggregate
		cfg.Streaming, keeping.Aggregate = false, &cfg
		out.Nodes[partial.ID] = &keeping
		handed[port] = &handover{from: partial.ID, done: make(chan struct{})}
	}
	return &out, handed
}

// mergesGroups returns the input of a stage that makes values of groups, and the partial
// aggregation that makes them for it; nil for any other stage. Nothing else that the stage
// does may need the groups of its keys in one place.
func mergesGroups(p *planner.Plan, s *planner.Stage) (port exec.Port, partial *planner.Node) {
	for _, id := range s.Nodes {
		n := p.Nodes[id]
		switch {
		case alone(s, n) && len(n.Inputs) == 1 && n.Inputs[0].Exchange == nil:
			continue
		case partial != nil || n.Aggregate == nil || len(n.Inputs) != 1 || n.Inputs[0].Exchange == nil:
			return port, nil
		}
		from, final := p.Nodes[n.Inputs[0].Node], n.Aggregate
		if a := from.Aggregate; a == nil || !a.Streaming || !a.CanHandOver() || !final.FromStates || final.ToStates ||
			!slices.Equal(a.Keys, final.Keys) || !slices.Equal(a.Aggs, final.Aggs) || readElsewhere(p, from.ID, id) {
			return port, nil
		}
		port, partial = exec.Port{Node: id}, from
	}
	return port, partial
}

// alone reports whether a node does to rows what it does wherever they are: it needs no
// others of their keys, or leaves what does to those who read it.
func alone(s *planner.Stage, n *planner.Node) bool {
	return n.Filter != nil || n.Project != nil || n.Unnest != nil || n.Top != nil ||
		n.Aggregate != nil && n.Aggregate.ToStates || n.Sort != nil && !s.Single
}

// join says that one more pipeline will hand over.
func (h *handover) join() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.senders++
}

// Push is not called: all groups go to h.groups when there are no more rows.
func (h *handover) Push(context.Context, columnar.Rows) error {
	return fmt.Errorf("node %d emits groups that it is to hand over", h.from)
}

// Finish says that one pipeline has handed over.
func (h *handover) Finish(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.senders--; h.senders == 0 {
		close(h.done)
	}
	return nil
}
