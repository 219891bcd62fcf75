package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// pushFilters moves each condition down as far as possible, so that the remaining filters of a
// scan are right above it. It also moves projections below a union, where the rows are not yet
// on one replica.
func pushFilters(r *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		if m.Op == plan.Project && m.Inputs[0].Op == plan.Union {
			return eachInput(m.Inputs[0], func(in *plan.Node) *plan.Node { return in.Project(m.Exprs...) })
		}
		if m.Op != plan.Filter {
			return m
		}
		return r.pushInto(expr.Conjuncts(m.Where), m.Inputs[0])
	})
}

// pushInto puts conditions on a node, or as far below it as each can go. It copies nodes instead of
// changing them, since they may be shared.
func (r *rewriting) pushInto(all []*expr.Expr, n *plan.Node) *plan.Node {
	if all = once(all); len(all) == 0 {
		return n
	}
	r.work.Do(len(all) * (1 + len(n.Exprs)/64))
	if n.Op == plan.Union {
		return eachInput(n, func(in *plan.Node) *plan.Node { return r.pushInto(all, in) })
	}
	var here []*expr.Expr
	below := make([][]*expr.Expr, len(n.Inputs))
	for _, c := range all {
		if c, input := r.pushed(c, n); input < 0 {
			here = append(here, c)
		} else {
			below[input] = append(below[input], expr.Conjuncts(c)...)
		}
	}
	if len(here) < len(all) {
		m := *n
		m.Inputs = slices.Clone(n.Inputs)
		for i, conditions := range below {
			m.Inputs[i] = r.pushInto(conditions, n.Inputs[i])
		}
		n = &m
	}
	if len(here) == 0 {
		return n
	}
	return n.Filter(expr.Conjoin(here).Fold())
}

// once returns conditions without those that hold anyway or stand among them before.
func once(all []*expr.Expr) []*expr.Expr {
	seen := make(map[string]bool, len(all))
	return columnar.Only(all, func(c *expr.Expr) bool {
		text := c.String()
		again := seen[text]
		seen[text] = true
		return !again && !c.IsBool(true)
	})
}

// pushed returns the input of a node below which a condition can go, and the condition in terms
// of the columns there; the input is -1 if the condition must stay above the node.
func (r *rewriting) pushed(c *expr.Expr, n *plan.Node) (below *expr.Expr, input int) {
	columns := c.Columns()
	switch n.Op {
	case plan.Filter:
		return c, 0
	case plan.Project: // which may have made a column of constants
		return n.Below(c).Fold(), 0
	case plan.Unnest:
		if !slices.ContainsFunc(columns, columnar.SetOf(plan.ItemColumns(n.Lists)).Has) {
			return c, 0
		}
	case plan.Aggregate, plan.Window: // columns by which groups and partitions are dropped as a whole
		if len(columns) > 0 && columnar.SetOf(n.Keys).HasAll(columns) && c.TakesAlike(r.floats(columns, n.Inputs[0])) {
			return c, 0
		}
	case plan.Join:
		return c, r.sideOf(columns, n)
	}
	return c, -1
}

// floats returns those of a node's columns that hold floats, of which -0 and 0 are one key.
func (r *rewriting) floats(columns []string, n *plan.Node) []string {
	schema, err := r.schemas.Of(n)
	if err != nil {
		return columns // the plan is wrong, and will be refused
	}
	return columnar.Only(columns, func(name string) bool {
		i := schema.Index(name)
		return i < 0 || schema[i].Type.Holds(columnar.Float)
	})
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
func (r *rewriting) sideOf(columns []string, n *plan.Node) int {
	build := r.columns(n.Inputs[0])
	own := columnar.Only(columns, func(name string) bool { return slices.Contains(build, name) }) // faster than a set, for the few columns of a condition
	// Rows that come from one side only have nulls for the other side. A condition on that
	// other side must still see them.
	if !n.Kind.KeepsProbe() && len(own) == len(columns) {
		return 0
	}
	if !n.Kind.KeepsBuild() && len(own) == 0 {
		return 1
	}
	return -1
}
