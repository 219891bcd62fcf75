package planner

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/plan"
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
		out := m.Inputs[0]
		for _, c := range expr.Conjuncts(m.Where) {
			if c.IsBool(true) {
				continue
			}
			out = p.push(c, out)
		}
		return out
	})
}

// push puts one condition on a node or below it. It copies nodes instead of changing them,
// since they may be shared.
func (p *planner) push(c *expr.Expr, n *plan.Node) *plan.Node {
	below := func(input int, c *expr.Expr) *plan.Node {
		m := *n
		m.Inputs = slices.Clone(n.Inputs)
		m.Inputs[input] = p.push(c, n.Inputs[input])
		return &m
	}
	columns := c.Columns()
	switch n.Op {
	case plan.Filter:
		return below(0, c)
	case plan.Project:
		return below(0, c.Rename(func(name string) *expr.Expr {
			for _, e := range n.Exprs {
				if e.Name == name {
					return e.Expr
				}
			}
			return expr.Col(name)
		}))
	case plan.Unnest:
		if !slices.Contains(columns, n.As) {
			return below(0, c)
		}
	case plan.Aggregate, plan.Window: // columns by which groups and partitions are dropped as a whole
		if len(columns) > 0 && subset(columns, n.Keys) {
			return below(0, c)
		}
	case plan.Join:
		return p.pushJoin(c, columns, n, below)
	case plan.Union:
		return eachInput(n, func(in *plan.Node) *plan.Node { return p.push(c, in) })
	}
	return n.Filter(c)
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

func (p *planner) pushJoin(c *expr.Expr, columns []string, n *plan.Node,
	below func(int, *expr.Expr) *plan.Node,
) *plan.Node {
	build := p.schema(n.Inputs[0])
	// Rows that come from one side only have nulls for the other side. A condition on that
	// other side must still see them.
	if !n.Kind.KeepsProbe() && subset(columns, build.Names()) {
		return below(0, c)
	}
	if !n.Kind.KeepsBuild() && !slices.ContainsFunc(columns, func(name string) bool { return build.Index(name) >= 0 }) {
		return below(1, c)
	}
	return n.Filter(c)
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
