package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// outer binds a join that is not inner as one relation. Semi and anti joins are
// outer ones as well: the rows of the left side with or without a mark that the keys
// of the right side bear.
func (b *binder) outer(f *sql.From, w *withs) *relation {
	j := f.Join
	var sides [2]*relation
	for i, from := range []*sql.From{j.Left, j.Right} {
		var in inputs
		b.collect(from, w, &in)
		distinctNames(in.rels, from)
		sides[i] = b.join(&in)
		if i == 1 || j.Kind != sql.SemiJoin && j.Kind != sql.AntiJoin {
			sides[i].order = nil
		}
	}
	distinctNames(sides[:], f)
	o := outerJoin{kind: j.Kind, left: sides[0], right: sides[1]}
	if j.Kind == sql.SemiJoin || j.Kind == sql.AntiJoin {
		o.kind = sql.LeftJoin
	}
	conditions := b.outerConditions(j, &o)
	for _, c := range conditions {
		b.outerCondition(c, &o)
	}
	switch {
	case len(o.rest) > 0:
		return b.compared(&o, j)
	case o.kind == j.Kind:
		return b.outerRelation(&o)
	}
	return b.marked(&o, j.Kind == sql.SemiJoin)
}

// outerJoin is a join that keeps rows without a partner while it is put together.
type outerJoin struct {
	kind        sql.JoinKind
	left, right *relation
	keys        [2][]*expr.Expr // of the left and the right side, which are equal
	rest        []*expr.Expr    // what else is said of pairs
	merged      []mergedColumn
}

// mergedColumn is one that USING makes of two.
type mergedColumn struct{ left, right field }

// outerConditions binds what a join says must be true of pairs.
func (b *binder) outerConditions(j *sql.Join, o *outerJoin) []*expr.Expr {
	names := usingOf(j, o.left.fields, o.right.fields)
	var all []*expr.Expr
	for _, name := range names {
		l, r := b.using(j, name, o.left.fields, o.right.fields)
		all = append(all, b.compare(expr.OpEq, columnOf(l, j.At), columnOf(r, j.At)))
		o.merged = append(o.merged, mergedColumn{l, r})
	}
	if j.On == nil {
		return all
	}
	v := b.condition(j.On, &scope{fields: (&inputs{rels: []*relation{o.left, o.right}}).fields(), clause: "ON"})
	return append(all, expr.Conjuncts(v)...)
}

// outerCondition makes a condition part of a join: a pair of keys, a filter of the
// side whose rows go if they have no partner, or for the other side a key that is
// null, and so has no partner, where the condition is not true.
func (b *binder) outerCondition(c *expr.Expr, o *outerJoin) {
	owner, schema := ownersIn(o.left, o.right)
	c = sameTypes(c, schema)
	of := ownersOf(c, owner)
	switch {
	case len(of) == 2 && isEdge(c, owner):
		l, r := c.Args[0], c.Args[1]
		if ownersOf(l, owner)[0] == 1 {
			l, r = r, l
		}
		o.keys[0], o.keys[1] = append(o.keys[0], l), append(o.keys[1], r)
		return
	case len(of) == 2:
		o.rest = append(o.rest, c)
		return
	case len(of) == 1 && of[0] == 1 && o.kind == sql.LeftJoin:
		o.right.node = o.right.node.Filter(c)
		return
	case len(of) == 1 && of[0] == 0 && o.kind == sql.RightJoin:
		o.left.node = o.left.node.Filter(c)
		return
	}
	side := 0
	if len(of) == 1 {
		side = of[0]
	}
	o.keys[side] = append(o.keys[side], expr.If(c, expr.Bool(true), expr.Null(columnar.Bool)))
	o.keys[1-side] = append(o.keys[1-side], expr.Bool(true))
}

