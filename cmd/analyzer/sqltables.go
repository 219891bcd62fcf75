package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
	"analyzer/operators/sql/bind"
)

// sqlTables holds the tables of a statement and their files.
type sqlTables struct {
	*session
	text   string // of the statement
	st     *sql.Statement
	source *datasets.Source
	files  map[string]string // by the source's tables
	in     *inputs.Inputs
	sets   []*tableFiles
	// nothing is what a query without FROM reads.
	nothing *columnar.Table
	// settled means that column types are no longer guesses.
	settled bool
	now     time.Time // when the statement began, however often it is bound
}

func (t *sqlTables) close() error {
	if t.in == nil {
		return nil
	}
	return t.in.Close()
}

// tableFiles is one table of a statement.
type tableFiles struct {
	sql.Source
	given  sniff.Given
	files  []string
	parts  []*sniff.File     // what sniffing found in each
	tables []*columnar.Table // the same as tables of the source
	read   []int             // indexes of the columns that the statement mentions
	watch  *sniff.Watch      // nil if none of its types is a guess
	// partitions are the columns whose values come from the names of directories.
	partitions []bind.Constant
}

// findTables finds the files of a statement's tables, and examines them.
func (ses *session) findTables(ctx context.Context, text string, st *sql.Statement) (t *sqlTables, err error) {
	mentions := st.Mentions(ses.views)
	t = &sqlTables{
		session: ses, text: text, st: st, now: ses.began,
		source: &datasets.Source{Name: statementName, Samples: nothing}, files: make(map[string]string),
	}
	for _, m := range mentions.Sources {
		set, err := t.filesOf(ctx, m)
		if err != nil {
			return nil, err
		}
		if set == nil { // bind says that there is no such table
			continue
		}
		for _, file := range set.files {
			table := &columnar.Table{Name: t.tableName(m, file), Files: []string{file}}
			t.files[table.Name] = file
			set.tables, t.source.Tables = append(set.tables, table), append(t.source.Tables, table)
		}
		t.sets = append(t.sets, set)
	}
	t.nothing = &columnar.Table{
		Name: nothingName, Files: []string{"nothing.csv"}, Columns: []columnar.TableColumn{{Name: "nothing", Header: "nothing", Format: columnar.FormatInt}},
	}
	t.source.Tables = append(t.source.Tables, t.nothing)
	times := make(map[string]int)
	for _, table := range t.source.Tables {
		times[table.Name] = 2 // and perhaps more
	}
	t.in, err = inputs.Find(t.source, times, inputs.Options{Tables: t.files, FS: ses.fs, Stdin: ses.stdin, Spool: ses.spillDir})
	if err != nil {
		return nil, err
	}
	for _, set := range t.sets {
		if err := t.look(ctx, set, mentions); err != nil {
			return nil, errors.Join(err, t.in.Close())
		}
		f := set.parts[0]
		if len(f.Unread) > 0 {
			ses.notef("%s: columns that cannot be read are left out: %s", filepath.Base(f.Name), strings.Join(f.Unread, ", "))
		}
		if f.Headless && !f.Lone && set.given.Header == nil {
			ses.tellf("%s: without a header: its columns are column0, column1 …", filepath.Base(f.Name))
		}
		for _, doubt := range doubtsOf(f) {
			ses.tellf("%s: %s", filepath.Base(f.Name), doubt)
		}
	}
	return t, nil
}

// filesOf returns the files of a table of a statement; nil if no table of that name is given.
func (t *sqlTables) filesOf(ctx context.Context, m sql.Source) (*tableFiles, error) {
	file := m.File
	if file == "" {
		for name, f := range t.tables {
			if strings.EqualFold(name, m.Name) {
				file = f
			}
		}
		if file == "" {
			return nil, nil
		}
	}
	if t.st.Verb == sql.Create && file == inputs.Stdin {
		return nil, fault.InStatement(t.text, sql.Unsupported(m.At, "Next: read it in a query: a view reads its files anew in each.", "views of the standard input"))
	}
	set := &tableFiles{Source: m, files: []string{file}}
	if m.Call != nil {
		var err error
		if set.given, err = bind.ReadOptions(m.Call); err != nil {
			return nil, fault.InStatement(t.text, err)
		}
	}
	if _, err := t.fs.Size(file); err == nil || file == inputs.Stdin || !inputs.IsPattern(file) {
		return set, nil
	}
	found, err := inputs.Matching(ctx, file, maxParts)
	if ctx.Err() != nil {
		return nil, err
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no file has a name like %q", file)
	}
	if err != nil {
		return nil, fault.BadInput("Next: check the pattern and the directory.", sql.Show(t.text, sql.Wrong(m.At, "", "%v", err)))
	}
	set.files = found
	if len(set.files) > maxParts {
		return nil, fault.InStatement(t.text, sql.Wrong(m.At, "Next: put files together, or name fewer of them.", "more than %d files have a name like %q", maxParts, file))
	}
	return set, nil
}

