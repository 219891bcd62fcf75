package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// outerJoined binds a join that is not inner as one relation. Semi and anti joins are bound as
// outer joins too: the keys of the right side have a mark, and the join keeps the rows of the
// left side that get one, or those that do not.
func (w around) outerJoined(f *sql.From) *relation {
	j := f.Join
	o := outerJoin{b: w.b, kind: j.Kind}
	asked := j.Kind == sql.SemiJoin || j.Kind == sql.AntiJoin
	if asked {
		o.kind = sql.LeftJoin
	}
	var lateral []*expr.Expr
	for i, from := range []*sql.From{j.Left, j.Right} {
		around := w
		if i == 1 {
			around.outer = enclosed(w.scope("FROM", o.sides[0].fields))
		}
		o.sides[i] = around.tables(from)
		if i == 1 && len(around.outer.own) > 0 {
			if o.kind != sql.LeftJoin {
				panic(sql.Unsupported(j.At, "Next: exchange the sides, and write LEFT JOIN.", string(j.Kind)+"s with a query that depends on the left side"))
			}
			lateral = w.b.lateralQuery(o.sides[1], around.outer, func() *relation { return o.sides[0] })
		}
		if i == 1 || !asked {
			o.sides[i].order = nil
		}
	}
	distinctNames(o.sides[:], f)
	var conditions []*expr.Expr
	on := w.scope("ON", o.fields()).asking(w.with)
	o.merged, conditions = w.b.joinConditions(j, o.sides[0].fields, o.sides[1].fields, on)
	o.attachSides(on.queries, j.At)
	for _, c := range append(lateral, conditions...) {
		o.condition(c)
	}
	switch {
	case len(o.rest) > 0:
		return o.compared(j)
	case asked:
		return o.marked(j.Kind == sql.SemiJoin)
	}
	return o.outerRelation()
}

// attachSides joins the sides with the queries in the condition of their join, each of which may
// depend on one side.
func (o *outerJoin) attachSides(q *subqueries, at sql.Span) {
	for _, j := range q.joins {
		owner, _ := ownersIn(o.sides[:]...)
		side := 1
		switch of := owner.Of(expr.Call(expr.OpListOf, j.outer...)); len(of) {
		case 0:
		case 1:
			side = of[0]
		default:
			panic(sql.Unsupported(at, "Next: write the query in SELECT, in a query in FROM.", "queries in ON that depend on both sides of an outer join"))
		}
		(&subqueries{b: o.b, joins: []subqueryJoin{j}}).attach(o.sides[side])
	}
}

// outerJoin is a join that keeps rows without a partner, while it is being bound.
type outerJoin struct {
	b      *binder
	kind   sql.JoinKind
	sides  [2]*relation    // the left and the right one
	keys   [2][]*expr.Expr // of each side, which must be equal
	rest   []*expr.Expr    // other conditions on pairs of rows
	merged [][2]field      // columns of both sides that USING merges
}

// keeps says for each side whether the join keeps its rows without a partner.
func (o *outerJoin) keeps() [2]bool {
	return [2]bool{o.kind != sql.RightJoin, o.kind != sql.LeftJoin}
}

func (o *outerJoin) fields() []field { return fieldsOf(o.sides[:]) }

// condition adds a condition to the join. An equality between the sides becomes a pair of
// keys. A condition on a side whose rows need a partner filters that side. A condition on the
// other side becomes a key that is null, and so has no partner, where it is not true. Other
// conditions on both sides go to rest.
func (o *outerJoin) condition(c *expr.Expr) {
	owner, schema := ownersIn(o.sides[:]...)
	c = sameTypes(c, schema)
	of := owner.Of(c)
	a, b, equates := owner.Equates(c)
	switch {
	case equates:
		o.keys[a], o.keys[b] = append(o.keys[a], c.Args[0]), append(o.keys[b], c.Args[1])
		return
	case len(of) == 2:
		o.rest = append(o.rest, c)
		return
	case len(of) == 1 && !o.keeps()[of[0]]:
		o.sides[of[0]].filter([]*expr.Expr{c})
		return
	}
	side := 0
	if len(of) == 1 {
		side = of[0]
	}
	o.keys[side] = append(o.keys[side], expr.If(c, expr.Bool(true), expr.Null(columnar.Bool)))
	o.keys[1-side] = append(o.keys[1-side], expr.Bool(true))
}

// outerRelation builds an outer join. Rows of a side that are all kept are those of its probe side.
func (o *outerJoin) outerRelation() *relation {
	build, probe, kind := 0, 1, plan.Right
	switch o.kind {
	case sql.LeftJoin:
		build, probe = 1, 0
	case sql.FullJoin:
		kind = plan.Full
	}
	node, on := o.b.keyed(o.sides[build], o.keys[build])
	other, with := o.b.keyed(o.sides[probe], o.keys[probe])
	out := &relation{node: node.OuterJoin(kind, other, pairsOf(on, with)...), fields: o.fields()}
	columns := append(o.sides[0].all(), o.sides[1].all()...)
	for _, m := range o.merged {
		columns = append(columns, o.b.mergeOuter(o.kind, m[0], m[1], out)...)
	}
	out.node = out.node.Project(columns...)
	return out
}

// mergeOuter adds the column that stands for both columns of USING: that of the side whose
// rows are all kept, or in a full join whichever is not null.
func (b *binder) mergeOuter(kind sql.JoinKind, left, right field, out *relation) (made []plan.Named) {
	out.merge(right.column)
	if kind == sql.LeftJoin {
		return nil
	}
	one := field{name: left.name, column: right.column, typ: right.typ}
	if kind == sql.FullJoin {
		both := scalar.OfOneType(b.columnOf(left, sql.Span{}), b.columnOf(right, sql.Span{}))
		one.column, one.typ = b.Unique(left.name), scalar.Widest(left.typ, right.typ)
		made = append(made, plan.As(one.column, expr.Coalesce(both[0], both[1])))
	}
	out.merge(left.column)
	at := slices.IndexFunc(out.fields, func(f field) bool { return f.column == left.column })
	out.fields = slices.Insert(out.fields, at, one)
	return made
}

