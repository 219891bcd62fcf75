package engine

import (
	"context"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/query/physical"
)

// enough decides when the rest of a table is not needed: a stage that keeps only the first
// limit rows in the order of their file has them once the table's first blocks, without a
// gap, have yielded that many.
type enough struct {
	limit int64

	mu     sync.Mutex
	yields map[int64]int64 // rows by block, of blocks after a gap
	rows   int64           // yielded by the blocks before the gap
	blocks int64           // before the gap
	known  chan struct{}   // closed when the gap moves
}

// newEnough returns the enough of a stage, nil if the stage needs all of the table.
func newEnough(p *physical.Plan, s *physical.Stage, t *columnar.Table) *enough {
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

// follows reports whether node i of a stage reads only the node before it in the stage, and
// is that node's only reader.
func follows(p *physical.Plan, s *physical.Stage, i int) bool {
	n, before := p.Nodes[s.Nodes[i]], s.Nodes[i-1]
	return len(n.Inputs) == 1 && n.Inputs[0].Node == before && !readElsewhere(p, before, n.ID)
}

// readElsewhere reports whether an answer, or a node other than by, reads a node.
func readElsewhere(p *physical.Plan, node, by int) bool {
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

// add records how many rows a block has yielded.
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

// reached reports whether there are enough rows. For a nil enough there never are.
func (e *enough) reached() bool {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rows >= e.limit
}

// counts reports whether a block is needed, which it is unless the blocks before it have
// enough rows. It waits until that is known. The block itself must have been added.
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

// First returns how many rows that pass the conditions the plan needs, from the table's
// beginning; negative: all. If it is not negative, whoever takes a block must call Yields.
func (p *Pass) First() int64 {
	if p.enough == nil {
		return -1
	}
	return p.enough.limit
}

// Yields records how many rows the plan gets from a block, and reports whether it needs them.
// To let that depend only on the table and the plan, it waits for the yields of the blocks
// before. It may be called concurrently.
func (p *Pass) Yields(ctx context.Context, block, rows int64) (needed bool, err error) {
	p.enough.add(block, rows)
	return p.enough.counts(ctx, block)
}
