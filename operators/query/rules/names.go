package rules

import (
	"fmt"

	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Fresh makes a name, like the given one, that no other column of the plan has, for a column
// with the values of an expression; nil for one whose type nobody asks for.
type Fresh func(like string, of *expr.Expr) string

// newNames returns what makes names that no column of a plan has.
func newNames(work *budget.Work, root *plan.Node, tables plan.Tables) Fresh {
	taken, last := make(map[string]bool), make(map[string]int)
	p := newPlans(work, tables, nil, nil)
	for _, n := range below(root, make(map[*plan.Node]bool), nil) {
		switch n.Op {
		case plan.Scan, plan.Project, plan.Aggregate, plan.Window, plan.Unnest: // all others pass columns on
			for _, name := range p.columns(n) {
				taken[name] = true
			}
		}
	}
	return func(like string, _ *expr.Expr) string {
		name := like
		for taken[name] {
			n := max(last[like], 1) + 1
			last[like], name = n, fmt.Sprintf("%s_%d", like, n)
		}
		taken[name] = true
		return name
	}
}
