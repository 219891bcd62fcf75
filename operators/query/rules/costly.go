package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// boundCostly keeps rows that cannot matter away from a text model. In
//
//	aggregate(build join filter(costly, probe)) having count > T
//
// a group can only have more than T rows that pass the filter if it has more
// than T rows before it. So the groups are first counted without the filter.
// Before the filter runs, the probe side is joined with the keys of the groups
// that remain. That reads the probe side twice, which costs very little
// compared to the model.
func boundCostly(r *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		if m.Op != plan.Filter {
			return m
		}
		having, agg := m.Conditions()
		if agg.Op != plan.Aggregate || agg.Inputs[0].Op != plan.Join {
			return m
		}
		bound := slices.IndexFunc(having, func(c *expr.Expr) bool { return boundsCount(c, agg) })
		if bound < 0 {
			return m
		}
		join, ok := r.semiJoined(having[bound], agg)
		if !ok {
			return m
		}
		over := *agg
		over.Inputs = []*plan.Node{join}
		return over.Filter(expr.Conjoin(having))
	})
}

// boundsCount reports whether a condition requires many rows in a group.
func boundsCount(c *expr.Expr, agg *plan.Node) bool {
	if c.Op != expr.OpGt && c.Op != expr.OpGe || c.Args[0].Op != expr.OpColumn || c.Args[1].Op != expr.OpLiteral {
		return false
	}
	return slices.ContainsFunc(agg.Aggs, func(a plan.Agg) bool {
		return a.Func == plan.Count && len(a.Args) == 0 && a.Where == "" && a.Name == c.Args[0].Name
	})
}

// semiJoined returns the join below agg with its probe side restricted to the
// keys of the groups that meet the bound without costly filters.
func (r *rewriting) semiJoined(bound *expr.Expr, agg *plan.Node) (*plan.Node, bool) {
	join := agg.Inputs[0]
	if join.Kind != plan.Inner || len(join.On) != 1 || !slices.Contains(agg.Keys, join.On[0].Build) {
		return nil, false
	}
	visible := r.columns(join.Inputs[1])
	conditions, source := join.Inputs[1].ThroughCopies().Conditions()
	var cheap, costly []*expr.Expr
	for _, c := range conditions {
		if c.Cost() >= expr.Expensive {
			costly = append(costly, c)
		} else {
			cheap = append(cheap, c)
		}
	}
	if len(costly) == 0 {
		return nil, false
	}
	if len(cheap) > 0 {
		source = source.Filter(expr.Conjoin(cheap))
	}
	key, bounded := join.On[0], columnar.FreeName("bounded", slices.Concat(visible, r.columns(source)))
	counted := join.Inputs[0].Join(source.Select(visible...), key).Aggregate(agg.Keys, plan.Agg{Func: plan.Count, Name: bound.Args[0].Name})
	keys := counted.Filter(bound).Distinct(key.Build).Project(plan.As(bounded, expr.Col(key.Build)))
	probe := keys.Join(source.Filter(expr.Conjoin(costly)), plan.On(bounded, key.Probe)).
		Project(append(plan.Cols(columnar.Without(visible, []string{key.Probe})...), plan.As(key.Probe, expr.Col(bounded)))...)
	return join.Inputs[0].Join(probe, key), true
}
