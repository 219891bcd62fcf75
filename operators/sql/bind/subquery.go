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

// subqueries are the queries within the expressions of a clause. Each becomes a relation
// that is joined with the rows of the clause, and a column of that relation stands for the
// query's value.
type subqueries struct {
	with  *withs
	joins []subqueryJoin
	// bound are the values of bound queries, which an alias may refer to again, and of the
	// aggregates of queries whose calculations happen after the join.
	bound map[*sql.Expr]boundQuery
}

// boundQuery is the value of a query; at is the index of the first join that it needs.
type boundQuery struct {
	typed
	at int
}

// subqueryJoin is the join that looks up rows of a query by keys.
type subqueryJoin struct {
	node  *plan.Node
	keys  []string     // columns of the node
	outer []*expr.Expr // the expressions that the keys must equal
	gives []field
	bytes int64 // the size of the files that the node reads, as in relation
}

func newSubqueries(w *withs) *subqueries {
	return &subqueries{with: w, bound: make(map[*sql.Expr]boundQuery)}
}

// attach joins a relation with the queries that its expressions need, whose columns no name
// refers to. If the relation seems much smaller, it is the build side and the query the probe
// side, of which only rows with a partner are then needed; otherwise it is the other way round.
func (b *binder) attach(rel *relation, q *subqueries) {
	if len(q.joins) == 0 {
		return
	}
	left := share(rel.node)
	for _, j := range q.joins {
		b.work.Do(len(rel.fields))
		node, on := b.keyed(rel, j.outer)
		rel.fields = append(slices.Clone(rel.fields), j.gives...)
		if len(on) > 0 && left*float64(rel.bytes) < share(j.node)*float64(j.bytes)/2 {
			rel.node = node.OuterJoin(plan.Left, j.node, pairsOf(on, j.keys)...).Project(rel.all()...)
		} else {
			rel.node = j.node.OuterJoin(plan.Right, node, pairsOf(j.keys, on)...).Project(rel.all()...)
		}
	}
}

// share estimates, from conditions alone, the fraction of rows that a plan keeps: a tenth for
// each equality with a literal, and a third for each other condition.
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

// usesHidden reports whether a condition reads the value of a query.
func usesHidden(e *expr.Expr, q *subqueries) bool {
	columns := e.Columns()
	read := func(f field) bool { return slices.Contains(columns, f.column) }
	return slices.ContainsFunc(q.joins, func(j subqueryJoin) bool { return slices.ContainsFunc(j.gives, read) })
}

