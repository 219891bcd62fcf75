package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
)

// handover takes the place of an exchange behind a partial aggregation: its groups are not
// sent to the replica of their key, but handed by partition to the replicas of the final
// aggregation.
type handover struct {
	from   int // node of the partial aggregation
	groups *aggregate.Handed

	mu      sync.Mutex
	senders int           // pipelines that have yet to hand over
	done    chan struct{} // closed when senders is 0
}

// handovers returns the inputs at which groups are handed over, and a plan in which the
// partial aggregations in front of them keep all of their groups.
func handovers(p *physical.Plan) (*physical.Plan, map[exec.Port]*handover) {
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

// mergesGroups returns the input of a stage that does a final aggregation, and the partial
// aggregation it reads; nil for any other stage. Nothing else in the stage may need all groups
// of a key in one place.
func mergesGroups(p *physical.Plan, s *physical.Stage) (port exec.Port, partial *physical.Node) {
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
			!slices.Equal(a.Keys, final.Keys) || !slices.EqualFunc(a.Aggs, final.Aggs, aggregate.Agg.Same) || readElsewhere(p, from.ID, id) {
			return port, nil
		}
		port, partial = exec.Port{Node: id}, from
	}
	return port, partial
}

// alone reports whether a node can run wherever its rows are: it needs no other rows of their
// keys, or leaves that work to its readers.
func alone(s *physical.Stage, n *physical.Node) bool {
	return n.Filter != nil || n.Project != nil || n.Unnest != nil || n.Top != nil ||
		n.Aggregate != nil && n.Aggregate.ToStates || n.Sort != nil && !s.Single
}

// join adds a pipeline that will hand over.
func (h *handover) join() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.senders++
}

// Push is never called: all groups go to h.groups after the last row.
func (h *handover) Push(context.Context, columnar.Rows) error {
	return fmt.Errorf("node %d emits groups that it is to hand over", h.from)
}

// Finish says that one pipeline has handed over its groups.
func (h *handover) Finish(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.senders--; h.senders == 0 {
		close(h.done)
	}
	return nil
}
