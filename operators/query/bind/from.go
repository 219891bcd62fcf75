package bind

import (
	"maps"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// inputs are the relations of a FROM that are inner-joined, and the conditions on their
// rows.
type inputs struct {
	b          *binder
	rels       []*relation
	conditions []*expr.Expr // all of which must be true
	where      *sql.Expr    // of the SELECT
	queries    *subqueries  // those within conditions; nil where none are allowed
	late       []*expr.Expr // conditions that read the values of queries
}

// from binds FROM and WHERE.
func (w around) from(s *sql.Select) *relation {
	in := inputs{b: w.b, where: s.Where, queries: newSubqueries(w.b, w.with)}
	switch {
	case s.From == nil:
		in.rels = []*relation{w.b.nothing(s.At)}
	case s.Sample != nil:
		in.rels = []*relation{w.b.sampled(w.tables(s.From), s.Sample)}
	default:
		in.collect(s.From, w)
		distinctNames(in.rels, s.From)
	}
	fields := in.fields()
	sc := w.scope("WHERE", fields)
	sc.places, sc.aliases, sc.queries = placesOf(fields), aliasesOf(s), in.queries
	late := in.late // and conditions that read columns of the query around
	parts := 0
	for _, c := range conjuncts(s.Where, nil) {
		if in.percentile(c, s.From, sc) || in.semi(c, sc) {
			continue
		}
		v := sc.condition(c)
		if parts += w.b.PartsOf(v); parts > expr.MostParts {
			panic(scalar.TooManyParts(s.Where.At))
		}
		if usesHidden(v, sc.queries) {
			late = append(late, v)
			continue
		}
		for _, c := range expr.Conjuncts(v) {
			for _, c := range append([]*expr.Expr{c}, inEveryCase(c)...) {
				if w.outer.reads(c) {
					late = append(late, c)
				} else {
					in.conditions = append(in.conditions, c)
				}
			}
		}
	}
	rel := in.join()
	sc.queries.attach(rel)
	rel.filter(late)
	return rel
}

// conjuncts appends the operands of the ANDs of a condition.
func conjuncts(e *sql.Expr, dst []*sql.Expr) []*sql.Expr {
	switch {
	case e == nil:
		return dst
	case e.Kind == sql.Binary && e.Text == "AND":
		return conjuncts(e.Args[1], conjuncts(e.Args[0], dst))
	}
	return append(dst, e)
}

// inEveryCase returns the conditions that occur in every alternative of an OR, and so must
// be true whenever the OR is. Equalities that join tables are often repeated in each.
func inEveryCase(c *expr.Expr) []*expr.Expr {
	if c.Op != expr.OpOr {
		return nil
	}
	var shared []*expr.Expr
	for i, way := range expr.Disjuncts(c) {
		all := expr.Conjuncts(way)
		if i == 0 {
			shared = slices.Clone(all)
			continue
		}
		shared = slices.DeleteFunc(shared, func(c *expr.Expr) bool {
			return !slices.ContainsFunc(all, func(o *expr.Expr) bool { return o.String() == c.String() })
		})
	}
	return shared
}

// distinctNames refuses two tables with the same name in the same schema.
func distinctNames(rels []*relation, from *sql.From) {
	seen := make(map[string]bool)
	for _, r := range rels {
		own := make(map[string]bool)
		for _, f := range r.fields {
			name := strings.ToLower(f.schema + "." + f.table)
			if f.table != "" && seen[name] {
				panic(sql.Wrong(from.At, "Next: give one of them another name with AS.", "there are two tables of the name %q", f.table))
			}
			own[name] = true
		}
		maps.Copy(seen, own)
	}
}

// tables binds what FROM has, or a side of a join, as one relation.
func (w around) tables(f *sql.From) *relation {
	in := inputs{b: w.b}
	in.collect(f, w)
	distinctNames(in.rels, f)
	return in.join()
}

func (in *inputs) fields() []field { return fieldsOf(in.rels) }

func fieldsOf(rels []*relation) []field {
	return slices.Concat(columnar.Each(rels, func(r *relation) []field { return r.fields })...)
}

// collect adds the tables of inner joins to in, one by one, and any other join as one
// relation.
func (in *inputs) collect(f *sql.From, w around) {
	if f.Join == nil {
		in.collectItem(f, w)
		return
	}
	j := f.Join
	if f.Alias != "" {
		panic(sql.Unsupported(f.At, "Next: name the tables in it.", "names of joins"))
	}
	inner := j.Kind == sql.InnerJoin || j.Kind == sql.CrossJoin || j.Kind == sql.CommaJoin
	switch {
	case isLateral(j.Right) && !j.Asof && (inner || j.Kind == sql.LeftJoin):
		in.lateralJoin(j, w)
		return
	case j.Asof:
		in.rels = append(in.rels, w.asof(f))
		return
	case j.Kind == sql.PositionalJoin:
		in.rels = append(in.rels, w.positional(f))
		return
	case !inner:
		in.rels = append(in.rels, w.outerJoined(f))
		return
	}
	left := len(in.rels)
	in.collect(j.Left, w)
	right := len(in.rels)
	in.collect(j.Right, w)
	in.joinCondition(j, w, left, right)
}

// collectItem adds one table to in. A query may read columns of the tables before it.
func (in *inputs) collectItem(f *sql.From, w around) {
	if f.Query == nil || len(in.rels) == 0 {
		in.rels = append(in.rels, w.item(f))
		return
	}
	before := enclosed(w.scope("FROM", in.fields()))
	rel := around{b: in.b, with: w.with, outer: before}.item(f)
	if len(before.own) > 0 {
		in.conditions = append(in.conditions, in.b.lateralQuery(rel, before, func() *relation {
			left := in.join()
			in.rels, in.conditions = []*relation{left}, nil
			return left
		})...)
	}
	in.rels = append(in.rels, rel)
}

// lateralQuery makes the relation of a query in FROM one that does not read columns of the
// tables before it, and returns the conditions of its join with them. before joins these tables;
// it is called only if the query must be computed for each of their rows.
func (b *binder) lateralQuery(rel *relation, outer *enclosing, before func() *relation) (conditions []*expr.Expr) {
	if lifted, ok := rules.Lift(b.Work, rel.node, outer.own, b.tables, b.Fresh); ok {
		rel.node = lifted.Node
		for _, c := range lifted.Conditions {
			for _, column := range c.Columns() {
				if !outer.all[column] && !slices.ContainsFunc(rel.fields, func(f field) bool { return f.column == column }) {
					rel.fields = append(slices.Clone(rel.fields), b.hidden(column, b.Types[column]))
				}
			}
		}
		return lifted.Conditions
	}
	in := &inner{b: b, rel: rel, value: rel.fields}
	in.applied(outer, false)
	left := before()
	in.apply.node.Inputs[0] = left.node.Project(in.apply.columns...).Distinct(names(in.apply.columns)...)
	rel.fields, rel.order = slices.Clone(in.value), nil
	for i, key := range in.keys {
		rel.fields = append(rel.fields, b.hidden(key, b.Types[key]))
		conditions = append(conditions, expr.Eq(in.outer[i], expr.Col(key)))
	}
	return conditions
}

// lateralJoin binds the join of the left side with the items of lists in its columns.
func (in *inputs) lateralJoin(j *sql.Join, w around) {
	if len(j.Using) > 0 || j.Natural {
		panic(sql.Unsupported(j.At, "Next: write what is to be equal with ON.", "joins with items of lists by USING and NATURAL"))
	}
	own := inputs{b: in.b, where: in.where}
	own.collect(j.Left, w)
	always := j.On != nil && j.On.Kind == sql.Boolean && j.On.Text == "TRUE"
	if j.Kind == sql.LeftJoin && !always {
		panic(sql.Unsupported(j.At, "Next: write ON TRUE, and conditions in a query in FROM.", "outer joins with items of lists by a condition"))
	}
	own.lateral(j.Right, w, j.Kind == sql.LeftJoin)
	in.rels = append(in.rels, own.rels...)
	if j.On != nil && !always {
		v := w.scope("ON", own.fields()).condition(j.On)
		in.conditions = append(in.conditions, expr.Conjuncts(v)...)
	}
}

// joinCondition adds the conditions of a join. Its sides are the inputs from left to right,
// and from right on.
func (in *inputs) joinCondition(j *sql.Join, w around, left, right int) {
	on := w.scope("ON", in.fields())
	on.queries = in.queries
	using, conditions := in.b.joinConditions(j, fieldsOf(in.rels[left:right]), fieldsOf(in.rels[right:]), on)
	for _, c := range conditions {
		if in.queries != nil && usesHidden(c, in.queries) {
			in.late = append(in.late, c)
		} else {
			in.conditions = append(in.conditions, c)
		}
	}
	for _, both := range using {
		for _, rel := range in.rels[right:] {
			rel.merge(both[1].column)
		}
	}
}

// joinConditions binds the conditions of a join, those of ON in the scope on. It also returns the pairs of columns that USING or NATURAL merges.
func (b *binder) joinConditions(j *sql.Join, left, right []field, on *scope) (using [][2]field, conditions []*expr.Expr) {
	for _, name := range usingOf(j, left, right) {
		column := j.At.Column(name)
		l, r := namespace{fields: left}.mustResolve(column), namespace{fields: right}.mustResolve(column)
		using = append(using, [2]field{l, r})
		conditions = append(conditions, scalar.Compare(expr.OpEq, b.columnOf(l, j.At), b.columnOf(r, j.At)))
	}
	if j.On != nil {
		conditions = append(conditions, expr.Conjuncts(on.condition(j.On))...)
	}
	return using, conditions
}

// usingOf returns the names of the columns that a join compares by USING or NATURAL.
func usingOf(j *sql.Join, left, right []field) []string {
	names := j.Using
	if !j.Natural {
		return names
	}
	for _, f := range right {
		if at := indexOf(left, f.name); at >= 0 && !f.merged && !f.virtual && !left[at].virtual {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		panic(sql.Wrong(j.At, "", "the two tables have no column in common"))
	}
	return names
}

// merge marks a column as one that only its table and name together find.
func (r *relation) merge(column string) {
	for i := range r.fields {
		if r.fields[i].column == column {
			r.fields[i].merged = true
		}
	}
}
