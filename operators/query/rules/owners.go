package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Owners are the inputs of a join that have columns, by the names of these.
type Owners map[string]int

// Of returns the inputs whose columns an expression reads.
func (o Owners) Of(e *expr.Expr) []int {
	var of []int
	for _, c := range e.Columns() {
		if input, ok := o[c]; ok {
			of = append(of, input)
		}
	}
	slices.Sort(of)
	return slices.Compact(of)
}

// Equates returns the inputs between which a condition is an equality; ok is false for other conditions.
func (o Owners) Equates(c *expr.Expr) (a, b int, ok bool) {
	if c.Op != expr.OpEq {
		return 0, 0, false
	}
	x, y := o.Of(c.Args[0]), o.Of(c.Args[1])
	if len(x) != 1 || len(y) != 1 || x[0] == y[0] {
		return 0, 0, false
	}
	return x[0], y[0], true
}

// isEdge reports whether a condition is an equality between two inputs of a join, by which rows can be joined.
func (r *rewriting) isEdge(c *expr.Expr, inputs []*plan.Node, owner Owners) bool {
	a, b, ok := owner.Equates(c)
	return ok && r.typeOf(c.Args[0], inputs[a]) == r.typeOf(c.Args[1], inputs[b])
}

// typeOf returns the type of an expression over a node.
func (r *rewriting) typeOf(e *expr.Expr, n *plan.Node) columnar.Type {
	schema, err := r.schemas.Of(n)
	if err != nil {
		return columnar.Invalid // the check behind the rule says what is wrong
	}
	t, err := e.TypeOf(schema.Lookup().Only(e.Columns()))
	if err != nil {
		return columnar.Invalid
	}
	return t
}
