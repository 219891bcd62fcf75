package bind

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// subqueries are the queries within the expressions of a clause. Each becomes a
// relation that the rows of the clause are joined with, and a column of it that
// stands for its value.
type subqueries struct {
	with  *withs
	joins []subqueryJoin
	// bound are the values of queries, which are bound again where their alias stands, and of
	// aggregates in them that are calculated with behind the join.
	bound map[*sql.Expr]boundQuery
}

// boundQuery is what a query gives, which comes with the joins from a number on.
type boundQuery struct {
	typed
	at int
}

// subqueryJoin is the rows of a query that are looked up by keys.
type subqueryJoin struct {
	node  *plan.Node
	keys  []string     // columns of the node
	outer []*expr.Expr // what they equal
	gives []field
	bytes int64 // of the files that the node reads, as those of a relation
}

func newSubqueries(w *withs) *subqueries {
	return &subqueries{with: w, bound: make(map[*sql.Expr]boundQuery)}
}

// attach joins the rows of a relation with the queries that its expressions need,
// whose columns nobody else sees. Rows that seem few are kept, and the query is read past
// them, of which it then needs no others; otherwise they are read past the query's.
func (b *binder) attach(rel *relation, q *subqueries) {
	if len(q.joins) == 0 {
		return
	}
	left := share(rel.node)
	for _, j := range q.joins {
		node, on := b.keyed(rel, j.outer)
		rel.fields = append(slices.Clone(rel.fields), j.gives...)
		if len(on) > 0 && left*float64(rel.bytes) < share(j.node)*float64(j.bytes)/2 {
			rel.node = node.OuterJoin(plan.Left, j.node, pairsOf(on, j.keys)...).Project(rel.all()...)
		} else {
			rel.node = j.node.OuterJoin(plan.Right, node, pairsOf(j.keys, on)...).Project(rel.all()...)
		}
	}
}

// share is a guess at which part of its rows a plan leaves, going by its conditions alone:
// a tenth by each that names a value, and by each of the others a third.
func share(n *plan.Node) float64 {
	part := 1.0
	for i, in := range n.Inputs {
		switch {
		case n.Op == plan.Union && i > 0:
			part = max(part, share(in))
		case n.Op != plan.Join || n.Kind == plan.Inner || n.Kind == plan.Left && i == 0 || n.Kind == plan.Right && i == 1:
			part *= share(in)
		}
	}
	if n.Op != plan.Filter {
		return part
	}
	for _, c := range expr.Conjuncts(n.Where) {
		if c.Op == expr.OpEq && slices.ContainsFunc(c.Args, func(e *expr.Expr) bool { return e.Op == expr.OpLiteral }) {
			part /= 10
		} else {
			part /= 3
		}
	}
	return part
}

// usesHidden reports whether a condition reads what a query gives.
func usesHidden(e *expr.Expr, q *subqueries) bool {
	columns := e.Columns()
	read := func(f field) bool { return slices.Contains(columns, f.column) }
	return slices.ContainsFunc(q.joins, func(j subqueryJoin) bool { return slices.ContainsFunc(j.gives, read) })
}

// inner is a query within an expression, bound: its columns, and behind them those
// that equal expressions of the query around it.
type inner struct {
	rel   *relation
	value []field
	keys  []string
	outer []*expr.Expr
	// compared is a value of the query around it that is compared with the rows,
	// of which value holds the least and the greatest.
	compared *comparison
}

// comparison is a comparison of an inner expression with an outer one.
type comparison struct {
	op           string
	inner, outer *sql.Expr
}

// subquery binds an expression with a query in it.
func (b *binder) subquery(e *sql.Expr, s *scope) typed {
	if s.queries == nil {
		panic(sql.Unsupported(e.At, "Next: write it in SELECT, WHERE or HAVING.", "queries within this clause"))
	}
	at := len(s.queries.joins)
	var v typed
	switch e.Kind {
	case sql.Exists:
		v = b.exists(e, s)
	case sql.Subquery:
		v = b.scalar(e, s)
	case sql.Quantified:
		v = b.quantified(e, s)
	default:
		v = b.inQuery(e, s)
	}
	s.queries.bound[e] = boundQuery{v, at}
	return v
}

// forget takes back the joins from a number on.
func (q *subqueries) forget(from int) {
	if from == len(q.joins) {
		return
	}
	q.joins = q.joins[:from]
	maps.DeleteFunc(q.bound, func(_ *sql.Expr, v boundQuery) bool { return v.at >= from })
}

