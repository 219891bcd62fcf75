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
	"analyzer/operators/query/sql"
	"analyzer/operators/window"
)

// item binds one table under its name.
func (w around) item(f *sql.From) *relation {
	rel := w.source(f)
	w.b.Work.Do(len(rel.fields))
	for _, f := range rel.fields {
		w.b.Types[f.column] = f.typ
	}
	if f.Sample != nil {
		same := *rel
		rel = w.b.sampled(&same, f.Sample)
	}
	out := rel.renamed(f.Name(), f.Columns, f.At)
	if len(f.Path) == 2 && f.Alias == "" {
		for i := range out.fields {
			out.fields[i].schema = f.Path[0]
		}
	}
	return out
}

// source binds one table.
func (w around) source(f *sql.From) *relation {
	switch {
	case f.Call != nil && sql.ReadsFile(f.Call):
		return w.b.readFile(f.Call)
	case makesRows(f.Call):
		return w.made(f)
	case f.Call != nil:
		panic(noTableFunction(f.Call))
	case f.Query != nil:
		return w.query(f.Query)
	case f.Pivot != nil:
		return w.pivot(f)
	case f.Unpivot != nil:
		return w.unpivot(f)
	case f.File != "":
		t := w.b.catalog.Files[f.File]
		if t == nil {
			panic(sql.Wrong(f.At, "", "there is no file %q", f.File))
		}
		return w.b.table(t)
	}
	name := f.Table()
	if len(f.Path) > 1 && w.b.catalog.Views[strings.ToLower(name)] == nil {
		panic(sql.Wrong(f.At, "Next: CREATE VIEW "+name+" AS FROM 'file.csv' gives a file this name; information_schema.tables lists names, and that of a file stands in single quotes.", "there is no table %q", name))
	}
	var all []string
	for with := w.with; with != nil; with = with.outer {
		if with.name == strings.ToLower(name) {
			return w.b.reference(with)
		}
		all = append(all, with.name)
	}
	if view := w.b.view(f); view != nil {
		return w.b.reference(view)
	}
	if t := w.b.catalog.Tables[strings.ToLower(name)]; t != nil {
		return w.b.table(t)
	}
	all = slices.AppendSeq(slices.AppendSeq(all, maps.Keys(w.b.catalog.Tables)), maps.Keys(w.b.catalog.Views))
	hint := cmp.Or(sql.DidYouMean(name, all), insteadOfTables[strings.ToLower(name)], "Next: write the file's name in single quotes, or give --table "+name+"=FILE.")
	panic(sql.Wrong(f.At, hint, "there is no table %q", name))
}

// view returns the rows of a view, nil if there is no view of that name. Each view is bound
// once per statement.
func (b *binder) view(f *sql.From) *withs {
	name := strings.ToLower(f.Table())
	q := b.catalog.Views[name]
	key := name
	if q != nil && q.Kept && b.rowIDs { // another part of the statement may not name them
		key += "\x00" + rowID
	}
	if q == nil || b.views[key] != nil {
		return b.views[key]
	}
	if b.depth++; b.depth > len(b.catalog.Views) {
		panic(sql.Wrong(f.At, "", "the view %q reads itself", f.Table()))
	}
	var rel *relation
	outside := b.rowIDs
	b.rowIDs = namesRowID(q)
	err := b.Attempt(func() { rel = around{b: b}.query(q) })
	b.rowIDs = outside
	b.depth--
	var wrong *sql.Error
	if errors.As(err, &wrong) { // its position is in another text
		panic(sql.Wrong(f.At, wrong.Hint, "in the view %s: %s", f.Table(), wrong.What))
	}
	if q.Kept {
		rel = withRowID(b, rel)
	}
	b.views[key] = &withs{name: name, rel: rel}
	return b.views[key]
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
