package scalar

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// SomeCompare returns the condition that any of several values compares with another value. It
// needs only the least and the greatest of them: if any value does, one of these two does.
func SomeCompare(op expr.Op, least, greatest, with Value) *expr.Expr {
	var is []*expr.Expr
	for i, end := range []Value{least, greatest} {
		if i == 0 && (op == ">" || op == ">=") || i == 1 && (op == "<" || op == "<=") {
			continue
		}
		is = append(is, Compare(op, end, with))
	}
	return expr.If(expr.Or(is...), expr.Bool(true), expr.Bool(false))
}

// quantified binds a comparison with ANY or ALL items of a list.
func bindQuantified(s *Scope, e *sql.Expr) Value {
	op, all := ComparedBy(e)
	return Truth(Not(someItem(s, op, e), all))
}

// ComparedBy returns the comparison of ANY or ALL. ALL is NOT ANY of the opposite comparison.
func ComparedBy(e *sql.Expr) (op string, all bool) {
	opposite := map[string]string{"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
	if op, all = strings.CutSuffix(e.Text, " ALL"); all {
		return opposite[op], true
	}
	return strings.TrimSuffix(op, " ANY"), false
}

// someItem returns the condition that a value compares with any item of a list. A null list has
// no items. The items of a list literal may have different types.
func someItem(s *Scope, op string, e *sql.Expr) *expr.Expr {
	v := s.Expr(e.Args[0])
	if written := e.Args[1]; written.Kind == sql.List || written.Kind == sql.Null {
		if len(written.Args) == 0 {
			return expr.Bool(false)
		}
		return expr.Or(columnar.Each(written.Args, func(item *sql.Expr) *expr.Expr { return Compare(expr.Op(op), v, s.Expr(item)) })...)
	}
	list := s.ListOf(e.Args[1])
	var is *expr.Expr
	if op == "=" {
		is = expr.ListContains(list.Expr, v.As(list.Type.Item()))
	} else {
		is = SomeCompare(expr.Op(op).Mirrored(), list.first(false), list.first(true), v)
	}
	return WithNulls(is, v.Expr, expr.Len(list.Expr), expr.Call(expr.OpListCount, list.Expr))
}

// WithNulls gives a condition on any of so many rows SQL's result for nulls. It is true where is
// is; otherwise false if there are no rows, null if the value is null or some row has no value,
// and false if not.
func WithNulls(is, value, rows, values *expr.Expr) *expr.Expr {
	none := expr.Eq(expr.Coalesce(rows, expr.Int(0)), expr.Int(0))
	unknown := expr.Or(expr.IsNull(value), expr.Lt(values, rows))
	return expr.If(is, expr.Bool(true), expr.If(none, expr.Bool(false), expr.If(unknown, expr.Null(columnar.Bool), expr.Bool(false))))
}

// rows binds (a, b) = (c, d), <> and IN ((c, d), …). As in DuckDB, two nulls are equal here.
func bindRows(s *Scope, e *sql.Expr) Value {
	any := columnar.Each(e.Args[1:], func(other *sql.Expr) *expr.Expr { return sameRow(s, e.Args[0], other) })
	return Truth(Not(expr.Or(any...), e.Not || e.Text == "<>"))
}

// sameRow returns the condition that two rows are equal, value by value, where nulls are equal.
func sameRow(s *Scope, x, y *sql.Expr) *expr.Expr {
	if y.Kind != sql.Tuple || len(x.Args) != len(y.Args) {
		panic(sql.Wrong(y.At, "", "a row of %d values is needed, as the one that it is compared with", len(x.Args)))
	}
	var all []*expr.Expr
	for i, v := range x.Args {
		all = append(all, bindIs(s, &sql.Expr{Kind: sql.IsDistinct, Not: true, Args: []*sql.Expr{v, y.Args[i]}, At: y.At}).Expr)
	}
	return expr.And(all...)
}
