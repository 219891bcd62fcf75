package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// comparedRows binds whether some row of a query compares with an outer value as the query
// requires. If any row does, the least or the greatest does.
func (s *scope) comparedRows(in *inner) *expr.Expr {
	c := in.compared
	s.queries.add(in.rel.node, in, in.value...)
	return scalar.SomeCompare(c.op, s.b.columnOf(in.value[0], c.outer.At), s.b.columnOf(in.value[1], c.outer.At), c.outer)
}

// quantified binds a comparison with ANY or ALL rows of a query. ALL is
// bound as NOT ANY of the opposite comparison.
func (s *scope) quantified(e *sql.Expr) scalar.Value {
	op, all := scalar.ComparedBy(e)
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
	if f.typ == columnar.Bool {
		panic(sql.UnsupportedTypes(e.At, "", "conditions with "+e.Text+" of "+scalar.TypeName(f.typ)))
	}
	node := in.rel.node
	least, greatest := s.b.hidden(s.b.Unique("least"), f.typ), s.b.hidden(s.b.Unique("greatest"), f.typ)
	rows, values := in.counted(s.queries, node, f.column, least, greatest)
	is := scalar.SomeCompare(expr.Op(op).Mirrored(), s.b.columnOf(least, e.Query.At), s.b.columnOf(greatest, e.Query.At), v)
	return scalar.Truth(scalar.Not(scalar.WithNulls(is, v.Expr, rows, values), all))
}

// counted adds a join that gives, for the keys of a query, how many rows it has and how many of
// them have a value; ends, if given, are its least and greatest one. The key columns get
// new names, since another join may use the same keys.
func (in *inner) counted(q *subqueries, node *plan.Node, value string, ends ...field) (rows, values *expr.Expr) {
	gives := append([]field{in.b.hidden(in.b.Unique("rows"), columnar.Int), in.b.hidden(in.b.Unique("values"), columnar.Int)}, ends...)
	aggs := []plan.Agg{{Func: plan.Count}, {Func: plan.Count, Args: []string{value}}}
	if len(ends) > 0 {
		aggs = append(aggs, extremes(value, ends[0], ends[1])...)
	}
	var columns []plan.Named
	for i, f := range gives {
		aggs[i].Name = f.column
		columns = append(columns, plan.As(f.column, expr.Col(f.column)))
	}
	by := *in
	by.keys = nil
	for _, k := range in.keys {
		name := in.b.Unique("key")
		by.keys, columns = append(by.keys, name), append(columns, plan.As(name, expr.Col(k)))
	}
	q.add(node.Aggregate(in.keys, aggs...).Project(columns...), &by, gives...)
	return expr.Col(gives[0].column), expr.Col(gives[1].column)
}

// extremes are the least and the greatest value of a column, of lists and the like as the values of such rows.
func extremes(column string, least, greatest field) []plan.Agg {
	low, high, args := plan.Min, plan.Max, []string{column}
	if t := least.typ; t.Item() != columnar.Invalid || t.IsNested() {
		low, high, args = aggregate.ArgMin, aggregate.ArgMax, []string{column, column}
	}
	return []plan.Agg{{Func: low, Args: args, Name: least.column}, {Func: high, Args: args, Name: greatest.column}}
}

// inQuery binds IN with a query, with SQL's rules for nulls. As in DuckDB, a row of which a value is null counts as
// null altogether.
func (s *scope) inQuery(e *sql.Expr) scalar.Value {
	if s.isValue(e) {
		return s.compareValue("=", e)
	}
	sought := columnar.Each(soughtRow(e), s.expr)
	in := s.inner(e.Query, len(sought))
	keys := len(in.keys)
	found := *in
	found.lookUp("in", plan.Cols(in.keys...), s.b.against(sought, in.value), e.Query.At)
	m := s.b.mark(in.rel.node, found.keys)
	s.queries.add(m.node, &found, s.b.hidden(m.column, columnar.Bool))
	node, value := in.rel.node, found.keys[keys]
	if len(sought) > 1 {
		value = s.b.hidden(s.b.Unique("whole"), columnar.Bool).column
		all := columnar.Each(found.keys[keys:], expr.Col)
		node = node.Project(append(plan.Cols(in.keys...), plan.As(value, unlessAnyNull(all)))...)
	}
	rows, values := in.counted(s.queries, node, value)
	is := scalar.WithNulls(expr.Not(expr.IsNull(expr.Col(m.column))), unlessAnyNull(found.outer[keys:]), rows, values)
	return scalar.Truth(scalar.Not(is, e.Not))
}

// unlessAnyNull is null where any value is.
func unlessAnyNull(values []*expr.Expr) *expr.Expr {
	if len(values) == 1 {
		return values[0]
	}
	return expr.If(expr.Or(columnar.Each(values, expr.IsNull)...), expr.Null(columnar.Bool), expr.Bool(true))
}

// soughtRow returns what each row of a query is compared with: the values of a row in parentheses, or the expression
// itself, as it also is where the query gives such rows as values.
func soughtRow(e *sql.Expr) []*sql.Expr {
	if row := e.Args[0]; isRow(row) && !givesRows(e.Query) {
		return row.Args
	}
	return e.Args[:1]
}

// givesRows reports whether the only column of a query is written as a row.
func givesRows(q *sql.Query) bool {
	switch {
	case q.Op != sql.NoSetOp:
		return givesRows(q.Left)
	case q.Select != nil:
		return len(q.Select.Items) == 1 && isRow(q.Select.Items[0].Expr)
	}
	return len(q.Values) > 0 && len(q.Values[0]) == 1 && isRow(q.Values[0][0])
}

// isRow reports whether an expression is written as a row: (a, b) or row(a, b).
func isRow(e *sql.Expr) bool { return e.Kind == sql.Tuple || e.Kind == sql.Call && e.Text == "row" }
