package bind

import (
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// inputs are the tables of a FROM that are joined by what they have in common, and
// what is known of their rows.
type inputs struct {
	rels       []*relation
	conditions []*expr.Expr // all of which are true
}

// from binds FROM and WHERE.
func (b *binder) from(s *sql.Select, w *withs) (*relation, error) {
	if s.From == nil {
		if b.catalog.Nothing == nil {
			return nil, sql.Unsupported(s.At, "", "queries without FROM")
		}
		rel := b.table("", b.catalog.Nothing)
		rel.fields, rel.order = nil, nil
		return b.where(s, rel)
	}
	var in inputs
	if err := b.collect(s.From, w, &in); err != nil {
		return nil, err
	}
	if err := distinctNames(in.rels, s.From); err != nil {
		return nil, err
	}
	sc := &scope{fields: in.fields(), aliases: aliasesOf(s), clause: "WHERE"}
	for _, c := range conjuncts(s.Where, nil) {
		if c.Kind == sql.In && c.Query != nil && !c.Not {
			if err := b.semi(c, sc, w, &in); err != nil {
				return nil, err
			}
			continue
		}
		v, err := b.condition(c, sc)
		if err != nil {
			return nil, err
		}
		in.conditions = append(in.conditions, expr.Conjuncts(v)...)
	}
	if len(in.rels) > 1 {
		return b.join(&in, s.From)
	}
	rel := in.rels[0]
	if where := expr.Conjoin(in.conditions); where != nil {
		rel.node = rel.node.Filter(where)
	}
	return rel, nil
}

// conjuncts appends the conditions that must all be true for a condition to be.
func conjuncts(e *sql.Expr, dst []*sql.Expr) []*sql.Expr {
	switch {
	case e == nil:
		return dst
	case e.Kind == sql.Binary && e.Text == "AND":
		return conjuncts(e.Args[1], conjuncts(e.Args[0], dst))
	}
	return append(dst, e)
}

// semi adds the values of a query as a table that the rows are joined to, by IN. It
// has each value once, so that a row stays one row.
func (b *binder) semi(e *sql.Expr, sc *scope, w *withs, in *inputs) error {
	v, err := b.expr(e.Args[0], sc)
	if err != nil {
		return err
	}
	if len(v.e.Columns()) == 0 {
		return sql.Unsupported(e.At, "", "conditions with IN (SELECT …) of a constant")
	}
	rel, err := b.query(e.Query, w)
	if err != nil {
		return err
	}
	fields := rel.visible()
	if len(fields) != 1 {
		return sql.Wrong(e.Query.At, "", "the query of IN has %d columns, and one is needed", len(fields))
	}
	both, err := b.comparable(v, columnOf(fields[0]), e.Args[0].At, e.Query.At)
	if err != nil {
		return err
	}
	name := b.unique("in")
	in.conditions = append(in.conditions, expr.Eq(both[0].e, expr.Col(name)))
	in.rels = append(in.rels, &relation{
		node:   rel.node.Project(plan.As(name, both[1].e)).Distinct(name),
		fields: []field{{column: name, typ: both[1].t, merged: true}},
		bytes:  rel.bytes, semi: true,
	})
	return nil
}

func (b *binder) where(s *sql.Select, rel *relation) (*relation, error) {
	if s.Where == nil {
		return rel, nil
	}
	v, err := b.condition(s.Where, &scope{fields: rel.fields, aliases: aliasesOf(s), clause: "WHERE"})
	if err != nil {
		return nil, err
	}
	rel.node = rel.node.Filter(v)
	return rel, nil
}

// distinctNames refuses two tables of one name.
func distinctNames(rels []*relation, from *sql.From) error {
	seen := make(map[string]bool)
	for _, r := range rels {
		if len(r.fields) == 0 {
			continue
		}
		name := strings.ToLower(r.fields[0].table)
		if name != "" && seen[name] {
			return sql.Wrong(from.At, "Next: give one of them another name with AS.", "there are two tables of the name %q", r.fields[0].table)
		}
		seen[name] = true
	}
	return nil
}

func (in *inputs) fields() []field {
	var all []field
	for _, r := range in.rels {
		all = append(all, r.fields...)
	}
	return all
}

// collect binds the tables of inner joins one by one.
func (b *binder) collect(f *sql.From, w *withs, in *inputs) error {
	if f.Join == nil {
		rel, err := b.item(f, w)
		if err == nil {
			in.rels = append(in.rels, rel)
		}
		return err
	}
	j := f.Join
	switch j.Kind {
	case sql.InnerJoin, sql.CrossJoin, sql.CommaJoin:
	default:
		return sql.Unsupported(j.At, "Next: an inner join keeps the rows that have a partner.", string(j.Kind)+"s")
	}
	if f.Alias != "" {
		return sql.Unsupported(f.At, "Next: name the tables in it.", "names of joins")
	}
	if err := b.collect(j.Left, w, in); err != nil {
		return err
	}
	n := len(in.rels)
	if err := b.collect(j.Right, w, in); err != nil {
		return err
	}
	return b.joinCondition(j, in, n)
}

// joinCondition adds the condition of a join, of which the right side begins with
// input n.
func (b *binder) joinCondition(j *sql.Join, in *inputs, n int) error {
	left, right := (&inputs{rels: in.rels[:n]}).fields(), in.rels[n:]
	using := j.Using
	if j.Natural {
		for _, r := range right {
			for _, f := range r.visible() {
				if indexOf(left, f.name) >= 0 {
					using = append(using, f.name)
				}
			}
		}
		if len(using) == 0 {
			return sql.Wrong(j.At, "", "the two tables have no column in common")
		}
	}
	for _, name := range using {
		if err := b.using(j, name, left, right, in); err != nil {
			return err
		}
	}
	if j.On == nil {
		return nil
	}
	v, err := b.condition(j.On, &scope{fields: in.fields(), clause: "ON"})
	if err != nil {
		return err
	}
	in.conditions = append(in.conditions, expr.Conjuncts(v)...)
	return nil
}

func (b *binder) using(j *sql.Join, name string, left []field, right []*relation, in *inputs) error {
	column := &sql.Expr{Kind: sql.Column, Path: []string{name}, At: j.At}
	l, err := (&scope{fields: left}).resolve(column)
	if err != nil {
		return err
	}
	var rights []field
	for _, r := range right {
		rights = append(rights, r.fields...)
	}
	r, err := (&scope{fields: rights}).resolve(column)
	if err != nil {
		return err
	}
	both, err := b.comparable(columnOf(l), columnOf(r), j.At, j.At)
	if err != nil {
		return err
	}
	in.conditions = append(in.conditions, expr.Eq(both[0].e, both[1].e))
	for _, rel := range right {
		for i := range rel.fields {
			if rel.fields[i].column == r.column {
				rel.fields[i].merged = true
			}
		}
	}
	return nil
}

// item binds one table.
func (b *binder) item(f *sql.From, w *withs) (*relation, error) {
	switch {
	case f.Lateral:
		return nil, sql.Unsupported(f.At, "", "lateral joins")
	case f.Call != nil:
		return nil, sql.Unsupported(f.Call.At, "", "table functions such as "+f.Call.Text)
	case f.Query != nil:
		rel, err := b.query(f.Query, w)
		if err != nil {
			return nil, err
		}
		return rel.renamed(f.Alias, f.Columns, f.At)
	case f.File != "":
		t := b.catalog.Files[f.File]
		if t == nil {
			return nil, sql.Wrong(f.At, "", "there is no file %q", f.File)
		}
		name := f.Alias
		if name == "" {
			name = fileTable(f.File)
		}
		return b.table(name, t).renamed(name, f.Columns, f.At)
	}
	if len(f.Path) > 1 {
		return nil, sql.Unsupported(f.At, "", "schemas of tables")
	}
	name := f.Path[0]
	alias := name
	if f.Alias != "" {
		alias = f.Alias
	}
	for with := w; with != nil; with = with.outer {
		if with.name == strings.ToLower(name) {
			return b.reference(with).renamed(alias, f.Columns, f.At)
		}
	}
	if t := b.catalog.Tables[strings.ToLower(name)]; t != nil {
		return b.table(alias, t).renamed(alias, f.Columns, f.At)
	}
	var known []string
	for with := w; with != nil; with = with.outer {
		known = append(known, with.name)
	}
	for name := range b.catalog.Tables {
		known = append(known, name)
	}
	hint := "Next: write the file's name in quotes, or give --table " + name + "=FILE."
	if near := nearest(name, known); near != "" {
		hint = "Did you mean " + sql.QuoteName(near) + "?"
	}
	return nil, sql.Wrong(f.At, hint, "there is no table %q", name)
}

// fileTable is the name that a file has as a table: its own, without the directory
// and what is behind the first point.
func fileTable(file string) string {
	name := file[strings.LastIndexByte(file, '/')+1:]
	if n := strings.IndexByte(name, '.'); n > 0 {
		name = name[:n]
	}
	return name
}

// reference returns the rows of a query of WITH. If they are read more than once the
// columns have other names each time.
func (b *binder) reference(w *withs) *relation {
	rel := *w.rel
	rel.fields = slices.Clone(rel.fields)
	if !w.used {
		w.used = true
		return &rel
	}
	var out []plan.Named
	renamed := make(map[string]string)
	add := func(column string) string {
		if renamed[column] == "" {
			renamed[column] = b.unique(column)
			out = append(out, plan.As(renamed[column], expr.Col(column)))
		}
		return renamed[column]
	}
	for i := range rel.fields {
		rel.fields[i].column = add(rel.fields[i].column)
	}
	rel.order = slices.Clone(rel.order)
	for i := range rel.order {
		rel.order[i].Column = add(rel.order[i].Column)
	}
	rel.node = rel.node.Project(out...)
	return &rel
}

// table makes the relation of a table, whose order is that of its files.
func (b *binder) table(alias string, t *Table) *relation {
	rel := &relation{bytes: t.Bytes}
	file := ""
	if len(t.Parts) > 1 {
		file = b.unique("file")
		rel.order = append(rel.order, plan.Asc(file))
	}
	same := file == "" && len(t.Constants) == 0
	var names []string
	for _, c := range t.Parts[0].Columns {
		name := b.unique(c.Name)
		same = same && name == c.Name
		names = append(names, name)
		if c.Format == columnar.FormatPosition {
			rel.order = append(rel.order, plan.Asc(name))
			continue
		}
		rel.fields = append(rel.fields, field{table: alias, name: c.Name, column: name, typ: c.Format.Type()})
	}
	if same {
		rel.node = plan.From(t.Parts[0].Name)
		return rel
	}
	constants := make([]string, len(t.Constants))
	for i, c := range t.Constants {
		constants[i] = b.unique(c.Name)
		rel.fields = append(rel.fields, field{table: alias, name: c.Name, column: constants[i], typ: c.Type})
	}
	var parts []*plan.Node
	for i, part := range t.Parts {
		var columns []plan.Named
		for j, c := range part.Columns {
			columns = append(columns, plan.As(names[j], expr.Col(c.Name)))
		}
		if file != "" {
			columns = append(columns, plan.As(file, expr.Int(int64(i))))
		}
		for j, c := range t.Constants {
			columns = append(columns, plan.As(constants[j], c.Values[i]))
		}
		parts = append(parts, plan.From(part.Name).Project(columns...))
	}
	rel.node = parts[0]
	if len(parts) > 1 {
		rel.node = plan.UnionAll(parts...)
	}
	return rel
}

// join puts inputs together by equalities between them. The largest one is read
// last, past the others, which are kept.
func (b *binder) join(in *inputs, from *sql.From) (*relation, error) {
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
		if next < 0 {
			return nil, sql.Unsupported(from.At, "Next: say in ON or WHERE which columns are equal.", "joins without an equality between the tables")
		}
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
	return &sum, nil
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

// nextInput returns the smallest input that an edge connects to those joined, -1 if
// there is none.
func nextInput(rels []*relation, edges []*expr.Expr, owner map[string]int, joined map[int]bool) int {
	best := -1
	for _, e := range edges {
		for _, of := range ownersOf(e, owner) {
			if !joined[of] && connects(e, owner, joined, of) && (best < 0 || cmp.Less(rels[of].bytes, rels[best].bytes)) {
				best = of
			}
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
		out = append(out, plan.As(f.column, expr.Col(f.column)))
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