// add joins a relation by keys and returns its column.
func (q *subqueries) add(node *plan.Node, in *inner, gives ...field) {
	q.joins = append(q.joins, subqueryJoin{node: node, keys: in.keys, outer: in.outer, gives: gives, bytes: in.rel.bytes})
}

// hidden is a column that no name means.
func hidden(column string, t columnar.Type) field { return field{column: column, typ: t, merged: true} }

func (b *binder) exists(e *sql.Expr, s *scope) typed {
	in := b.inner(e.Query, s, 0)
	if in.compared != nil {
		is := b.comparedRows(in, s)
		return truth(not(is, e.Not))
	}
	m := b.mark(in.rel.node, in.keys)
	s.queries.add(m.node, in, hidden(m.column, columnar.Bool))
	return truth(not(expr.IsNull(expr.Col(m.column)), !e.Not))
}

// scalar binds a query as a value, which is null if it has no row.
func (b *binder) scalar(e *sql.Expr, s *scope) typed {
	single := isSingle(e.Query)
	if single && b.depends(e.Query, s) {
		return b.ofGroup(e.Query, s)
	}
	in := b.inner(e.Query, s, 1)
	if !single && !isOne(e.Query) {
		panic(sql.Unsupported(e.At, "Next: write an aggregate, or LIMIT 1.", "queries as values that may have several rows"))
	}
	f := in.value[0]
	s.queries.add(in.rel.node, in, hidden(f.column, f.typ))
	return columnOf(f, e.At)
}

// isSingle reports whether a query is one row of aggregates, whatever rows there are.
func isSingle(q *sql.Query) bool {
	s := q.Select
	return s != nil && len(s.GroupBy) == 0 && !s.GroupAll && len(s.Items) == 1 && hasAggregate(s.Items[0].Expr)
}

// isValue reports whether a condition compares with one value, of a query that depends on
// the one around it: there is one also where that finds no rows.
func (b *binder) isValue(e *sql.Expr, s *scope) bool {
	return len(rowOf(e.Args[0])) == 1 && isSingle(e.Query) && b.depends(e.Query, s)
}

// compareValue binds such a condition.
func (b *binder) compareValue(op string, e *sql.Expr, s *scope) typed {
	value := &sql.Expr{Kind: sql.Subquery, Query: e.Query, At: e.Query.At}
	is := b.expr(&sql.Expr{Kind: sql.Binary, Text: op, Args: []*sql.Expr{e.Args[0], value}, At: e.At}, s)
	return truth(not(is.e, e.Not))
}

// depends reports whether a query depends on the one around it.
func (b *binder) depends(q *sql.Query, s *scope) bool {
	return len(b.decorrelate(q, s, s.queries.with, 1).outer) > 0
}

// ofGroup binds what a single row makes of the rows that go with one of the query around
// it. There may be none, of which a count is 0, and other aggregates are null: so what is
// calculated with aggregates is calculated behind the join.
func (b *binder) ofGroup(of *sql.Query, s *scope) typed {
	value, at := of.Select.Items[0].Expr, len(s.queries.joins)
	behind := &scope{queries: s.queries, clause: "a calculation with aggregates of another query"}
	one := *of.Select
	one.Items = nil
	value.Walk(func(e *sql.Expr) bool {
		is := isAggregateCall(e)
		switch {
		case is:
			one.Items = append(one.Items, sql.Item{Expr: e})
		case e.Kind == sql.Column && attempt(func() { b.expr(e, behind) }) != nil:
			panic(notGrouped(e))
		}
		return !is
	})
	in := b.inner(&sql.Query{At: of.At, With: of.With, Select: &one}, s, len(one.Items))
	var gives []field
	for i, item := range one.Items {
		f := in.value[i]
		gives = append(gives, hidden(f.column, f.typ))
		v := columnOf(f, item.Expr.At)
		if name := item.Expr.Text; name == "count" || name == "approx_count_distinct" {
			v.e = expr.Coalesce(v.e, expr.Int(0))
		}
		s.queries.bound[item.Expr] = boundQuery{v, at}
	}
	s.queries.add(in.rel.node, in, gives...)
	return b.expr(value, behind)
}

// isOne reports whether a query has one row at most.
func isOne(q *sql.Query) bool {
	return q.Limit != nil && q.Limit.Kind == sql.Number && q.Limit.Text == "1" || q.Select != nil && q.Select.From == nil || len(q.Values) == 1
}

