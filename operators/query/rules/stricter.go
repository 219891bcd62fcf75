package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// stricter turns outer joins below a filter into inner ones where its conditions hold for no row
// without a partner: they are null or false if the columns of the side that need not have one are
// null. So joins with values of queries can be ordered, and such values are keys by which tables are
// read. What is read elsewhere too stays as it is, since it is computed once.
func (o *ordering) stricter(n *plan.Node) *plan.Node {
	if !o.hasOuter || n.Op != plan.Filter {
		return n
	}
	return o.under(nil, n)
}

// under is stricter for a node below some conditions.
func (o *ordering) under(where []*expr.Expr, n *plan.Node) *plan.Node {
	o.work.Do(1 + len(where)/8)
	m := *n
	m.Inputs = slices.Clone(n.Inputs)
	switch {
	case n.Op == plan.Filter:
		where = slices.Concat(where, expr.Conjuncts(n.Where))
	case n.Op == plan.Project && copies(n):
		where = slices.Clone(where)
		for i, c := range where {
			where[i] = n.Below(c)
		}
	case n.Op == plan.Join && n.Kind != plan.Full:
		if n.Kind != plan.Inner && len(n.On) > 0 && o.rejects(where, n) {
			m = *o.inner(n)
		}
	default:
		return n
	}
	for i, in := range m.Inputs {
		kept := n.Op != plan.Join || m.Kind == plan.Inner || (i == 0) == m.Kind.KeepsBuild()
		if kept && o.readers[in] <= 1 {
			m.Inputs[i] = o.under(o.within(where, in), in)
		}
	}
	return &m
}

// within returns the conditions that read nothing but columns of a node.
func (o *ordering) within(where []*expr.Expr, n *plan.Node) []*expr.Expr {
	if len(where) == 0 {
		return nil
	}
	all := o.columns(n)
	o.work.Do(1 + len(all)/8)
	has := columnar.SetOf(all)
	return columnar.Only(where, func(c *expr.Expr) bool { return has.HasAll(c.Columns()) })
}

// rejects reports whether one of some conditions is true for no row of a left or right join that has
// no partner.
func (o *ordering) rejects(where []*expr.Expr, join *plan.Node) bool {
	side := join.Inputs[1]
	if join.Kind == plan.Right {
		side = join.Inputs[0]
	}
	schema, err := o.schemas.Of(side)
	if err != nil {
		return false // the check behind the rule says what is wrong
	}
	columns := schema.Lookup()
	null := func(name string) *expr.Expr {
		if i := columns.Index(name); i >= 0 {
			return expr.Null(schema[i].Type)
		}
		return nil
	}
	return slices.ContainsFunc(where, func(c *expr.Expr) bool {
		c = c.Rename(null).Fold()
		return c.Op == expr.OpLiteral && !c.IsBool(true)
	})
}

// inner is an outer join as an inner one, with the same columns.
func (o *ordering) inner(n *plan.Node) *plan.Node {
	columns := plan.Cols(o.columns(n.Inputs[1])...)
	on := make([]plan.Pair, len(n.On))
	for i, p := range n.On { // an inner join drops the keys of its probe side
		on[i] = plan.On(p.Build, o.fresh(p.Probe, nil))
		columns = append(columns, plan.As(on[i].Probe, expr.Col(p.Probe)))
	}
	return n.Inputs[0].Join(n.Inputs[1].Project(columns...), on...)
}
