package rules

import (
	"math"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// limitProducts takes the first rows of both sides of a product of which only the first rows are wanted. A row of one
// side before which there are as many rows as are wanted is in no row of the answer: beside any row of the other side
// these stand before it. Sort compares all columns, so that the columns of one side alone say which of its rows stand
// before others.
func limitProducts(r *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		if m.Op != plan.Sort || m.Limit == nil || *m.Limit > math.MaxInt64-m.Offset {
			return m
		}
		in, first := m.Inputs[0], m.Offset+*m.Limit
		switch {
		case isCross(in):
			m.Inputs = []*plan.Node{r.firstOfProduct(in, m.Order, first)}
		case in.Op == plan.Project && isCross(in.Inputs[0]):
			if order, ok := orderBelow(in, m.Order); ok {
				m.Inputs = []*plan.Node{r.firstOfProduct(in.Inputs[0], order, first).Project(in.Exprs...)}
			}
		}
		return m
	})
}

// isCross reports whether a join is of all rows with all.
func isCross(n *plan.Node) bool { return n.Op == plan.Join && n.Kind == plan.Inner && len(n.On) == 0 }

// orderBelow returns the order of the rows of a projection as one of the rows that it is made of, all columns
// included. ok is false if it computes any.
func orderBelow(project *plan.Node, order []plan.Order) (below []plan.Order, ok bool) {
	of := make(map[string]string)
	for _, e := range project.Exprs {
		if e.Expr.Op != expr.OpColumn {
			return nil, false
		}
		of[e.Name] = e.Expr.Name
	}
	has := make(map[string]bool)
	add := func(o plan.Order) {
		if o.Column = of[o.Column]; !has[o.Column] {
			below, has[o.Column] = append(below, o), true
		}
	}
	for _, o := range order {
		add(o)
	}
	for _, e := range project.Exprs {
		add(plan.Asc(e.Name))
	}
	return below, true
}

// firstOfProduct returns a product whose first rows in an order are those of n.
func (r *rewriting) firstOfProduct(n *plan.Node, order []plan.Order, first int64) *plan.Node {
	limited := *n
	limited.Inputs = nil
	for _, side := range n.Inputs {
		has := columnar.SetOf(r.columns(side))
		r.work.Do(1 + len(order)/8)
		own := columnar.Only(order, func(o plan.Order) bool { return has.Has(o.Column) })
		if isCross(side) {
			side = r.firstOfProduct(side, own, first)
		}
		if _, most := side.Rows(); most > max(first, 1) {
			side = side.Top(first, own...)
		}
		limited.Inputs = append(limited.Inputs, side)
	}
	return &limited
}
