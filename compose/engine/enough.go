package engine

import (
	"sync"

	"analyzer/columnar"
	"analyzer/operators/expr"
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
}

// newEnough returns what knows when a stage has all it needs, nil if it needs all of
// the table.
func newEnough(p *planner.Plan, s *planner.Stage, t *columnar.Table) *enough {
	last := len(s.Nodes) - 1
	sort := p.Nodes[s.Nodes[last]].Sort
	if sort == nil || sort.Limit < 0 || len(sort.Order) == 0 || sort.Order[0].Desc {
		return nil
	}
	column := sort.Order[0].Column
	for i := last; i > 0; i-- {
		n := p.Nodes[s.Nodes[i]]
		if len(n.Inputs) != 1 || n.Inputs[0].Node != s.Nodes[i-1] || readElsewhere(p, s.Nodes[i-1], n.ID) {
			return nil
		}
		switch {
		case i == last:
		case n.Project != nil:
			if column = sourceOf(n, column); column == "" {
				return nil
			}
		default:
			return nil
		}
	}
	for _, c := range t.Columns {
		if c.Name == column && c.Format == columnar.FormatPosition && p.Nodes[s.Nodes[0]].Scan != nil {
			return &enough{limit: sort.Limit, yields: make(map[int64]int64)}
		}
	}
	return nil
}

// sourceOf returns the column that a projection takes for one of its own, "" if it
// is computed.
func sourceOf(n *planner.Node, column string) string {
	for _, c := range n.Project {
		if c.Name == column && c.Expr.Op == expr.OpColumn {
			return c.Expr.Name
		}
	}
	return ""
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
