package bind

import (
	"cmp"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/sql"
)

// percentile binds a condition that keeps the rows at or above a quantile of a column:
//
//	FROM t WHERE x >= (SELECT quantile_cont(x, 0.9) FROM t)
//
// A single operator does that and reads its rows once. ok is false for other conditions, and
// for decimals, whose quantile is exact before it is rounded, which the operator's is not.
func (in *inputs) percentile(e *sql.Expr, from *sql.From, s *scope) (ok bool) {
	if from == nil || s.outer != nil || e.Kind != sql.Binary || e.Text != ">=" || len(from.Path) != 1 || e.Args[0].Kind != sql.Column {
		return false
	}
	call := quantileOf(e.Args[1], from.Path[0])
	if call == nil || !strings.EqualFold(call.Args[0].Path[len(call.Args[0].Path)-1], e.Args[0].Path[len(e.Args[0].Path)-1]) {
		return false
	}
	f, err := s.resolve(e.Args[0])
	if err != nil || f.typ != columnar.Int && f.typ != columnar.Float {
		return false
	}
	var q float64
	if err := in.b.Attempt(func() { q = in.b.quantile(call) }); err != nil || q < 0 {
		return false // binding the query itself reports the mistake
	}
	in.rels[0].node = in.rels[0].node.AtPercentile(f.column, q)
	return true
}

// quantileOf returns the call of a query that is just a quantile of a column of a whole table,
// nil for other queries.
func quantileOf(e *sql.Expr, table string) *sql.Expr {
	if e.Kind != sql.Subquery || e.Query.Select == nil || e.Query.Select.From == nil || len(e.Query.Select.Items) != 1 {
		return nil
	}
	call, from := e.Query.Select.Items[0].Expr, e.Query.Select.From
	if call.Kind != sql.Call || call.Text != "quantile_cont" || len(call.Args) != 2 || call.Args[0].Kind != sql.Column ||
		len(from.Path) != 1 || !strings.EqualFold(from.Path[0], table) {
		return nil
	}
	of := call.Args[0].Path[:len(call.Args[0].Path)-1]
	if name := cmp.Or(from.Alias, from.Path[0]); len(of) > 1 || len(of) == 1 && !strings.EqualFold(of[0], name) {
		return nil
	}
	plain := &sql.Expr{Kind: sql.Call, Text: call.Text, Args: call.Args}
	whole := &sql.Query{Select: &sql.Select{
		Items: []sql.Item{{Expr: plain, Alias: e.Query.Select.Items[0].Alias}}, From: &sql.From{Path: from.Path, Alias: from.Alias},
	}}
	if e.String() != (&sql.Expr{Kind: sql.Subquery, Query: whole}).String() { // it has other clauses
		return nil
	}
	return call
}
