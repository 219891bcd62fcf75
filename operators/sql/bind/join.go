package bind

import (
	"cmp"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
)

// join puts inputs together by equalities between them, and those that have none
// with all rows of the others. The largest one is read last, past the others, which
// are kept.
func (b *binder) join(in *inputs) *relation {
	if len(in.rels) == 1 {
		rel := in.rels[0]
		if where := expr.Conjoin(in.conditions); where != nil {
			rel.node = rel.node.Filter(where)
		}
		return rel
	}
	owner, schema := make(map[string]int), columnar.Schema{}
	for i, r := range in.rels {
		for _, f := range r.fields {
			owner[f.column] = i
			schema = append(schema, columnar.Field{Name: f.column, Type: f.typ})
		}
	}
	var edges, rest []*expr.Expr
	for _, c := range in.conditions {
		c := sameTypes(c, schema)
		switch of := ownersOf(c, owner); {
		case len(of) == 1:
			in.rels[of[0]].node = in.rels[of[0]].node.Filter(c)
		case isEdge(c, owner) && !hasWide(c, schema):
			edges = append(edges, c)
		default:
			rest = append(rest, c)
		}
	}
	largest := 0
	for i, r := range in.rels {
		if r.bytes > in.rels[largest].bytes {
			largest = i
		}
	}
	joined, sum := map[int]bool{largest: true}, *in.rels[largest]
	for len(joined) < len(in.rels) {
		next := nextInput(in.rels, edges, owner, joined)
		edges = b.joinOne(&sum, in.rels[next], next, edges, owner, joined)
		joined[next] = true
	}
	sum.fields, sum.order = in.fields(), nil
	if rows := slices.DeleteFunc(slices.Clone(in.rels), func(r *relation) bool { return r.semi }); len(rows) == 1 {
		sum.order = rows[0].order
	}
	if where := expr.Conjoin(append(rest, edges...)); where != nil {
		sum.node = sum.node.Filter(where)
	}
	return &sum
}

// ownersOf returns the inputs whose columns an expression reads.
func ownersOf(e *expr.Expr, owner map[string]int) []int {
	var of []int
	for _, c := range e.Columns() {
		of = append(of, owner[c])
	}
	slices.Sort(of)
	return slices.Compact(of)
}

// sameTypes makes the sides of an equality of two types of numbers values of one, by
// which rows can be joined. A sum of decimals stays what it is.
func sameTypes(c *expr.Expr, schema columnar.Schema) *expr.Expr {
	if c.Op != expr.OpEq {
		return c
	}
	a, errA := c.Args[0].TypeOf(schema)
	b, errB := c.Args[1].TypeOf(schema)
	switch {
	case errA != nil || errB != nil || a == b || a == columnar.Wide || b == columnar.Wide:
		return c
	case a == columnar.Float || b == columnar.Float:
		return expr.Eq(expr.ToFloat(c.Args[0]), expr.ToFloat(c.Args[1]))
	}
	return expr.Eq(expr.ToDecimal(c.Args[0]), expr.ToDecimal(c.Args[1]))
}

// hasWide reports whether one side of an equality alone is a sum of decimals.
func hasWide(c *expr.Expr, schema columnar.Schema) bool {
	a, _ := c.Args[0].TypeOf(schema)
	b, _ := c.Args[1].TypeOf(schema)
	return a != b
}

// isEdge reports whether a condition is an equality between two inputs.
func isEdge(c *expr.Expr, owner map[string]int) bool {
	if c.Op != expr.OpEq {
		return false
	}
	a, b := ownersOf(c.Args[0], owner), ownersOf(c.Args[1], owner)
	return len(a) == 1 && len(b) == 1 && a[0] != b[0]
}

// nextInput returns the smallest input that an edge connects to those joined, or if
// there is none the smallest of all.
func nextInput(rels []*relation, edges []*expr.Expr, owner map[string]int, joined map[int]bool) int {
	best, connected := -1, false
	for _, e := range edges {
		for _, of := range ownersOf(e, owner) {
			if !joined[of] && connects(e, owner, joined, of) && (best < 0 || cmp.Less(rels[of].bytes, rels[best].bytes)) {
				best, connected = of, true
			}
		}
	}
	for of := range rels {
		if best < 0 && !joined[of] || best >= 0 && !connected && !joined[of] && rels[of].bytes < rels[best].bytes {
			best = of
		}
	}
	return best
}

// connects reports whether an edge is between an input and one of those joined.
func connects(e *expr.Expr, owner map[string]int, joined map[int]bool, input int) bool {
	of := ownersOf(e, owner)
	return len(of) == 2 && (of[0] == input && joined[of[1]] || of[1] == input && joined[of[0]])
}

// joinOne joins an input to what was joined before, which is read past it, and
// returns the edges that are left.
func (b *binder) joinOne(sum, rel *relation, input int, edges []*expr.Expr, owner map[string]int, joined map[int]bool) []*expr.Expr {
	var left []*expr.Expr
	var on []plan.Pair
	replaced := make(map[string]string) // columns of the probe side that the join drops
	buildKeys, probeKeys := rel.all(), sum.all()
	for _, e := range edges {
		if !connects(e, owner, joined, input) {
			left = append(left, e)
			continue
		}
		build, probe := e.Args[0], e.Args[1]
		if ownersOf(build, owner)[0] != input {
			build, probe = probe, build
		}
		x, y := keyColumn(b, build, rel, &buildKeys), keyColumn(b, probe, sum, &probeKeys)
		if _, twice := replaced[y]; twice {
			left = append(left, e)
			continue
		}
		replaced[y] = x
		on = append(on, plan.On(x, y))
	}
	build, probe := rel.node, sum.node
	if len(buildKeys) > len(rel.all()) {
		build = build.Project(buildKeys...)
	}
	if len(probeKeys) > len(sum.all()) {
		probe = probe.Project(probeKeys...)
	}
	out := rel.all()
	for _, c := range sum.all() {
		if x, ok := replaced[c.Name]; ok {
			c.Expr = expr.Col(x)
		}
		out = append(out, c)
	}
	sum.node = build.Join(probe, on...).Project(out...)
	sum.fields = append(slices.Clone(rel.fields), sum.fields...)
	sum.order = append(slices.Clone(rel.order), sum.order...)
	sum.bytes += rel.bytes
	return left
}

// all are the columns of a relation that are fields, and those of its order.
func (r *relation) all() []plan.Named {
	var out []plan.Named
	for _, f := range r.fields {
		if !taken(out, f.column) {
			out = append(out, plan.As(f.column, expr.Col(f.column)))
		}
	}
	for _, o := range r.order {
		if !taken(out, o.Column) {
			out = append(out, plan.As(o.Column, expr.Col(o.Column)))
		}
	}
	return out
}

// keyColumn returns the column that holds a key, which is made if it is computed, or
// a float, of which -0 equals 0 but is not the same.
func keyColumn(b *binder, e *expr.Expr, rel *relation, columns *[]plan.Named) string {
	if e.Op == expr.OpColumn {
		i := slices.IndexFunc(rel.fields, func(f field) bool { return f.column == e.Name })
		if rel.fields[i].typ != columnar.Float {
			return e.Name
		}
	}
	name := b.unique("key")
	*columns = append(*columns, plan.As(name, e))
	return name
}