// outerRelation puts an outer join together. The smaller side is kept, the other is
// read past it.
func (b *binder) outerRelation(o *outerJoin) *relation {
	build, probe, keys, kind := o.left, o.right, o.keys, plan.Full
	swap := o.right.bytes < o.left.bytes
	if swap {
		build, probe, keys = probe, build, [2][]*expr.Expr{keys[1], keys[0]}
	}
	switch {
	case o.kind == sql.LeftJoin && !swap, o.kind == sql.RightJoin && swap:
		kind = plan.Left
	case o.kind != sql.FullJoin:
		kind = plan.Right
	}
	node, on := b.keyed(build, keys[0])
	other, with := b.keyed(probe, keys[1])
	out := &relation{node: node.OuterJoin(kind, other, pairsOf(on, with)...), bytes: o.left.bytes + o.right.bytes}
	out.fields = (&inputs{rels: []*relation{o.left, o.right}}).fields()
	columns := append(o.left.all(), o.right.all()...)
	for _, m := range o.merged {
		columns = append(columns, b.mergeOuter(o, m, out)...)
	}
	out.node = out.node.Project(columns...)
	return out
}

// mergeOuter makes the column that stands for both of USING: of the side whose rows
// are all there, or whichever is not null.
func (b *binder) mergeOuter(o *outerJoin, m mergedColumn, out *relation) []plan.Named {
	out.merge(m.right.column)
	if o.kind == sql.LeftJoin {
		return nil
	}
	one := field{name: m.left.name, column: m.right.column, typ: m.right.typ}
	var made []plan.Named
	if o.kind == sql.FullJoin {
		both := ofOneType(columnOf(m.left, sql.Span{}), columnOf(m.right, sql.Span{}))
		one.column, one.typ = b.unique(m.left.name), widest(m.left.typ, m.right.typ)
		made = append(made, plan.As(one.column, expr.Coalesce(both[0], both[1])))
	}
	out.merge(m.left.column)
	for i, f := range out.fields {
		if f.column == m.left.column {
			out.fields = append(out.fields[:i:i], append([]field{one}, out.fields[i:]...)...)
			break
		}
	}
	return made
}

// keyed returns the node of a relation with a column for each key.
func (b *binder) keyed(rel *relation, keys []*expr.Expr) (*plan.Node, []string) {
	columns := rel.all()
	var names []string
	for _, k := range keys {
		name := keyColumn(b, k, rel, &columns)
		if slices.Contains(names, name) { // it is compared with two columns
			name = b.unique("key")
			columns = append(columns, plan.As(name, k))
		}
		names = append(names, name)
	}
	if len(columns) == len(rel.all()) {
		return rel.node, names
	}
	return rel.node.Project(columns...), names
}

// marked is the left side of a join with, or without, the rows that have a partner.
func (b *binder) marked(o *outerJoin, with bool) *relation {
	keys, on := b.keyed(o.right, o.keys[1])
	mark := b.mark(keys, on)
	node, outer := b.keyed(o.left, o.keys[0])
	out := *o.left
	out.node = mark.marked(node, pairsOf(on, outer), with).Project(out.all()...)
	return &out
}

// pairsOf are the pairs of columns that are equal.
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

// marked returns the rows that have a mark, or those that have none.
func (m marks) marked(node *plan.Node, on []plan.Pair, with bool) *plan.Node {
	has := expr.Not(expr.IsNull(expr.Col(m.column)))
	return m.node.OuterJoin(plan.Right, node, on...).Filter(not(has, !with))
}

// mark makes the distinct keys of a node, each with a mark.
func (b *binder) mark(node *plan.Node, keys []string) marks {
	m := marks{column: b.unique("mark")}
	if len(keys) == 0 {
		one := b.unique("one")
		node = node.Project(plan.As(one, expr.Bool(true))).Distinct(one)
		m.node = node.Project(plan.As(m.column, expr.Col(one)))
		return m
	}
	m.node = node.Select(keys...).Distinct(keys...).Project(append(plan.Cols(keys...), plan.As(m.column, expr.Bool(true)))...)
	return m
}
