package bind

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/window"
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
		own := inputs{b: w.b}
		own.collect(s.From, w)
		distinctNames(own.rels, s.From)
		in.rels = []*relation{w.b.sampled(own.join(), s.Sample)}
	default:
		in.collect(s.From, w)
		distinctNames(in.rels, s.From)
	}
	fields := in.fields()
	sc := &scope{b: w.b, fields: fields, places: placesOf(fields), aliases: aliasesOf(s), clause: "WHERE", queries: in.queries, outer: w.outer}
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
	for i, way := range alternatives(c, nil) {
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

func alternatives(c *expr.Expr, dst []*expr.Expr) []*expr.Expr {
	if c.Op != expr.OpOr {
		return append(dst, c)
	}
	for _, a := range c.Args {
		dst = alternatives(a, dst)
	}
	return dst
}

// distinctNames refuses two tables with the same name.
func distinctNames(rels []*relation, from *sql.From) {
	seen := make(map[string]bool)
	for _, r := range rels {
		own := make(map[string]bool)
		for _, f := range r.fields {
			name := strings.ToLower(f.table)
			if name != "" && seen[name] {
				panic(sql.Wrong(from.At, "Next: give one of them another name with AS.", "there are two tables of the name %q", f.table))
			}
			own[name] = true
		}
		maps.Copy(seen, own)
	}
}

func (in *inputs) fields() []field { return fieldsOf(in.rels) }

func fieldsOf(rels []*relation) []field {
	return slices.Concat(sql.Each(rels, func(r *relation) []field { return r.fields })...)
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
	before := enclosed(&scope{b: in.b, fields: in.fields(), clause: "FROM", outer: w.outer})
	rel := around{b: in.b, with: w.with, outer: before}.item(f)
	if len(before.own) > 0 {
		in.conditions = append(in.conditions, in.b.lateralQuery(rel, before, f.At, func() *relation {
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
func (b *binder) lateralQuery(rel *relation, outer *enclosing, at sql.Span, before func() *relation) (conditions []*expr.Expr) {
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
		v := (&scope{b: in.b, fields: own.fields(), clause: "ON", outer: w.outer}).condition(j.On)
		in.conditions = append(in.conditions, expr.Conjuncts(v)...)
	}
}

// joinCondition adds the conditions of a join. Its sides are the inputs from left to right,
// and from right on.
func (in *inputs) joinCondition(j *sql.Join, w around, left, right int) {
	on := &scope{b: in.b, fields: in.fields(), clause: "ON", queries: in.queries, outer: w.outer}
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
		column := &sql.Expr{Kind: sql.Column, Path: []string{name}, At: j.At}
		l, r := (&scope{b: b, fields: left}).mustResolve(column), (&scope{b: b, fields: right}).mustResolve(column)
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

// item binds one table under its name.
func (w around) item(f *sql.From) *relation {
	rel, name := w.source(f)
	w.b.Work.Do(len(rel.fields))
	for _, f := range rel.fields {
		w.b.Types[f.column] = f.typ
	}
	if f.Sample != nil {
		same := *rel
		rel = w.b.sampled(&same, f.Sample)
	}
	return rel.renamed(cmp.Or(f.Alias, name), f.Columns, f.At)
}

// source binds one table, and returns its default name, which an alias replaces.
func (w around) source(f *sql.From) (rel *relation, name string) {
	switch {
	case f.Call != nil && sql.ReadsFile(f.Call):
		return w.b.readFile(f.Call), strings.ToLower(f.Call.Text)
	case makesRows(f.Call):
		return w.made(f), f.Call.Text
	case f.Call != nil:
		panic(noTableFunction(f.Call))
	case f.Query != nil:
		return w.query(f.Query), ""
	case f.Pivot != nil:
		return w.pivot(f), ""
	case f.Unpivot != nil:
		return w.unpivot(f), ""
	case f.File != "":
		t := w.b.catalog.Files[f.File]
		if t == nil {
			panic(sql.Wrong(f.At, "", "there is no file %q", f.File))
		}
		return w.b.table(t), fileTable(f.File)
	}
	if len(f.Path) > 1 {
		panic(noSchemas(f.At))
	}
	name = f.Path[0]
	var all []string
	for with := w.with; with != nil; with = with.outer {
		if with.name == strings.ToLower(name) {
			return w.b.reference(with), name
		}
		all = append(all, with.name)
	}
	if view := w.b.view(f); view != nil {
		return w.b.reference(view), name
	}
	if t := w.b.catalog.Tables[strings.ToLower(name)]; t != nil {
		return w.b.table(t), name
	}
	all = slices.AppendSeq(slices.AppendSeq(all, maps.Keys(w.b.catalog.Tables)), maps.Keys(w.b.catalog.Views))
	hint := cmp.Or(sql.DidYouMean(name, all), "Next: write the file's name in single quotes, or give --table "+name+"=FILE.")
	panic(sql.Wrong(f.At, hint, "there is no table %q", name))
}

// view returns the rows of a view, nil if there is no view of that name. Each view is bound
// once per statement.
func (b *binder) view(f *sql.From) *withs {
	name := strings.ToLower(f.Path[0])
	q := b.catalog.Views[name]
	if q == nil || b.views[name] != nil {
		return b.views[name]
	}
	if b.depth++; b.depth > len(b.catalog.Views) {
		panic(sql.Wrong(f.At, "", "the view %q reads itself", f.Path[0]))
	}
	var rel *relation
	outside := b.rowIDs
	b.rowIDs = namesRowID(q)
	err := b.Attempt(func() { rel = around{b: b}.query(q) })
	b.rowIDs = outside
	b.depth--
	var wrong *sql.Error
	if errors.As(err, &wrong) { // its position is in another text
		panic(sql.Wrong(f.At, wrong.Hint, "in the view %s: %s", f.Path[0], wrong.What))
	}
	b.views[name] = &withs{name: name, rel: rel}
	return b.views[name]
}

// fileTable is the table name of a file: its name without the directory, up to the first
// dot.
func fileTable(file string) string {
	name := file[strings.LastIndexByte(file, '/')+1:]
	if n := strings.IndexByte(name, '.'); n > 0 {
		name = name[:n]
	}
	return name
}

// reference returns the rows of a query of WITH or a view. Each read after the first gives
// its columns new names.
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
			renamed[column] = b.Unique(column)
			b.ofFile[renamed[column]] = b.ofFile[column]
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

// table returns the relation of a table, in the order of its files.
func (b *binder) table(t *Table) *relation {
	rel := &relation{}
	file := ""
	if len(t.Parts) > 1 {
		file = b.Unique("file")
		rel.order = append(rel.order, plan.Asc(file))
		b.ofFile[file] = true
	}
	same := file == "" && len(t.Constants) == 0 // then no projection of its columns, which may be thousands, is needed
	var names []string
	for _, c := range t.Parts[0].Columns {
		name := b.Unique(c.Name)
		same = same && name == c.Name
		names = append(names, name)
		if c.Place() {
			rel.order = append(rel.order, plan.Asc(name))
			b.ofFile[name] = true
			continue
		}
		rel.fields = append(rel.fields, field{
			name: c.Name, column: name, typ: c.Type(), virtual: c.Name == t.Virtual, spelled: c.Form != (number.Form{}),
		})
	}
	if same {
		rel.node = plan.From(t.Parts[0].Name)
		rel.node.Stats = t.Stats
		return withRowID(b, rel)
	}
	constants := make([]string, len(t.Constants))
	for i, c := range t.Constants {
		constants[i] = b.Unique(c.Name)
		rel.fields = append(rel.fields, field{name: c.Name, column: constants[i], typ: c.Type, virtual: c.Name == t.Virtual})
	}
	var parts []*plan.Node
	stats := t.Stats.Part(len(t.Parts))
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
		scan := plan.NamedScan(part.Name, columns...)
		scan.Stats = stats
		parts = append(parts, scan)
	}
	rel.node = unionOf(parts)
	return withRowID(b, rel)
}

// rowID is the name of the number of a row of a table, from 0 on.
const rowID = "rowid"

// namesRowID reports whether a query may read a column of that name.
func namesRowID(q *sql.Query) bool {
	return (&sql.Statement{Query: q}).Mentions(nil).Columns[rowID]
}

// withRowID adds the number of each row to a table whose rows have places, if the statement has that name in it.
func withRowID(b *binder, rel *relation) *relation {
	if !b.rowIDs || len(rel.order) == 0 || indexOf(rel.fields, rowID) >= 0 {
		return rel
	}
	number, id := b.Unique("number"), b.Unique(rowID)
	rel.node = rel.node.Window(nil, rel.order, plan.Call{Func: window.RowNumber, Name: number}).
		Project(append(rel.all(), plan.As(id, expr.Sub(expr.Col(number), expr.Int(1))))...)
	rel.fields = append(rel.fields, field{name: rowID, column: id, typ: columnar.Int, virtual: true})
	return rel
}

// unionOf returns the union of one or more plans.
func unionOf(parts []*plan.Node) *plan.Node {
	if len(parts) == 1 {
		return parts[0]
	}
	return plan.UnionAll(parts...)
}

// readFile binds a call that reads a file.
func (b *binder) readFile(call *sql.Expr) *relation {
	if _, err := fileoptions.ReadOptions(call); err != nil {
		panic(err)
	}
	t := b.catalog.Files[sql.Source{Call: call}.Key()]
	if t == nil {
		panic(sql.Wrong(call.At, "", "there is no file %s", call.Args[0]))
	}
	return b.table(t)
}
