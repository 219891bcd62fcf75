package bind

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// compared puts together a join that is not inner and whose condition compares columns of
// both sides otherwise than by equalities. Which pairs there are the inner join says. A
// row of a side has a partner there if and only if some pair holds the values that the
// condition reads of it; so rows without one are those whose values no pair holds.
func (b *binder) compared(o *outerJoin, j *sql.Join) *relation {
	left, right := *o.sides[0], *o.sides[1]
	in := inputs{rels: []*relation{&left, &right}, conditions: slices.Clone(o.rest)}
	for i, l := range o.keys[0] {
		in.conditions = append(in.conditions, expr.Eq(l, o.keys[1][i]))
	}
	pairs := b.join(&in)
	switch j.Kind {
	case sql.SemiJoin:
		return b.lonely(o, pairs, 0, j, true)
	case sql.AntiJoin:
		return b.lonely(o, pairs, 0, j, false)
	}
	out := &relation{fields: o.fields(), bytes: left.bytes + right.bytes}
	parts := []*plan.Node{pairs.node.Project(out.all()...)}
	for side, kept := range o.keeps() {
		if !kept {
			continue
		}
		alone := b.lonely(o, pairs, side, j, false)
		columns := alone.all()
		for _, f := range o.sides[1-side].fields {
			if !taken(columns, f.column) {
				columns = append(columns, plan.As(f.column, expr.Null(f.typ)))
			}
		}
		parts = append(parts, alone.node.Project(columns...).Select(names(out.all())...))
	}
	out.node = plan.UnionAll(parts...)
	return out
}

// lonely is a side of a join with the rows that have a partner among pairs, or with the
// others.
func (b *binder) lonely(o *outerJoin, pairs *relation, side int, j *sql.Join, with bool) *relation {
	rel := *o.sides[side]
	read := make(map[string]bool)
	for _, e := range slices.Concat(o.rest, o.keys[side]) {
		for _, c := range e.Columns() {
			read[c] = true
		}
	}
	var held, asked []plan.Named // values of pairs, and of the side's rows
	var keys []string
	var on []plan.Pair
	for _, f := range rel.fields {
		if !read[f.column] {
			continue
		}
		read[f.column] = false
		zero := zeroOf(f.typ)
		if zero == nil {
			panic(sql.Unsupported(j.At, "Next: CAST it in a query in FROM.", string(j.Kind)+"s by other comparisons of lists"))
		}
		c := expr.Col(f.column)
		for _, e := range []*expr.Expr{expr.Coalesce(c, zero), expr.IsNull(c)} {
			k, l := b.unique("key"), b.unique("key")
			held, asked, keys = append(held, plan.As(k, e)), append(asked, plan.As(l, e)), append(keys, k)
			on = append(on, plan.On(k, l))
		}
	}
	mark := b.mark(pairs.node.Project(held...), keys)
	columns := rel.all()
	node := rel.node.Project(append(slices.Clone(columns), asked...)...)
	rel.node = mark.marked(node, on, with).Project(columns...)
	return &rel
}

func names(columns []plan.Named) []string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.Name
	}
	return all
}
