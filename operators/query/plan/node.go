package plan

import "analyzer/operators/expr"

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
	for _, e := range n.Exprs {
		columns = append(columns, e.Expr.Columns()...)
	}
	for _, p := range n.On {
		columns = append(columns, p.Build, p.Probe)
	}
	for _, a := range n.Aggs {
		columns = append(columns, a.Args...)
	}
	for _, order := range [][]Order{n.Order, n.Ties} {
		for _, o := range order {
			columns = append(columns, o.Column)
		}
	}
	for _, c := range n.Calls {
		if columns = append(columns, c.Args...); c.Default != "" {
			columns = append(columns, c.Default)
		}
	}
	return columns
}
