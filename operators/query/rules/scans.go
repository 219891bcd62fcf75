package rules

import "analyzer/operators/query/plan"

// nameScans puts a projection above each scan that gives columns other names.
func nameScans(_ *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		if m.Op == plan.Scan && len(m.Exprs) > 0 {
			exprs := m.Exprs
			m.Exprs = nil
			return m.Project(exprs...)
		}
		return m
	})
}
