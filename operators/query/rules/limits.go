package rules

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// limitProducts takes the first rows of both sides of a product of which only the first rows are wanted. A row of one
// side before which there are as many rows as are wanted is in no row of the answer: beside any row of the other side
// these stand before it. Sort compares all columns, so that the columns of one side alone say which of its rows stand
// before others.
func limitProducts(r *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		if m.Op != plan.Sort || m.Limit == nil {
			return m
		}
		in, order, first := m.Inputs[0], m.Order, m.Offset+*m.Limit
		if in.Op == plan.Project {
			copied, ok := orderBelow(in, order)
			if limited := r.firstOfProduct(in.Inputs[0], copied, first); ok && limited != in.Inputs[0] {
				m.Inputs = []*plan.Node{limited.Project(in.Exprs...)}
			}
			return m
		}
		m.Inputs = []*plan.Node{r.firstOfProduct(in, order, first)}
		return m
	})
}

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
	add := func(o plan.Order) {
		o.Column = of[o.Column]
		if !slices.ContainsFunc(below, func(b plan.Order) bool { return b.Column == o.Column }) {
			below = append(below, o)
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

// firstOfProduct returns a product whose first rows in an order are those of n, and n if it is no product.
func (r *rewriting) firstOfProduct(n *plan.Node, order []plan.Order, first int64) *plan.Node {
	if n.Op != plan.Join || n.Kind != plan.Inner || len(n.On) > 0 {
		return n
	}
	r.work.Do(1)
	limited := *n
	limited.Inputs = nil
	for _, side := range n.Inputs {
		columns := r.columns(side)
		own := slices.DeleteFunc(slices.Clone(order), func(o plan.Order) bool { return !slices.Contains(columns, o.Column) })
		if side = r.firstOfProduct(side, own, first); !side.OneRow() && !isFirst(side, first) {
			side = side.Top(first, own...)
		}
		limited.Inputs = append(limited.Inputs, side)
	}
	return &limited
}

// isFirst reports whether a plan has no more rows than are wanted.
func isFirst(n *plan.Node, rows int64) bool {
	return n.Op == plan.Sort && n.Limit != nil && *n.Limit <= rows
}
