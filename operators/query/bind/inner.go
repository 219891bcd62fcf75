package bind

import (
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// inner is a bound query within an expression as a relation to look rows up in: its columns, and
// its keys with the expressions of the outer query that they must equal.
type inner struct {
	b     *binder
	rel   *relation
	value []field
	keys  []string
	outer []*expr.Expr
	// compared is a comparison of the rows with a value of the outer query; value then holds
	// the least and the greatest value of the rows.
	compared *comparison
	apply    *application // nil unless the relation must be computed for each outer row
}

// comparison is a comparison of inner values with an outer one.
type comparison struct {
	op    expr.Op
	outer scalar.Value
}

// application is an Apply node whose domain is set once the outer rows are known: they, projected to
// columns.
type application struct {
	node    *plan.Node
	columns []plan.Named
}

// inner binds a query within an expression. It must have so many columns; 0 means that only
// the existence of rows matters.
func (s *scope) inner(q *sql.Query, columns int) *inner {
	bound := s.queryIn(q)
	rel := *bound.relation
	if columns > 0 {
		wantColumns(columns, q, rel.fields)
	}
	in := &inner{b: s.b, rel: &rel, value: slices.Clone(rel.fields)}
	if columns == 0 {
		in.value, rel.node = nil, existing(rel.node)
	}
	in.correlate(bound.outer, q, columns == 0)
	return in
}

// correlate makes the relation of a query one that reads no columns of the outer query. The
// conditions on them become keys, if all of them are equalities; if only the existence of rows
// matters, one other comparison may be beside them. Otherwise the relation is computed for each
// outer row.
func (in *inner) correlate(outer *enclosing, q *sql.Query, exists bool) {
	if len(outer.all) == 0 {
		in.rel.node = in.rel.node.Select(columnsOf(in.value)...)
		return
	}
	if lifted, ok := rules.Lift(in.b.Work, in.rel.node, outer.all, in.b.tables, in.b.Fresh); ok {
		keyed := lifted.Keyed(outer.all, in.b.Fresh)
		if len(keyed.Rest) == 0 {
			in.rel.node = lifted.Node
			in.lookUp("key", plan.Cols(columnsOf(in.value)...), in.b.pairsIn(keyed), q.At)
			return
		}
		if exists && len(keyed.Rest) == 1 && in.ends(outer, lifted, keyed, q) {
			return
		}
	}
	in.applied(outer, false)
}

// pairsIn returns the outer and the inner side of each key.
func (b *binder) pairsIn(k rules.Keyed) (pairs [][2]scalar.Value) {
	for i, outer := range k.Outer {
		inner := k.Own(i)
		pairs = append(pairs, [2]scalar.Value{{Expr: outer, Type: b.TypeOf(outer)}, {Expr: inner, Type: b.TypeOf(inner)}})
	}
	return pairs
}

// lookUp makes keys of values of a query, which must equal values of the outer query, converting
// both to types that rows can be joined by. It projects the query to others and these keys.
func (in *inner) lookUp(name string, others []plan.Named, pairs [][2]scalar.Value, at sql.Span) {
	for _, pair := range pairs {
		pair[0].At, pair[1].At = at, at
		both := scalar.Comparable(pair[0], pair[1])
		equal := scalar.OfOneType(both[0], both[1])
		key := in.b.Unique(name)
		others = append(others, plan.As(key, equal[1]))
		in.keys, in.outer = append(in.keys, key), append(in.outer, equal[0])
	}
	in.rel.node = in.rel.node.Project(others...)
}

// ends makes the least and the greatest value of the rows of a query its values, if the only
// condition that is no key compares one value of each row with one of the outer query. ok is
// false for other conditions.
func (in *inner) ends(outer *enclosing, lifted rules.Lifted, keyed rules.Keyed, q *sql.Query) (ok bool) {
	op, theirs, own := outer.all.Comparison(keyed.Rest[0])
	if own == nil {
		return false
	}
	v := scalar.Value{Expr: own, Type: in.b.TypeOf(own)}
	if v.Type == columnar.Bool {
		return false
	}
	of := in.b.Unique("value")
	in.rel.node = lifted.Node
	in.lookUp("key", []plan.Named{plan.As(of, v.Expr)}, in.b.pairsIn(keyed), q.At)
	in.value = []field{in.b.hidden(in.b.Unique("least"), v.Type), in.b.hidden(in.b.Unique("greatest"), v.Type)}
	in.rel.node = in.rel.node.Aggregate(in.keys, extremes(of, in.value[0], in.value[1])...)
	in.compared = &comparison{op, scalar.Value{Expr: theirs, Type: in.b.TypeOf(theirs), At: q.At}}
	return true
}

// applied makes the relation of a query that of an Apply node, with the values of the outer query
// that it reads as keys. lookedUp is as in plan.Domain.
func (in *inner) applied(outer *enclosing, lookedUp bool) {
	read := slices.Sorted(maps.Keys(outer.own))
	node := &plan.Node{Op: plan.Apply, Inputs: []*plan.Node{nil, in.rel.node}}
	in.apply = &application{node: node}
	columns := plan.Cols(columnsOf(in.value)...)
	domain := &plan.Domain{Columns: read, LookedUp: lookedUp}
	in.apply.columns = plan.Cols(read...)
	for _, c := range read {
		for _, e := range neverNull(scalar.Value{Expr: expr.Col(c), Type: in.b.Types[c]}) {
			held, key := in.b.Unique("outer"), in.b.Unique("key")
			in.b.Types[key] = in.b.TypeOf(e)
			domain.Keys, in.apply.columns = append(domain.Keys, held), append(in.apply.columns, plan.As(held, e))
			in.keys, in.outer, columns = append(in.keys, key), append(in.outer, e), append(columns, plan.As(key, expr.Col(held)))
		}
	}
	node.Domain = domain
	in.rel.node = node.Project(columns...)
}
