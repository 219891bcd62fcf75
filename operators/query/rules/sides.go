package rules

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// sides are the two inputs of a product, and which of them each column comes from.
type sides struct {
	*rewriting
	of    []*plan.Node
	owner Owners
}

// productBelow returns the sides of the product right below a filter. ok is false if there is none, or if a side has one
// row at most, such as the value of a subquery: then there are as few pairs as rows.
func (r *rewriting) productBelow(n *plan.Node) (s sides, ok bool) {
	if n.Op != plan.Filter || !isCross(n.Inputs[0]) || slices.ContainsFunc(n.Inputs[0].Inputs, isOneRow) {
		return sides{}, false
	}
	s = sides{rewriting: r, of: slices.Clone(n.Inputs[0].Inputs), owner: make(Owners)}
	for side, in := range s.of {
		for _, c := range r.columns(in) {
			s.owner[c] = side
		}
	}
	return s, true
}

// isOneRow reports whether a plan has one row at most.
func isOneRow(n *plan.Node) bool {
	_, most := n.Rows()
	return most <= 1
}

// sideOf returns which side's columns an expression reads; a large number if it reads none, or those of both.
func (s *sides) sideOf(e *expr.Expr) int {
	if of := s.owner.Of(e); len(of) == 1 {
		return of[0]
	}
	return len(s.of)
}

// equates reports whether a condition is an equality between the sides, by which rows can be joined.
func (s *sides) equates(c *expr.Expr) bool { return s.isEdge(c, s.of, s.owner) }