// maxParts bounds the number of files of one table.
const maxParts = 100

// tableName makes a unique table name for a file.
func (t *sqlTables) tableName(m sql.Source, file string) string {
	name := m.Name
	if name == "" || inputs.IsPattern(file) {
		name = filepath.Base(file)
	}
	given := name
	for n := 2; slices.Contains(append(t.source.TableNames(), nothingName), name); n++ {
		name = fmt.Sprintf("%s_%d", given, n)
	}
	return name
}

// look examines the files of a table, and guesses the types of its columns.
func (t *sqlTables) look(ctx context.Context, set *tableFiles, mentions sql.Mentions) error {
	for i := range set.tables {
		f, err := sniff.Look(ctx, func() (vfs.File, error) { return t.open(ctx, set, i) }, set.given)
		if err != nil {
			return err
		}
		set.parts = append(set.parts, f)
		if err := alike(f, set.parts[0]); err != nil {
			return err
		}
	}
	if err := set.partition(); err != nil {
		return err
	}
	for i, c := range set.parts[0].Columns {
		if mentions.All || mentions.Columns[strings.ToLower(c.Name)] {
			set.read = append(set.read, i)
		}
	}
	sniff.Guess(set.parts)
	if len(set.read) > 0 && !set.parts[0].Parquet {
		set.watch = sniff.NewWatch(set.parts, set.read)
	}
	set.describe()
	return nil
}

// alike refuses a file that cannot belong to the same table as the first one.
func alike(f, first *sniff.File) error {
	wrong := &scan.InputError{File: f.Name, Hint: "name files with equal columns"}
	switch {
	case f.Parquet != first.Parquet, f.Parquet && !slices.Equal(f.Columns, first.Columns):
		wrong.Reason, wrong.Detail = scan.ReasonWrongType, "its columns have other types than those of "
	case !slices.Equal(namesOf(f), namesOf(first)):
		wrong.Line, wrong.Reason, wrong.Detail = 1, scan.ReasonMissingColumns, "the columns differ from those of "
	default:
		return nil
	}
	wrong.Detail += first.Name + ", which is part of the same table"
	return wrong
}

// partition finds the columns whose values are in the names of directories, as in
// year=2024/sales.csv. All files must have the same ones, in the same order, and none as a
// column of its own.
func (set *tableFiles) partition() error {
	values := make(map[string][]string)
	var names []string
	for i, file := range set.files {
		var found []string
		for _, dir := range strings.Split(filepath.ToSlash(filepath.Dir(file)), "/") {
			if name, value, ok := strings.Cut(dir, "="); ok && name != "" {
				found, values[name] = append(found, name), append(values[name], value)
			}
		}
		if i == 0 {
			names = found
		} else if !slices.Equal(found, names) {
			return nil
		}
	}
	for _, name := range names {
		if len(values[name]) != len(set.files) || slices.Contains(namesOf(set.parts[0]), name) {
			continue
		}
		c, err := partitionColumn(name, values[name])
		if err != nil {
			return err
		}
		set.partitions = append(set.partitions, c)
	}
	if set.given.FileName {
		c := bind.Constant{Name: bind.FileName, Type: columnar.Text}
		for _, file := range set.files {
			c.Values = append(c.Values, expr.Str(file))
		}
		set.partitions = append(set.partitions, c)
	}
	return nil
}

func partitionColumn(name string, texts []string) (bind.Constant, error) {
	for i, text := range texts {
		if plain, err := url.PathUnescape(text); err == nil {
			texts[i] = plain
		}
		if texts[i] == "__HIVE_DEFAULT_PARTITION__" {
			texts[i] = ""
		}
	}
	c := bind.Constant{Name: name, Type: sniff.TypeOf(texts)}
	for _, text := range texts {
		value := expr.Null(c.Type)
		if text != "" {
			var err error
			if value, err = expr.ParseValue(c.Type, text); err != nil {
				return c, fmt.Errorf("the directory %s=%s: %w", name, text, err)
			}
		}
		c.Values = append(c.Values, value)
	}
	return c, nil
}

func (t *sqlTables) open(ctx context.Context, set *tableFiles, part int) (vfs.File, error) {
	return t.in.Open(ctx, set.tables[part].Name)
}

// describe takes over what is known of the files of a table.
func (set *tableFiles) describe() {
	for i, table := range set.tables {
		*table = *set.parts[i].Table(table.Name)
	}
}

