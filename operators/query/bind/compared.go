package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// comparedRows binds whether some row of a query compares with an outer value as the query
// requires. If any row does, the least or the greatest does.
func (s *scope) comparedRows(in *inner) *expr.Expr {
	c := in.compared
	s.queries.add(in.rel.node, in, in.value...)
	return s.b.someCompare(c.op, s.b.columnOf(in.value[0], c.outer.at), s.b.columnOf(in.value[1], c.outer.at), c.outer)
}

// someCompare returns the condition that any of several values compares with another value. It
// needs only the least and the greatest of them: if any value does, one of these two does.
func (b *binder) someCompare(op expr.Op, least, greatest, with typed) *expr.Expr {
	var is []*expr.Expr
	for i, end := range []typed{least, greatest} {
		if i == 0 && (op == ">" || op == ">=") || i == 1 && (op == "<" || op == "<=") {
			continue
		}
		is = append(is, compare(op, end, with))
	}
	return expr.If(expr.Or(is...), expr.Bool(true), expr.Bool(false))
}

// quantified binds a comparison with ANY or ALL rows of a query or items of a list. ALL is
// bound as NOT ANY of the opposite comparison.
func (s *scope) quantified(e *sql.Expr) typed {
	opposite := map[string]string{"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
	op, all := strings.CutSuffix(e.Text, " ALL")
	if all {
		op = opposite[op]
	} else {
		op = strings.TrimSuffix(op, " ANY")
	}
	if e.Query == nil {
		return truth(not(s.someItem(op, e), all))
	}
	if s.isValue(e) {
		op, _, _ = strings.Cut(e.Text, " ")
		return s.compareValue(op, e)
	}
	if op == "=" {
		return s.inQuery(&sql.Expr{Kind: sql.In, At: e.At, Args: e.Args, Query: e.Query, Not: all})
	}
	v := s.expr(e.Args[0])
	in := s.inner(e.Query, 1)
	f := in.value[0]
	if f.typ == columnar.Bool || f.typ.Item() != columnar.Invalid {
		panic(sql.Unsupported(e.At, "", "conditions with "+e.Text+" of "+TypeName(f.typ)))
	}
	node := in.rel.node
	least, greatest := s.b.hidden(s.b.unique("least"), f.typ), s.b.hidden(s.b.unique("greatest"), f.typ)
	rows, values := in.counted(s.queries, node, f.column, least, greatest)
	is := s.b.someCompare(expr.Op(op).Mirrored(), s.b.columnOf(least, e.Query.At), s.b.columnOf(greatest, e.Query.At), v)
	return truth(not(withNulls(is, v.e, rows, values), all))
}

// someItem returns the condition that a value compares with any item of a list. A null list has
// no items. The items of a list literal may have different types.
func (s *scope) someItem(op string, e *sql.Expr) *expr.Expr {
	v := s.expr(e.Args[0])
	if written := e.Args[1]; written.Kind == sql.List || written.Kind == sql.Null {
		if len(written.Args) == 0 {
			return expr.Bool(false)
		}
		return expr.Or(each(written.Args, func(item *sql.Expr) *expr.Expr { return compare(expr.Op(op), v, s.expr(item)) })...)
	}
	list := s.listOf(e.Args[1])
	var is *expr.Expr
	if op == "=" {
		is = expr.ListContains(list.e, v.as(list.t.Item()))
	} else {
		is = s.b.someCompare(expr.Op(op).Mirrored(), list.first(false), list.first(true), v)
	}
	return withNulls(is, v.e, expr.Len(list.e), expr.Call(expr.OpListCount, list.e))
}

// counted adds a join that gives, for the keys of a query, how many rows it has and how many of
// them have a value; ends, if given, are the least and the greatest value. The key columns get
// new names, since another join may use the same keys.
func (in *inner) counted(q *subqueries, node *plan.Node, value string, ends ...field) (rows, values *expr.Expr) {
	gives := append([]field{in.b.hidden(in.b.unique("rows"), columnar.Int), in.b.hidden(in.b.unique("values"), columnar.Int)}, ends...)
	aggs := []plan.Agg{{Func: plan.Count}, {Func: plan.Count, Args: []string{value}}, {Func: plan.Min, Args: []string{value}}, {Func: plan.Max, Args: []string{value}}}[:len(gives)]
	var columns []plan.Named
	for i, f := range gives {
		aggs[i].Name = f.column
		columns = append(columns, plan.As(f.column, expr.Col(f.column)))
	}
	by := *in
	by.keys = nil
	for _, k := range in.keys {
		name := in.b.unique("key")
		by.keys, columns = append(by.keys, name), append(columns, plan.As(name, expr.Col(k)))
	}
	q.add(node.Aggregate(in.keys, aggs...).Project(columns...), &by, gives...)
	return expr.Col(gives[0].column), expr.Col(gives[1].column)
}

// withNulls gives a condition on any of so many rows SQL's result for nulls. It is true where is
// is; otherwise false if there are no rows, null if the value is null or some row has no value,
// and false if not.
func withNulls(is, value, rows, values *expr.Expr) *expr.Expr {
	none := expr.Eq(expr.Coalesce(rows, expr.Int(0)), expr.Int(0))
	unknown := expr.Or(expr.IsNull(value), expr.Lt(values, rows))
	return expr.If(is, expr.Bool(true), expr.If(none, expr.Bool(false), expr.If(unknown, expr.Null(columnar.Bool), expr.Bool(false))))
}

// inQuery binds IN with a query, with SQL's rules for nulls.
func (s *scope) inQuery(e *sql.Expr) typed {
	if s.isValue(e) {
		return s.compareValue("=", e)
	}
	v := s.expr(e.Args[0])
	in := s.inner(e.Query, 1)
	keys := len(in.keys)
	found := *in
	found.lookUp("in", plan.Cols(in.keys...), s.b.against([]typed{v}, in.value), e.Query.At)
	m := s.b.mark(in.rel.node, found.keys)
	s.queries.add(m.node, &found, s.b.hidden(m.column, columnar.Bool))
	rows, values := in.counted(s.queries, in.rel.node, found.keys[keys])
	is := withNulls(expr.Not(expr.IsNull(expr.Col(m.column))), found.outer[keys], rows, values)
	return truth(not(is, e.Not))
}

// rows binds (a, b) = (c, d), <> and IN ((c, d), …). As in DuckDB, two nulls are equal here.
func (s *scope) rows(e *sql.Expr) typed {
	any := each(e.Args[1:], func(other *sql.Expr) *expr.Expr { return s.sameRow(e.Args[0], other) })
	return truth(not(expr.Or(any...), e.Not || e.Text == "<>"))
}

// sameRow returns the condition that two rows are equal, value by value, where nulls are equal.
func (s *scope) sameRow(x, y *sql.Expr) *expr.Expr {
	if y.Kind != sql.Tuple || len(x.Args) != len(y.Args) {
		panic(sql.Wrong(y.At, "", "a row of %d values is needed, as the one that it is compared with", len(x.Args)))
	}
	var all []*expr.Expr
	for i, v := range x.Args {
		all = append(all, s.is(&sql.Expr{Kind: sql.IsDistinct, Not: true, Args: []*sql.Expr{v, y.Args[i]}, At: y.At}).e)
	}
	return expr.And(all...)
}

// rowOf returns the values of a row in parentheses, or the expression itself as the only one.
func rowOf(e *sql.Expr) []*sql.Expr {
	if e.Kind == sql.Tuple {
		return e.Args
	}
	return []*sql.Expr{e}
}
