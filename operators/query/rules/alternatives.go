package rules

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// mostAlternatives bounds how many joins one product becomes.
const mostAlternatives = 8

// divideAlternatives makes joins of a product of which a condition asks for one equality or another, as in
// a.mail = b.mail OR a.phone = b.phone: one join for each way in which rows may belong together, of pairs for which
// none of the ways before it is true.
func divideAlternatives(r *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		conditions := expr.Conjuncts(m.Where)
		if !slices.ContainsFunc(conditions, func(c *expr.Expr) bool { return c.Op == expr.OpOr }) {
			return m
		}
		s, ok := r.productBelow(m)
		if !ok || slices.ContainsFunc(conditions, s.equates) {
			return m
		}
		for i, c := range conditions {
			if ways := expr.Disjuncts(c); s.areJoins(ways) {
				return eachWay(m.Inputs[0], ways, slices.Delete(slices.Clone(conditions), i, i+1), r.columns(m))
			}
		}
		return m
	})
}

// areJoins reports whether rows can be joined in each of several ways.
func (s *sides) areJoins(ways []*expr.Expr) bool {
	return len(ways) > 1 && len(ways) <= mostAlternatives && !slices.ContainsFunc(ways, func(way *expr.Expr) bool {
		return !slices.ContainsFunc(expr.Conjuncts(way), s.equates)
	})
}

// eachWay unites the rows of a product for which all others and one of several ways are true.
func eachWay(product *plan.Node, ways, others []*expr.Expr, columns []string) *plan.Node {
	var branches []*plan.Node
	for i, way := range ways {
		where := slices.Concat(expr.Conjuncts(way), others)
		for _, before := range ways[:i] {
			where = append(where, expr.If(before, expr.Bool(false), expr.Bool(true)))
		}
		join := *product
		branches = append(branches, join.Filter(expr.Conjoin(where)).Select(columns...))
	}
	return plan.UnionAll(branches...)
}
