package physical

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// pushFilters moves each condition down as far as possible, so that the remaining filters of a
// scan are right above it. It also moves projections below a union, where the rows are not yet
// on one replica.
func (p *planner) pushFilters(n *plan.Node) *plan.Node {
	return n.Transform(func(m *plan.Node) *plan.Node {
		if m.Op == plan.Project && m.Inputs[0].Op == plan.Union {
			return eachInput(m.Inputs[0], func(in *plan.Node) *plan.Node { return in.Project(m.Exprs...) })
		}
		if m.Op != plan.Filter {
			return m
		}
		all := slices.DeleteFunc(expr.Conjuncts(m.Where), func(c *expr.Expr) bool { return c.IsBool(true) })
		return p.push(all, m.Inputs[0])
	})
}

// push puts conditions on a node, or as far below it as each can go. It copies nodes instead of
// changing them, since they may be shared.
func (p *planner) push(all []*expr.Expr, n *plan.Node) *plan.Node {
	if len(all) == 0 {
		return n
	}
	p.work.Do(len(all) * (1 + len(n.Exprs)/64))
	if n.Op == plan.Union {
		return eachInput(n, func(in *plan.Node) *plan.Node { return p.push(all, in) })
	}
	var here []*expr.Expr
	below := make([][]*expr.Expr, len(n.Inputs))
	for _, c := range all {
		if c, input := p.pushed(c, n); input < 0 {
			here = append(here, c)
		} else {
			below[input] = append(below[input], c)
		}
	}
	if len(here) < len(all) {
		m := *n
		m.Inputs = slices.Clone(n.Inputs)
		for i, conditions := range below {
			m.Inputs[i] = p.push(conditions, n.Inputs[i])
		}
		n = &m
	}
	if len(here) == 0 {
		return n
	}
	return n.Filter(expr.Conjoin(here))
}

// pushed returns the input of a node below which a condition can go, and the condition in terms
// of the columns there; the input is -1 if the condition must stay above the node.
func (p *planner) pushed(c *expr.Expr, n *plan.Node) (below *expr.Expr, input int) {
	columns := c.Columns()
	switch n.Op {
	case plan.Filter:
		return c, 0
	case plan.Project:
		return n.Below(c), 0
	case plan.Unnest:
		if !slices.Contains(columns, n.As) {
			return c, 0
		}
	case plan.Aggregate, plan.Window: // columns by which groups and partitions are dropped as a whole
		if len(columns) > 0 && subset(columns, n.Keys) {
			return c, 0
		}
	case plan.Join:
		return c, p.sideOf(columns, n)
	}
	return c, -1
}

// eachInput returns a copy of n with each input replaced by f's result.
func eachInput(n *plan.Node, f func(*plan.Node) *plan.Node) *plan.Node {
	m := *n
	m.Inputs = make([]*plan.Node, len(n.Inputs))
	for i, in := range n.Inputs {
		m.Inputs[i] = f(in)
	}
	return &m
}

// sideOf returns the side of a join that a condition on columns can go to, -1 if there is none.
func (p *planner) sideOf(columns []string, n *plan.Node) int {
	build := p.schema(n.Inputs[0])
	// Rows that come from one side only have nulls for the other side. A condition on that
	// other side must still see them.
	if !n.Kind.KeepsProbe() && subset(columns, build.Names()) {
		return 0
	}
	if !n.Kind.KeepsBuild() && !slices.ContainsFunc(columns, func(name string) bool { return build.Index(name) >= 0 }) {
		return 1
	}
	return -1
}

// subset reports whether all contains every element of some.
func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// filtersOf takes the filters off a node.
func filtersOf(n *plan.Node) (conditions []*expr.Expr, below *plan.Node) {
	for n.Op == plan.Filter {
		conditions = append(conditions, expr.Conjuncts(n.Where)...)
		n = n.Inputs[0]
	}
	return conditions, n
}