// inner is a bound query within an expression: its columns, and its keys with the expressions
// of the outer query that they must equal.
type inner struct {
	rel   *relation
	value []field
	keys  []string
	outer []*expr.Expr
	// compared is a comparison of the rows with a value of the outer query; value then holds
	// the least and the greatest value of the rows.
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

// forget removes the joins from an index on, and the values that need them.
func (q *subqueries) forget(from int) {
	if from == len(q.joins) {
		return
	}
	q.joins = q.joins[:from]
	maps.DeleteFunc(q.bound, func(_ *sql.Expr, v boundQuery) bool { return v.at >= from })
}

// add adds a join with a node by the keys of in, which gives columns.
func (q *subqueries) add(node *plan.Node, in *inner, gives ...field) {
	q.joins = append(q.joins, subqueryJoin{node: node, keys: in.keys, outer: in.outer, gives: gives, bytes: in.rel.bytes})
}

// hidden is a field that no name refers to.
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

// scalar binds a query as a value, which is null if the query has no row.
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

// isSingle reports whether a query always has one row, that of an aggregation without keys.
func isSingle(q *sql.Query) bool {
	s := q.Select
	return s != nil && len(s.GroupBy) == 0 && !s.GroupAll && len(s.Items) == 1 && hasAggregate(s.Items[0].Expr)
}

// hasQuery reports whether an expression contains a query.
func hasQuery(e *sql.Expr) bool { return has(e, func(e *sql.Expr) bool { return e.Query != nil }) }

// isValue reports whether a condition compares with a single value: that of a correlated query
// that has one row even where it finds no rows to aggregate.
func (b *binder) isValue(e *sql.Expr, s *scope) bool {
	return len(rowOf(e.Args[0])) == 1 && isSingle(e.Query) && b.depends(e.Query, s)
}

// compareValue binds a condition for which isValue is true.
func (b *binder) compareValue(op string, e *sql.Expr, s *scope) typed {
	value := &sql.Expr{Kind: sql.Subquery, Query: e.Query, At: e.Query.At}
	is := b.expr(&sql.Expr{Kind: sql.Binary, Text: op, Args: []*sql.Expr{e.Args[0], value}, At: e.At}, s)
	return truth(not(is.e, e.Not))
}

// depends reports whether a query is correlated: whether it reads columns of the outer query.
func (b *binder) depends(q *sql.Query, s *scope) bool {
	return len(b.decorrelate(q, s, s.queries.with, 1).outer) > 0
}

// ofGroup binds a correlated query of one row of aggregates. An outer row may have no inner
// rows, for which a count is 0 and other aggregates are null. So the join looks up aggregates,
// and calculations with them happen after it.
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
		case e.Kind == sql.Column && b.attempt(func() { b.expr(e, behind) }) != nil:
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

// isOne reports whether a query is known to have at most one row.
func isOne(q *sql.Query) bool {
	return q.Limit != nil && q.Limit.Kind == sql.Number && q.Limit.Text == "1" || q.Select != nil && q.Select.From == nil || len(q.Values) == 1
}

// inner binds a query within an expression. It must have so many columns; 0 means that only
// the existence of rows matters.
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

// lookUp makes columns of a query keys that must equal values of the outer query, converting
// both to types that rows can be joined by. It projects the query to others and these keys.
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

// decorrelated is a query without the conditions that depend on the outer query.
type decorrelated struct {
	query    *sql.Query
	inner    []*sql.Expr // the last columns of the query, and its group keys if it groups
	outer    []*sql.Expr // the expressions of the outer query that they must equal
	compared *comparison
}

// decorrelate removes from a query the equalities with columns of the outer query. If only
// the existence of rows matters (columns is 0), it also removes one other comparison.
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

// keyed returns the query with the inner sides of the removed conditions as columns.
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
		name := "\u200bkey" + strconv.Itoa(i) // a name that nothing else has
		one.Items = append(one.Items, sql.Item{Expr: e, Alias: name})
		switch {
		case grouped:
			one.GroupBy = append(one.GroupBy, e)
		case value && q.Limit != nil: // the first row for each row of the outer query
			one.Distinct, one.DistinctOn = true, append(one.DistinctOn, &sql.Expr{Kind: sql.Column, Path: []string{name}, At: e.At})
			d.query.Order, d.query.OrderAll = q.Order, q.OrderAll
		}
	}
	return d
}

// innerTables are the tables of a query within an expression.
type innerTables struct {
	from *sql.From
	with *withs
}

// innerFields returns the columns of a query's own tables, which names within it refer to
// first. It binds the tables only to know that, and so only once: there may be queries in them.
func (b *binder) innerFields(q *sql.Query, w *withs) []field {
	of := innerTables{q.Select.From, w}
	if _, known := b.inners[of]; !known {
		b.inners[of] = b.tablesIn(q, w)
	}
	return b.inners[of]
}

func (b *binder) tablesIn(q *sql.Query, w *withs) []field {
	for _, c := range q.With {
		rel := b.query(c.Query, w)
		w = w.with(c, rel)
	}
	var in inputs
	b.collect(q.Select.From, w, &in)
	return in.fields()
}

// side says whether an expression reads columns of the inner query, the outer one, or both.
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
			s.inner = true // binding it there reports that there is no such column
		}
		return true
	})
	return s
}

// turnedComparison returns a comparison operator with its sides swapped, "" if op is not one.
func turnedComparison(op string) string {
	return map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
}

// correlation splits a comparison between the inner and the outer query into its sides.
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

// semi binds EXISTS or IN as a semi-join: it adds the distinct keys of the query as an input
// that the rows are joined with. So the scan has the key set before it reads. ok is false for
// other conditions.
func (b *binder) semi(e *sql.Expr, s *scope, in *inputs) (ok bool) {
	if e.Not || e.Kind != sql.Exists && (e.Kind != sql.In || e.Query == nil || b.isValue(e, s)) {
		return false
	}
	var sought []*sql.Expr
	if e.Kind == sql.In {
		sought = rowOf(e.Args[0])
	} else if d := b.decorrelate(e.Query, s, s.queries.with, 0); len(d.outer) == 0 || d.compared != nil {
		return false
	}
	if slices.ContainsFunc(sought, hasQuery) {
		return false
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

// percentile binds a condition that keeps the rows at or above a quantile of a column:
//
//	FROM t WHERE x >= (SELECT quantile_cont(x, 0.9) FROM t)
//
// A single operator does that and reads its rows once. ok is false for other conditions, and
// for decimals, whose quantile is exact before it is rounded, which the operator's is not.
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
	if err := b.attempt(func() { q = b.quantile(call) }); err != nil {
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
