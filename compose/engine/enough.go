package engine

import (
	"context"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/planner"
)

// enough knows when the rest of a table is not needed: a stage that keeps the first
// rows in the order of their file has them once blocks from the beginning on, without
// a gap, have yielded so many.
type enough struct {
	limit int64

	mu     sync.Mutex
	yields map[int64]int64 // of blocks behind a gap
	rows   int64           // of the blocks before
	blocks int64           // from the beginning on, that count
	known  chan struct{}   // closed when that has changed
}

// newEnough returns what knows when a stage has all it needs, nil if it needs all of
// the table.
func newEnough(p *planner.Plan, s *planner.Stage, t *columnar.Table) *enough {
	last := len(s.Nodes) - 1
	sort := p.Nodes[s.Nodes[last]].Sort
	if sort == nil || sort.Limit < 0 || len(sort.Order) == 0 || sort.Order[0].Desc {
		return nil
	}
	for i := last; i > 0; i-- {
		if !follows(p, s, i) || i < last && p.Nodes[s.Nodes[i]].Project == nil {
			return nil
		}
	}
	from := origins(p, p.Nodes[s.Nodes[last]].Inputs[0].Node, sort.Order[0].Column)
	if len(from) != 1 || from[0].scan != p.Nodes[s.Nodes[0]] || !isPosition(t, from[0].column) {
		return nil
	}
	return &enough{limit: sort.Limit, yields: make(map[int64]int64), known: make(chan struct{})}
}

// follows reports whether a node of a stage reads the one before it there and nothing else,
// and is the only one who does.
func follows(p *planner.Plan, s *planner.Stage, i int) bool {
	n, before := p.Nodes[s.Nodes[i]], s.Nodes[i-1]
	return len(n.Inputs) == 1 && n.Inputs[0].Node == before && !readElsewhere(p, before, n.ID)
}

// readElsewhere reports whether anybody but one node reads another.
func readElsewhere(p *planner.Plan, node, by int) bool {
	for _, a := range p.Answers {
		if a.Node == node {
			return true
		}
	}
	for _, n := range p.Nodes {
		for _, in := range n.Inputs {
			if in.Node == node && n.ID != by {
				return true
			}
		}
	}
	return false
}

// add notes how many rows a block has yielded.
func (e *enough) add(block, rows int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.yields[block] = rows
	if block == e.blocks {
		close(e.known)
		e.known = make(chan struct{})
	}
	for e.rows < e.limit {
		n, ok := e.yields[e.blocks]
		if !ok {
			return
		}
		delete(e.yields, e.blocks)
		e.rows += n
		e.blocks++
	}
}

// reached reports whether there is enough. A nil one never has.
func (e *enough) reached() bool {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rows >= e.limit
}

// counts waits until it is known of all blocks before one whether they have enough, and
// reports whether they have not. The block itself was added.
func (e *enough) counts(ctx context.Context, block int64) (bool, error) {
	for {
		e.mu.Lock()
		counts, reached, known := block < e.blocks, e.rows >= e.limit, e.known
		e.mu.Unlock()
		if counts || reached {
			return counts, nil
		}
		if err := wait(ctx, known); err != nil {
			return false, err
		}
	}
}

// First returns how many of the first rows that conditions leave of the table are all that
// the plan needs; negative: it needs all. Where it does not, whoever takes blocks says of
// each what it Yields.
func (p *Pass) First() int64 {
	if p.enough == nil {
		return -1
	}
	return p.enough.limit
}

// Yields notes how many rows the plan gets of a block, and reports whether it needs them.
// Which blocks are needed follows from the table and the plan; so it waits for what the
// blocks before yield. It may be called concurrently.
func (p *Pass) Yields(ctx context.Context, block, rows int64) (needed bool, err error) {
	p.enough.add(block, rows)
	return p.enough.counts(ctx, block)
}