// inner binds a query within an expression, of which so many columns are asked for;
// 0 means that its rows alone count.
func (b *binder) inner(q *sql.Query, s *scope, columns int) *inner {
	w := s.queries.with
	d := b.decorrelate(q, s, w, columns)
	plain, correlated := d.query, d.outer
	rel := b.query(plain, w)
	fields := rel.fields
	if got := len(fields) - len(correlated); columns > 0 && got != columns {
		panic(sql.Wrong(q.At, "", "the query has %d columns in place of %d", got, columns))
	}
	out := &inner{rel: rel, compared: d.compared, value: fields[:len(fields)-len(correlated)]}
	out.lookUp(b, "key", (&relation{fields: out.value}).all(), b.values(correlated, s), fields[len(out.value):], q.At)
	return out
}

// lookUp makes columns of a query keys that equal some values, of types by which rows can be
// joined, and keeps these and others alone.
func (in *inner) lookUp(b *binder, name string, others []plan.Named, values []typed, columns []field, at sql.Span) {
	for i, v := range values {
		both := b.comparable(v, columnOf(columns[i], at))
		equal := ofOneType(both[0], both[1])
		key := b.unique(name)
		others = append(others, plan.As(key, equal[1]))
		in.keys, in.outer = append(in.keys, key), append(in.outer, equal[0])
	}
	in.rel.node = in.rel.node.Project(others...)
}

// decorrelated is a query without the conditions that depend on the one around it.
type decorrelated struct {
	query    *sql.Query
	inner    []*sql.Expr // the last columns of the query, and its keys if it has groups
	outer    []*sql.Expr // what they equal
	compared *comparison
}

// decorrelate takes the equalities with columns of the query around it out of a
// query, and out of one whose rows alone count one other comparison.
func (b *binder) decorrelate(q *sql.Query, s *scope, w *withs, columns int) decorrelated {
	d := decorrelated{query: q}
	if q.Select == nil || q.Select.From == nil {
		return d
	}
	fields := b.innerFields(q, w)
	is := &scope{fields: fields}
	var rest []*sql.Expr
	for _, c := range conjuncts(q.Select.Where, nil) {
		if !sideOf(c, is, s).outer {
			rest = append(rest, c)
			continue
		}
		x, ok := correlation(c, is, s)
		switch {
		case ok && x.op == "=":
			d.inner, d.outer = append(d.inner, x.inner), append(d.outer, x.outer)
		case ok && columns == 0 && d.compared == nil:
			d.compared = &x
		default:
			panic(sql.Unsupported(c.At, "Next: equalities beside others with AND may use them, and one comparison below EXISTS.", "conditions of an inner query with columns of the outer one"))
		}
	}
	if len(d.outer) == 0 && d.compared == nil {
		return d
	}
	return d.keyed(q, conjoin(rest), columns > 0)
}

// keyed makes the query with the inner sides of the conditions as columns.
func (d decorrelated) keyed(q *sql.Query, where *sql.Expr, value bool) decorrelated {
	one := *q.Select
	one.Where = where
	grouped := slices.ContainsFunc(one.Items, func(i sql.Item) bool { return hasAggregate(i.Expr) })
	switch {
	case value && slices.ContainsFunc(one.Items, func(i sql.Item) bool { return hasWindow(i.Expr) }):
		panic(sql.Unsupported(q.At, "", "window functions in a query that depends on the one around it"))
	case len(one.GroupBy) > 0 || one.GroupAll || one.Having != nil || one.Qualify != nil || len(one.DistinctOn) > 0,
		q.Limit != nil && !isOne(q), q.Offset != nil, grouped && !value:
		panic(sql.Unsupported(q.At, "Next: an inner query with an equality to the outer one can have an aggregate, or none, and conditions.",
			"groups and limits in a query that depends on the one around it"))
	}
	one.Items = slices.Clone(one.Items)
	if !value {
		one.Items = nil
	}
	if d.compared != nil {
		grouped = true
		for _, end := range []string{"min", "max"} {
			of := &sql.Expr{Kind: sql.Call, Text: end, Args: []*sql.Expr{d.compared.inner}, At: d.compared.inner.At}
			one.Items = append(one.Items, sql.Item{Expr: of})
		}
	}
	d.query = &sql.Query{At: q.At, With: q.With, Select: &one}
	for i, e := range d.inner {
		name := "\u200bkey" + strconv.Itoa(i) // which nobody else has
		one.Items = append(one.Items, sql.Item{Expr: e, Alias: name})
		switch {
		case grouped:
			one.GroupBy = append(one.GroupBy, e)
		case value && q.Limit != nil: // the first row for each of the query around it
			one.Distinct, one.DistinctOn = true, append(one.DistinctOn, &sql.Expr{Kind: sql.Column, Path: []string{name}, At: e.At})
			d.query.Order, d.query.OrderAll = q.Order, q.OrderAll
		}
	}
	return d
}

