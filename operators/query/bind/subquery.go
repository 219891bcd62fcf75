package bind

import (
	"fmt"
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// subqueries are the queries within the expressions of a clause. Each becomes a relation
// that is joined with the rows of the clause, and a column of that relation stands for the
// query's value.
type subqueries struct {
	b     *binder
	with  *withs
	joins []subqueryJoin
	bound map[*sql.Expr]boundQuery // the values of queries, which an alias may refer to again
	keys  map[string]*sql.Expr     // those of GROUP BY, by their texts
	// relations are the queries themselves.
	relations map[*sql.Query]*boundRelation
}

// boundQuery is the value of a query; at is the index of the first join that it needs.
type boundQuery struct {
	scalar.Value
	at int
}

// subqueryJoin is the join that looks up rows of a query by keys.
type subqueryJoin struct {
	node  *plan.Node
	keys  []string     // columns of the node
	outer []*expr.Expr // the expressions that the keys must equal
	gives []field
	apply *application
}

func newSubqueries(b *binder, w *withs) *subqueries {
	return &subqueries{b: b, with: w, bound: make(map[*sql.Expr]boundQuery), keys: make(map[string]*sql.Expr), relations: make(map[*sql.Query]*boundRelation)}
}

// attach joins a relation with the queries that its expressions need, whose columns no name
// refers to.
func (q *subqueries) attach(rel *relation) {
	for _, j := range q.joins {
		q.b.Work.Do(len(rel.fields))
		if a := j.apply; a != nil && a.node.Inputs[0] == nil {
			a.node.Inputs[0] = rel.node.Project(a.columns...).Distinct(names(a.columns)...)
		}
		node, on := q.b.keyed(rel, j.outer)
		rel.fields = append(slices.Clone(rel.fields), j.gives...)
		rel.node = j.node.OuterJoin(plan.Right, node, pairsOf(j.keys, on)...).Project(rel.all()...)
	}
}

// usesHidden reports whether a condition reads the value of a query.
func usesHidden(e *expr.Expr, q *subqueries) bool {
	columns := e.Columns()
	read := func(f field) bool { return slices.Contains(columns, f.column) }
	return slices.ContainsFunc(q.joins, func(j subqueryJoin) bool { return slices.ContainsFunc(j.gives, read) })
}

// boundRelation is a query within an expression as it was bound, which happens once.
type boundRelation struct {
	*relation
	outer *enclosing
}

// subquery binds an expression with a query in it.
func (s *scope) subquery(e *sql.Expr) scalar.Value {
	if s.queries == nil {
		panic(sql.Unsupported(e.At, "Next: write it in SELECT, WHERE or HAVING.", "queries within this clause"))
	}
	at := len(s.queries.joins)
	var v scalar.Value
	switch e.Kind {
	case sql.Exists:
		v = s.exists(e)
	case sql.Subquery:
		v = s.scalar(e)
	case sql.Quantified:
		v = s.quantified(e)
	default:
		v = s.inQuery(e)
	}
	s.queries.bound[e] = boundQuery{v, at}
	if s.clause == "GROUP BY" {
		s.queries.keys[e.String()] = e
	}
	return v
}

// boundQuery returns the value of a query that was bound before. One that is written as a key of GROUP BY is that key.
func (s *scope) boundQuery(e *sql.Expr) (v scalar.Value, ok bool) {
	if s.queries == nil || e.Query == nil {
		return v, false
	}
	bound, ok := s.queries.bound[e]
	if !ok && s.clause == "GROUP BY" {
		bound, ok = s.queries.bound[s.queries.keys[e.String()]]
	}
	return bound.Value, ok
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
	q.joins = append(q.joins, subqueryJoin{node: node, keys: in.keys, outer: in.outer, gives: gives, apply: in.apply})
}

// unnamed is a field that no name refers to.
func unnamed(column string, t columnar.Type) field {
	return field{column: column, typ: t, merged: true}
}

// hidden is an unnamed field for values of a query.
func (b *binder) hidden(column string, t columnar.Type) field {
	b.Types[column] = t
	return unnamed(column, t)
}

// queryIn binds a query that stands in a scope, the first time that it is asked for.
func (s *scope) queryIn(q *sql.Query) *boundRelation {
	of := s.queries
	if of.relations[q] == nil {
		outer := enclosed(s)
		of.relations[q] = &boundRelation{around{b: s.b, with: of.with, outer: outer}.query(q), outer}
	}
	return of.relations[q]
}

func (s *scope) exists(e *sql.Expr) scalar.Value {
	if isAggregation(existing(s.queryIn(e.Query).node)) { // it has a row, whatever it reads
		return scalar.Truth(expr.Bool(!e.Not))
	}
	in := s.inner(e.Query, 0)
	if in.compared != nil {
		is := s.comparedRows(in)
		return scalar.Truth(scalar.Not(is, e.Not))
	}
	m := s.b.mark(in.rel.node, in.keys)
	s.queries.add(m.node, in, s.b.hidden(m.column, columnar.Bool))
	return scalar.Truth(scalar.Not(expr.IsNull(expr.Col(m.column)), !e.Not))
}

// existing returns the node below projections and orders, which has as many rows.
func existing(n *plan.Node) *plan.Node {
	for n.Op == plan.Project || n.Op == plan.Sort && !n.Limited() {
		n = n.Inputs[0]
	}
	return n
}

// isAggregation reports whether a node has one row in any case, that of an aggregation without
// keys.
func isAggregation(n *plan.Node) bool { return n.Op == plan.Aggregate && len(n.Keys) == 0 }

// scalar binds a query as a value, which is null if the query has no row.
func (s *scope) scalar(e *sql.Expr) scalar.Value {
	q := s.queryIn(e.Query)
	wantColumns(1, e.Query, q.fields)
	value, below := s.b.calculated(q.fields[0].column, q.node)
	depends := len(q.outer.all) > 0
	switch {
	case depends && isAggregation(below):
		return s.ofAggregates(e, value, below)
	case depends && isConstant(e.Query) && !slices.ContainsFunc(value.Columns(), func(c string) bool { return !q.outer.all[c] }):
		return scalar.Value{Expr: value, Type: q.fields[0].typ}
	}
	in := s.inner(e.Query, 1)
	if _, most := q.node.Rows(); most <= 1 || len(e.Query.Values) == 1 || isConstant(e.Query) {
		f := in.value[0]
		s.queries.add(in.rel.node, in, s.b.hidden(f.column, f.typ))
		return s.b.columnOf(f, e.At)
	}
	return s.onlyRow(in)
}

func wantColumns(n int, q *sql.Query, fields []field) {
	if len(fields) != n {
		panic(sql.Wrong(q.At, fmt.Sprintf("Next: name %d of them in its SELECT.", n), "the query has %d columns in place of %d", len(fields), n))
	}
}

// calculated returns a column of a plan as an expression over the node below its projections, as
// far down as the expression stays small.
func (b *binder) calculated(column string, n *plan.Node) (*expr.Expr, *plan.Node) {
	e := expr.Col(column)
	for n.Op == plan.Project || n.Op == plan.Sort && !n.Limited() {
		if n.Op == plan.Project {
			most := 0
			for _, c := range n.Exprs {
				most = max(most, b.PartsOf(c.Expr))
			}
			if b.PartsOf(e)*most > expr.MostParts {
				break
			}
			e = n.Below(e)
		}
		n = n.Inputs[0]
	}
	return e, n
}

// isConstant reports whether a query has one row in any case, without a table to read.
func isConstant(q *sql.Query) bool {
	s := q.Select
	return s != nil && s.From == nil && s.Where == nil && s.Having == nil && s.Qualify == nil && len(s.GroupBy) == 0 &&
		q.Limit == nil && q.Offset == nil && !slices.ContainsFunc(s.Items, func(i sql.Item) bool { return isUnnest(i.Expr) })
}

// hasQuery reports whether an expression contains a query.
func hasQuery(e *sql.Expr) bool { return has(e, func(e *sql.Expr) bool { return e.Query != nil }) }

// isValue reports whether a condition compares with a single value: that of a correlated query
// that has one row even where it finds no rows to aggregate.
func (s *scope) isValue(e *sql.Expr) bool {
	if len(soughtRow(e)) != 1 {
		return false
	}
	q := s.queryIn(e.Query)
	return len(q.outer.all) > 0 && isAggregation(existing(q.node))
}

// compareValue binds a condition for which isValue is true.
func (s *scope) compareValue(op string, e *sql.Expr) scalar.Value {
	value := &sql.Expr{Kind: sql.Subquery, Query: e.Query, At: e.Query.At}
	is := s.expr(e.At.Binary(op, e.Args[0], value))
	return scalar.Truth(scalar.Not(is.Expr, e.Not))
}

// ofAggregates binds a calculation with aggregates of a correlated query. An outer row may have
// no inner rows, for which a count is 0 and other aggregates are null. So the join looks up the
// aggregates, and the calculation happens after it.
func (s *scope) ofAggregates(e *sql.Expr, value *expr.Expr, aggregation *plan.Node) scalar.Value {
	q := s.queryIn(e.Query)
	in := &inner{b: s.b, rel: &relation{node: aggregation}}
	of := make(map[string]*expr.Expr)
	for _, a := range aggregation.Aggs {
		in.value = append(in.value, s.b.hidden(a.Name, s.b.Types[a.Name]))
		of[a.Name] = rules.OfNothing(a, expr.Col(a.Name))
	}
	lifted, ok := rules.LiftGroup(s.b.Work, aggregation, q.outer.all, s.b.tables, s.b.Fresh)
	if keyed := lifted.Keyed(q.outer.all, s.b.Fresh); ok && len(keyed.Rest) == 0 {
		in.rel.node = lifted.Node
		in.lookUp("key", plan.Cols(columnsOf(in.value)...), s.b.pairsIn(keyed), e.At)
	} else {
		in.applied(q.outer, true)
	}
	s.queries.add(in.rel.node, in, in.value...)
	return scalar.Value{Expr: value.Rename(func(name string) *expr.Expr { return of[name] }), Type: q.fields[0].typ}
}

// onlyRow binds a query as a value that is an error where the query has several rows.
func (s *scope) onlyRow(in *inner) scalar.Value {
	f := in.value[0]
	v := ones(scalar.Value{Expr: expr.Col(f.column), Type: f.typ})
	held, least, rows := s.b.Unique("value"), s.b.Unique("value"), s.b.Unique("rows")
	one := plan.Agg{Func: plan.Min, Args: []string{held}, Name: least}
	if v.Type.Item() != columnar.Invalid || v.Type.IsNested() {
		one.Func, one.Args = aggregate.ArgMin, []string{held, held}
	}
	node := in.rel.node.Project(append(plan.Cols(in.keys...), plan.As(held, v.Expr))...).
		Aggregate(in.keys, one, plan.Agg{Func: plan.Count, Name: rows})
	s.queries.add(node, in, s.b.hidden(least, v.Type), s.b.hidden(rows, columnar.Int))
	value := expr.Single(expr.Col(least), v.Type, expr.Col(rows))
	if f.typ == columnar.Bool {
		return scalar.Truth(expr.Eq(value, expr.Int(1)))
	}
	return scalar.Value{Expr: value, Type: v.Type}
}

// semi binds EXISTS or IN as a semi-join: it adds the distinct keys of the query as an input
// that the rows are joined with. So the scan has the key set before it reads. ok is false for
// other conditions.
func (in *inputs) semi(e *sql.Expr, s *scope) (ok bool) {
	wanted, ok := s.soughtIn(e)
	if !ok {
		return false
	}
	q := s.inner(e.Query, len(wanted))
	if q.apply != nil || q.compared != nil || len(q.keys)+len(wanted) == 0 {
		return false
	}
	q.lookUp("in", plan.Cols(q.keys...), in.b.against(wanted, q.value), e.Query.At)
	rel := &relation{node: q.rel.node.Select(q.keys...).Distinct(q.keys...), semi: true}
	for i, k := range q.keys {
		rel.fields = append(rel.fields, in.b.hidden(k, in.b.TypeOf(q.outer[i])))
		in.conditions = append(in.conditions, expr.Eq(q.outer[i], expr.Col(k)))
	}
	in.rels = append(in.rels, rel)
	return true
}

// soughtIn binds the values that IN looks up in a query, none for EXISTS. ok is false if a semi-join
// does not do for the condition.
func (s *scope) soughtIn(e *sql.Expr) (values []scalar.Value, ok bool) {
	switch {
	case e.Not:
		return nil, false
	case e.Kind == sql.Exists:
		return nil, !isAggregation(existing(s.queryIn(e.Query).node))
	case e.Kind != sql.In || e.Query == nil || s.isValue(e):
		return nil, false
	}
	row := soughtRow(e)
	if slices.ContainsFunc(row, hasQuery) {
		return nil, false
	}
	for _, a := range row {
		v := s.expr(a)
		if len(v.Expr.Columns()) == 0 || usesHidden(v.Expr, s.queries) {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// against pairs values with columns.
func (b *binder) against(values []scalar.Value, columns []field) (pairs [][2]scalar.Value) {
	for i, v := range values {
		pairs = append(pairs, [2]scalar.Value{v, b.columnOf(columns[i], v.At)})
	}
	return pairs
}
