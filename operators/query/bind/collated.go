package bind

import (
	"slices"
	"strings"

	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// byCollations returns a query whose rows differ, and are ordered, by the collations of its columns. Only columns of
// the answer may have any: another query would compare them, by collations that plans do not know.
func byCollations(b *binder, q *sql.Query, items []*selected) *sql.Query {
	if q != b.whole || !slices.ContainsFunc(items, func(item *selected) bool { return isCollated(item.ast) }) {
		return q
	}
	out, of := *q, *q.Select
	out.Select, out.OrderAll = &of, nil
	for i, item := range items {
		item.collated = isCollated(item.ast)
		number := item.at.Number(i + 1)
		if q.Select.Distinct && q.Select.DistinctOn == nil {
			of.DistinctOn = append(of.DistinctOn, number)
		}
		if q.OrderAll != nil {
			key := *q.OrderAll
			key.Expr = number
			out.Order = append(out.Order, key)
		}
	}
	return &out
}

func isCollated(e *sql.Expr) bool { return e != nil && e.Kind == sql.Collate }

// shown returns what a column of SELECT shows: of texts that its collation takes for equal, the first of each group.
func (s *scope) shown(item *selected) *sql.Expr {
	if !item.collated {
		return item.ast
	}
	of := item.ast
	for isCollated(of) {
		of = of.Args[0]
	}
	g := s.groups
	if g == nil || len(g.keys) == 0 {
		return of
	}
	by, key := scalar.SortKey(item.ast), scalar.Value{}
	if s.b.Attempt(func() { key = g.in.expr(by) }) != nil || g.keyOf(key) < 0 {
		return of
	}
	some := &sql.Expr{Kind: sql.IsNull, Not: true, Args: []*sql.Expr{by}, At: item.at} // not where a grouping set leaves it out
	return item.at.Call("if", some, item.at.Call("first", of), &sql.Expr{Kind: sql.Null, At: item.at})
}

// collatedKey returns the column of SELECT that a key of GROUP BY names, if it has a collation, or else the key.
func (g *groups) collatedKey(e *sql.Expr) *sql.Expr {
	if e.Kind != sql.Column || len(e.Path) != 1 || len(g.in.named(e.Path)) > 0 {
		return e
	}
	if of := g.in.alias(strings.ToLower(e.Path[0])); isCollated(of) {
		return of
	}
	return e
}
