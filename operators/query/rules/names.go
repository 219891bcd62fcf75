package rules

import (
	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Fresh makes a name, like the given one, that no other column of the plan has, for a column
// with the values of an expression; nil for one whose type nobody asks for.
type Fresh func(like string, of *expr.Expr) string

// newNames returns what makes names that no column of a plan has.
func newNames(work *budget.Work, root *plan.Node, tables plan.Tables) Fresh {
	var names columnar.Names
	p := newPlans(work, tables, nil, nil)
	for _, n := range root.All() {
		switch n.Op {
		case plan.Scan, plan.Project, plan.Aggregate, plan.Window, plan.Unnest: // all others pass columns on
			for _, name := range p.columns(n) {
				names.Take(name)
			}
		}
	}
	return func(like string, _ *expr.Expr) string { return names.New(like) }
}
