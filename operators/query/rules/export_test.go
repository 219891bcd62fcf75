package rules

import "analyzer/operators/query/plan"

// Apply applies one rule to a plan over tables.
func (r Rule) Apply(root *plan.Node, tables plan.Tables) *plan.Node {
	return r.rewrite(newRewriting(nil, tables), root)
}