// innerFields are the columns that names within a query mean first.
func (b *binder) innerFields(q *sql.Query, w *withs) []field {
	for _, c := range q.With {
		rel := b.query(c.Query, w)
		w = w.with(c, rel)
	}
	var in inputs
	b.collect(q.Select.From, w, &in)
	return in.fields()
}

// side says whose columns an expression reads.
type side struct{ inner, outer bool }

func sideOf(e *sql.Expr, in, out *scope) (s side) {
	e.Walk(func(e *sql.Expr) bool {
		if e.Kind != sql.Column {
			return true
		}
		if _, err := in.resolve(e); err == nil || len(e.Path) == 1 && indexOf(in.fields, e.Path[0]) >= 0 {
			s.inner = true
		} else if _, err := out.resolve(e); err == nil {
			s.outer = true
		} else {
			s.inner = true // where it is told that there is none
		}
		return true
	})
	return s
}

// turnedComparison is a comparison with its sides in each other's place; "" if it is none.
func turnedComparison(op string) string {
	return map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
}

// correlation takes a comparison of the inner and the outer query apart.
func correlation(e *sql.Expr, in, out *scope) (comparison, bool) {
	turned := turnedComparison(e.Text)
	if e.Kind != sql.Binary || turned == "" {
		return comparison{}, false
	}
	x, y := sideOf(e.Args[0], in, out), sideOf(e.Args[1], in, out)
	switch {
	case x.inner && !x.outer && !y.inner:
		return comparison{e.Text, e.Args[0], e.Args[1]}, true
	case y.inner && !y.outer && !x.inner:
		return comparison{turned, e.Args[1], e.Args[0]}, true
	}
	return comparison{}, false
}

// semi adds the distinct keys of a query as a table that the rows are joined to, if
// the condition is that they are among them. So the scan knows the keys before it
// reads. ok is false for other conditions.
func (b *binder) semi(e *sql.Expr, s *scope, in *inputs) (ok bool) {
	if e.Not || e.Kind != sql.Exists && (e.Kind != sql.In || e.Query == nil || b.isValue(e, s)) {
		return false
	}
	var sought []*sql.Expr
	if e.Kind == sql.In {
		sought = rowOf(e.Args[0])
	}
	var wanted []typed
	for _, a := range sought {
		v := b.expr(a, s)
		if len(v.e.Columns()) == 0 || usesHidden(v.e, s.queries) {
			return false
		}
		wanted = append(wanted, v)
	}
	q := b.inner(e.Query, s, len(wanted))
	q.lookUp(b, "in", plan.Cols(q.keys...), wanted, q.value, e.Query.At)
	if len(q.keys) == 0 || q.compared != nil {
		return false
	}
	rel := &relation{node: q.rel.node.Select(q.keys...).Distinct(q.keys...), bytes: q.rel.bytes, semi: true}
	_, schema := ownersIn(&relation{fields: s.fields})
	for i, k := range q.keys {
		t, err := q.outer[i].TypeOf(schema)
		if err != nil {
			panic(sql.Wrong(e.At, "", "%v", err))
		}
		rel.fields = append(rel.fields, hidden(k, t))
		in.conditions = append(in.conditions, expr.Eq(q.outer[i], expr.Col(k)))
	}
	in.rels = append(in.rels, rel)
	return true
}

// percentile keeps the rows at or over a quantile of a column, if that is what the
// condition says:
//
//	FROM t WHERE x >= (SELECT quantile_cont(x, 0.9) FROM t)
//
// One operator does that, which reads its rows once. ok is false for other conditions, and for
// decimals, of which the quantile is one, with no more digits.
func (b *binder) percentile(e *sql.Expr, from *sql.From, s *scope, in *inputs) (ok bool) {
	if from == nil || e.Kind != sql.Binary || e.Text != ">=" || len(from.Path) != 1 || e.Args[0].Kind != sql.Column {
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
	if err := attempt(func() { q = b.quantile(call) }); err != nil {
		return false // which is said of the query by itself
	}
	in.rels[0].node = in.rels[0].node.AtPercentile(f.column, q)
	return true
}

// quantileOf returns the call of a query for a quantile of a column of a whole table; nil if it
// is something else.
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
	if e.String() != (&sql.Expr{Kind: sql.Subquery, Query: whole}).String() { // it has more to it
		return nil
	}
	return call
}
