package plan

import (
	"math"

	"analyzer/operators/expr"
)

// Limited reports whether a sort leaves rows out.
func (n *Node) Limited() bool { return n.Limit != nil || n.Offset > 0 }

// Below returns an expression over the columns of a projection as one over those of its input.
func (n *Node) Below(e *expr.Expr) *expr.Expr {
	return e.Rename(func(name string) *expr.Expr {
		for _, c := range n.Exprs {
			if c.Name == name {
				return c.Expr
			}
		}
		return nil
	})
}

// Reads returns the columns that a node itself reads of its inputs. A name may occur several
// times.
func (n *Node) Reads() []string {
	if n.Op == Scan {
		return nil
	}
	columns := append(append([]string(nil), n.Keys...), n.Where.Columns()...)
	if n.Column != "" {
		columns = append(columns, n.Column)
	}
	columns = append(columns, ListColumns(n.Lists)...)
	for _, e := range n.Exprs {
		columns = append(columns, e.Expr.Columns()...)
	}
	for _, p := range n.On {
		columns = append(columns, p.Build, p.Probe)
	}
	for _, a := range n.Aggs {
		columns = append(columns, a.Reads()...)
	}
	for _, order := range [][]Order{n.Order, n.Ties} {
		for _, o := range order {
			columns = append(columns, o.Column)
		}
	}
	for _, c := range n.Calls {
		if columns = append(columns, c.Reads()...); c.Default != "" {
			columns = append(columns, c.Default)
		}
	}
	return columns
}

// Rows returns the least and the most rows that a node has, whatever is in the tables.
func (n *Node) Rows() (least, most int64) {
	switch n.Op {
	case Aggregate:
		if len(n.Keys) == 0 {
			return 1, 1
		}
	case Project:
		return n.Inputs[0].Rows()
	case Filter:
		_, most = n.Inputs[0].Rows()
		return 0, most
	case Sort:
		least, most = n.Inputs[0].Rows()
		least, most = max(least-n.Offset, 0), max(most-n.Offset, 0)
		if n.Limit != nil {
			least, most = min(least, *n.Limit), min(most, *n.Limit)
		}
		return least, most
	}
	return 0, math.MaxInt64
}

// Conditions takes the filters off a node.
func (n *Node) Conditions() (conditions []*expr.Expr, below *Node) {
	for n.Op == Filter {
		conditions = append(conditions, expr.Conjuncts(n.Where)...)
		n = n.Inputs[0]
	}
	return conditions, n
}

// ThroughCopies skips projections that only choose columns.
func (n *Node) ThroughCopies() *Node {
	for n.Op == Project {
		for _, e := range n.Exprs {
			if e.Expr.Op != expr.OpColumn || e.Expr.Name != e.Name {
				return n
			}
		}
		n = n.Inputs[0]
	}
	return n
}
