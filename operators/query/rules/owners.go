package rules

import (
	"slices"

	"analyzer/operators/expr"
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
