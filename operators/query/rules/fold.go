package rules

import "analyzer/operators/query/plan"

// fold replaces constant expressions by their values.
func fold(_ *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		if m.Where != nil {
			m.Where = m.Where.Fold()
		}
		for i := range m.Exprs {
			m.Exprs[i].Expr = m.Exprs[i].Expr.Fold()
		}
		return m
	})
}
