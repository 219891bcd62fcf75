package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// join joins inputs by the equalities between them, and as a cross product where there are none.
// The largest input is the last probe side, and the others are build sides. Each of those in turn
// is the probe side of the inputs that are joined to it.
func (b *binder) join(in *inputs) *relation {
	if len(in.rels) == 1 {
		in.rels[0].filter(in.conditions)
		return in.rels[0]
	}
	owner, schema := ownersIn(in.rels...)
	var edges, rest []*expr.Expr
	for _, c := range in.conditions {
		c := sameTypes(c, schema)
		switch of := ownersOf(c, owner); {
		case isFurther(c, owner):
			rest = append(rest, c)
		case len(of) == 1:
			in.rels[of[0]].node = in.rels[of[0]].node.Filter(c)
		case isEdge(c, owner):
			edges = append(edges, c)
		default:
			for i, own := range ofOneInput(c, owner) {
				in.rels[i].node = in.rels[i].node.Filter(own)
			}
			rest = append(rest, c)
		}
	}
	t := newJoinTree(b.work, in.rels, edges, owner)
	sum, left := b.grow(t, t.root), t.left()
	sum.fields, sum.order = in.fields(), nil
	if rows := slices.DeleteFunc(slices.Clone(in.rels), func(r *relation) bool { return r.semi }); len(rows) == 1 {
		sum.order = rows[0].order
	}
	sum.filter(append(rest, left...))
	return sum
}

// ownersIn returns which relation each column belongs to, and the types of all columns.
func ownersIn(rels ...*relation) (owner map[string]int, schema columnar.Schema) {
	owner = make(map[string]int)
	for i, r := range rels {
		for _, f := range r.fields {
			owner[f.column] = i
			schema = append(schema, columnar.Field{Name: f.column, Type: f.typ})
		}
	}
	return owner, schema
}

// filter keeps the rows for which all conditions are true.
func (r *relation) filter(conditions []*expr.Expr) {
	if where := expr.Conjoin(conditions); where != nil {
		r.node = r.node.Filter(where)
	}
}

// grow joins an input with its children in the tree, which are first joined with theirs.
func (b *binder) grow(t *joinTree, input int) *relation {
	sum := *t.rels[input]
	for _, child := range t.children[input] {
		b.joinOne(&sum, b.grow(t, child), t.pairs[child])
	}
	return &sum
}

// ofOneInput returns, for each input that every alternative of an OR restricts, the condition on
// that input alone which the OR implies.
func ofOneInput(c *expr.Expr, owner map[string]int) map[int]*expr.Expr {
	if c.Op != expr.OpOr {
		return nil
	}
	all := make(map[int]*expr.Expr)
	for _, of := range ownersOf(c, owner) {
		var own []*expr.Expr
		for _, way := range alternatives(c, nil) {
			mine := slices.DeleteFunc(expr.Conjuncts(way), func(c *expr.Expr) bool { return !slices.Equal(ownersOf(c, owner), []int{of}) })
			if len(mine) == 0 {
				own = nil
				break
			}
			own = append(own, expr.Conjoin(mine))
		}
		if own != nil {
			all[of] = expr.Or(own...)
		}
	}
	return all
}

// ownersOf returns the inputs whose columns an expression reads.
func ownersOf(e *expr.Expr, owner map[string]int) []int {
	var of []int
	for _, c := range e.Columns() {
		if input, ok := owner[c]; ok {
			of = append(of, input)
		}
	}
	slices.Sort(of)
	return slices.Compact(of)
}

// isFurther reports whether an expression reads columns of the query around.
func isFurther(e *expr.Expr, owner map[string]int) bool {
	return slices.ContainsFunc(e.Columns(), func(c string) bool { _, ok := owner[c]; return !ok })
}

// sameTypes converts the sides of an equality between two numeric types, or between a date and a
// timestamp, to one type, by which rows can be joined.
func sameTypes(c *expr.Expr, schema columnar.Schema) *expr.Expr {
	if c.Op != expr.OpEq {
		return c
	}
	a, errA := c.Args[0].TypeOf(schema)
	b, errB := c.Args[1].TypeOf(schema)
	if errA != nil || errB != nil || a == b {
		return c
	}
	both := ofOneType(typed{e: c.Args[0], t: a}, typed{e: c.Args[1], t: b})
	return expr.Eq(both[0], both[1])
}

// isEdge reports whether a condition is an equality between two inputs.
func isEdge(c *expr.Expr, owner map[string]int) bool {
	if c.Op != expr.OpEq {
		return false
	}
	a, b := ownersOf(c.Args[0], owner), ownersOf(c.Args[1], owner)
	return len(a) == 1 && len(b) == 1 && a[0] != b[0]
}

// joinOne joins sum with rel, which is the build side, by pairs of equal expressions: of rel and
// of sum.
func (b *binder) joinOne(sum, rel *relation, pairs [][2]*expr.Expr) {
	var keys [2][]*expr.Expr
	for _, p := range pairs {
		keys[0], keys[1] = append(keys[0], p[0]), append(keys[1], p[1])
	}
	build, on := b.keyed(rel, keys[0])
	probe, with := b.keyed(sum, keys[1])
	out := rel.all()
	for _, c := range sum.all() {
		if i := slices.Index(with, c.Name); i >= 0 { // the join drops this key
			c.Expr = expr.Col(on[i])
		}
		out = append(out, c)
	}
	b.work.Do(len(out))
	sum.node = build.Join(probe, pairsOf(on, with)...).Project(out...)
	sum.fields = append(slices.Clone(rel.fields), sum.fields...)
	sum.order = append(slices.Clone(rel.order), sum.order...)
	sum.bytes += rel.bytes
}

// all returns the columns of a relation: its fields, and those of its order.
func (r *relation) all() []plan.Named {
	names := each(r.fields, func(f field) string { return f.column })
	order := each(r.order, func(o plan.Order) string { return o.Column })
	return plan.Cols(distinct(append(names, order...))...)
}

// distinct keeps the first occurrence of each name.
func distinct(names []string) []string {
	seen := make(map[string]bool)
	return slices.DeleteFunc(names, func(name string) bool {
		before := seen[name]
		seen[name] = true
		return before
	})
}