// keyed returns the node of a relation with a column for each key. A key gets a column of its
// own if it is computed, is used twice, or is a float, since -0 equals 0 but differs from it.
func (b *binder) keyed(rel *relation, keys []*expr.Expr) (*plan.Node, []string) {
	columns := rel.all()
	var names []string
	for _, k := range keys {
		name := k.Name
		own := slices.ContainsFunc(rel.fields, func(f field) bool { return f.column == name && f.typ != columnar.Float })
		if k.Op != expr.OpColumn || !own || slices.Contains(names, name) {
			name = b.Unique("key")
			columns = append(columns, plan.As(name, k))
		}
		names = append(names, name)
	}
	if len(columns) == len(rel.all()) {
		return rel.node, names
	}
	return rel.node.Project(columns...), names
}

// marked returns the rows of a join's left side that have a partner, or those that have none.
func (o *outerJoin) marked(with bool) *relation {
	keys, on := o.b.keyed(o.sides[1], o.keys[1])
	mark := o.b.mark(keys, on)
	node, outer := o.b.keyed(o.sides[0], o.keys[0])
	out := *o.sides[0]
	out.node = mark.marked(node, pairsOf(on, outer), with).Project(out.all()...)
	return &out
}

// pairsOf returns the pairs of columns that must be equal.
func pairsOf(build, probe []string) []plan.Pair {
	pairs := make([]plan.Pair, len(build))
	for i := range build {
		pairs[i] = plan.On(build[i], probe[i])
	}
	return pairs
}

// marks is a relation of distinct keys with a column that is true.
type marks struct {
	node   *plan.Node
	column string
}

// marked returns the rows of a node that get a mark, or those that do not.
func (m marks) marked(node *plan.Node, on []plan.Pair, with bool) *plan.Node {
	has := expr.Not(expr.IsNull(expr.Col(m.column)))
	return m.node.OuterJoin(plan.Right, node, on...).Filter(scalar.Not(has, !with))
}

// mark returns the distinct keys of a node, each with a mark.
func (b *binder) mark(node *plan.Node, keys []string) marks {
	m := marks{column: b.Unique("mark")}
	if len(keys) == 0 {
		one := b.Unique("one")
		node = node.Project(plan.As(one, expr.Bool(true))).Distinct(one)
		m.node = node.Project(plan.As(m.column, expr.Col(one)))
		return m
	}
	m.node = node.Select(keys...).Distinct(keys...).Project(append(plan.Cols(keys...), plan.As(m.column, expr.Bool(true)))...)
	return m
}

// compared builds a join that is not inner and whose condition compares columns of both sides
// other than by equalities. The inner join gives the pairs. A row of a side has a partner if and
// only if some pair holds the values that the condition reads from the row; so rows without a
// partner are those whose values no pair holds.
func (o *outerJoin) compared(j *sql.Join) *relation {
	left, right := *o.sides[0], *o.sides[1]
	in := inputs{b: o.b, rels: []*relation{&left, &right}, conditions: slices.Clone(o.rest)}
	for i, l := range o.keys[0] {
		in.conditions = append(in.conditions, expr.Eq(l, o.keys[1][i]))
	}
	pairs := in.join()
	switch j.Kind {
	case sql.SemiJoin:
		return o.lonely(pairs, 0, true)
	case sql.AntiJoin:
		return o.lonely(pairs, 0, false)
	}
	out := &relation{fields: o.fields()}
	parts := []*plan.Node{pairs.node.Project(out.all()...)}
	for side, kept := range o.keeps() {
		if !kept {
			continue
		}
		alone := o.lonely(pairs, side, false)
		columns := alone.all()
		o.b.Work.Do(len(columns))
		for _, f := range o.sides[1-side].fields {
			if !slices.ContainsFunc(columns, func(c plan.Named) bool { return c.Name == f.column }) {
				columns = append(columns, plan.As(f.column, expr.Null(f.typ)))
			}
		}
		parts = append(parts, alone.node.Project(columns...).Select(names(out.all())...))
	}
	out.node = plan.UnionAll(parts...)
	return out
}

// lonely returns the rows of a side that have no partner among pairs, or, with with, those that
// have one.
func (o *outerJoin) lonely(pairs *relation, side int, with bool) *relation {
	rel := *o.sides[side]
	read := columnar.SetOf(columnar.Each(slices.Concat(o.rest, o.keys[side]), (*expr.Expr).Columns)...)
	var held, asked []plan.Named // values of pairs, and of the side's rows
	var keys []string
	var on []plan.Pair
	for _, f := range rel.fields {
		if !read[f.column] {
			continue
		}
		read[f.column] = false
		for _, e := range neverNull(scalar.Value{Expr: expr.Col(f.column), Type: f.typ}) {
			k, l := o.b.Unique("key"), o.b.Unique("key")
			held, asked, keys = append(held, plan.As(k, e)), append(asked, plan.As(l, e)), append(keys, k)
			on = append(on, plan.On(k, l))
		}
	}
	mark := o.b.mark(pairs.node.Project(held...), keys)
	columns := rel.all()
	node := rel.node.Project(append(slices.Clone(columns), asked...)...)
	rel.node = mark.marked(node, on, with).Project(columns...)
	return &rel
}

func names(columns []plan.Named) []string {
	return columnar.Each(columns, func(c plan.Named) string { return c.Name })
}
