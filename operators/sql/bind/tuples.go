package bind

import (
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

// rows binds (a, b) = (c, d), <> and IN ((c, d), …), in which values that are both null are the
// same, as in DuckDB.
func (b *binder) rows(e *sql.Expr, s *scope) typed {
	var any []*expr.Expr
	for _, other := range e.Args[1:] {
		any = append(any, b.sameRow(e.Args[0], other, s))
	}
	return truth(not(expr.Or(any...), e.Not || e.Text == "<>"))
}

// sameRow is whether the values of two rows are the same, pair by pair.
func (b *binder) sameRow(x, y *sql.Expr, s *scope) *expr.Expr {
	if y.Kind != sql.Tuple || len(x.Args) != len(y.Args) {
		panic(sql.Wrong(y.At, "", "a row of %d values is needed, as the one that it is compared with", len(x.Args)))
	}
	var all []*expr.Expr
	for i, v := range x.Args {
		all = append(all, b.is(&sql.Expr{Kind: sql.IsDistinct, Not: true, Args: []*sql.Expr{v, y.Args[i]}, At: y.At}, s).e)
	}
	return expr.And(all...)
}

// rowOf returns the values of what may be a row.
func rowOf(e *sql.Expr) []*sql.Expr {
	if e.Kind == sql.Tuple {
		return e.Args
	}
	return []*sql.Expr{e}
}