// settle determines the types of all columns, by reading the files unless a run has read
// them. It reports whether they differ from the guesses.
func (t *sqlTables) settle(ctx context.Context) (changed bool, err error) {
	if t.settled {
		return false, nil
	}
	for _, set := range t.sets {
		if set.watch == nil {
			continue
		}
		guess := *set.tables[0]
		if set.watch.Complete() {
			set.watch.Settled()
		} else {
			err := sniff.Settle(ctx, set.parts, set.read, func(i int) (vfs.File, error) { return t.open(ctx, set, i) })
			if err != nil {
				return false, err
			}
		}
		set.watch = nil
		set.describe()
		changed = changed || !slices.Equal(guess.Columns, set.tables[0].Columns)
	}
	t.settled = true
	return changed, nil
}

// guessAgain guesses types again from what an abandoned run has read. It keeps the types of
// tables that were read completely.
func (t *sqlTables) guessAgain() {
	runtime.GC() // otherwise the memory of that run would add to that of the next
	for _, set := range t.sets {
		switch {
		case set.watch == nil:
			continue
		case set.watch.Complete():
			set.watch.Settled()
			set.watch = nil
		default:
			set.watch = set.watch.Again()
		}
		set.describe()
	}
}

// watch returns the watcher of a table with guessed types; nil for others.
func (t *sqlTables) watch(table string) engine.Watcher {
	for _, set := range t.sets {
		i := slices.IndexFunc(set.tables, func(part *columnar.Table) bool { return part.Name == table })
		if i >= 0 && set.watch != nil {
			return set.watch.Part(i)
		}
	}
	return nil
}

// check returns an error if a guessed type was wrong.
func (t *sqlTables) check(*engine.Report) error {
	for _, set := range t.sets {
		if set.watch != nil && !set.watch.Settled() {
			return fmt.Errorf("the type of a column of %s was guessed wrong", set.files[0])
		}
	}
	return nil
}

func namesOf(f *sniff.File) []string {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

// try calls do with the plan of a statement, and retries as long as it fails because of
// wrongly guessed types.
func (t *sqlTables) try(ctx context.Context, do func(datasets.Selection) error) error {
	for {
		sel, wrong := t.bind(ctx)
		err := wrong
		if err == nil {
			err = do(sel)
		}
		if _, much := errors.AsType[*budget.WorkError](err); err == nil || much || ctx.Err() != nil {
			return err
		}
		if errors.Is(err, engine.ErrGuess) {
			t.guessAgain()
			continue
		}
		changed, failed := t.settle(ctx)
		if wrong != nil {
			err = errors.Join(failed, wrong)
		}
		if failed != nil || !changed {
			return err
		}
	}
}

// createView makes a view available to the following statements, and reports its errors now.
func (t *sqlTables) createView(ctx context.Context) error {
	v, before := t.st.View, t.views
	name := strings.ToLower(v.Name)
	if before[name] != nil && !t.st.Replace {
		return fault.InStatement(t.text, sql.Wrong(v.At, "Next: CREATE OR REPLACE VIEW.", "there is a view of the name %q", v.Name))
	}
	t.views = maps.Clone(before)
	t.views[name] = v.Query // so that a view which reads itself is an error too
	err := t.try(ctx, func(datasets.Selection) error { return nil })
	if err != nil {
		t.views = before
	}
	return err
}

// bind makes the plan of a statement.
func (t *sqlTables) bind(ctx context.Context) (sel datasets.Selection, err error) {
	catalog := bind.Catalog{
		Tables: make(map[string]*bind.Table), Files: make(map[string]*bind.Table), Views: t.views,
		Nothing: &bind.Table{Parts: []*columnar.Table{t.nothing}}, Now: t.now,
	}
	for _, set := range t.sets {
		table := &bind.Table{Constants: set.partitions, Parts: set.tables}
		for _, part := range set.tables {
			table.Bytes += t.in.Size(part.Name)
		}
		if set.File != "" {
			catalog.Files[set.Key()] = table
		} else {
			catalog.Tables[strings.ToLower(set.Name)] = table
		}
	}
	work := t.work(ctx)
	root, err := bind.Query(work, t.st.Query, catalog, t.params)
	if err == nil && t.st.Verb == sql.Summarize {
		root, err = summary(work, t.st.Query, root, t.source, catalog, t.params)
	}
	if err != nil {
		return sel, fault.InStatement(t.text, err)
	}
	t.source.Queries = []*plan.Query{{Name: answerName, Root: root}}
	sel = datasets.Selection{Source: t.source, Queries: t.source.Queries}
	return sel, copyTo(t.fs, t.text, t.st, &sel)
}

// summary makes the plan that summarises the answer of a query.
func summary(work *budget.Work, q *sql.Query, root *plan.Node, src *datasets.Source, catalog bind.Catalog, params map[string]string) (*plan.Node, error) {
	columns, err := root.Schema(src.TableMap())
	if err != nil {
		return nil, err
	}
	if q, err = bind.Summary(work, q, columns); err != nil {
		return nil, err
	}
	return bind.Query(work, q, catalog, params)
}
