package session

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/operators/expr"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// tableFiles is one table of a statement.
type tableFiles struct {
	sql.Source
	given sniff.Given
	files []string
	names []string // of the files among the inputs, each of which is a table there
	// table is the table that a plan in one process reads: the only file, or all of them.
	table    *columnar.Table
	bytes    int64
	mentions sql.Mentions
	looked   []*sniff.File // those of parts whose samples suggest types
	read     []int         // indexes of the columns that the statement mentions
	watch    *sniff.Watch  // nil if none of its types is a guess
	// partitions are the columns whose values come from the names of files and directories.
	partitions []bind.Constant
	virtual    string // the one among them that only its name finds; "": none

	mu    sync.Mutex
	parts []*sniff.File // what sniffing found in each; nil: nobody has looked
}

// compression is about how many bytes one byte of a compressed file stands for.
const compression = 4

// stats are what the beginning of a file tells of the table; nil: nothing.
func (set *tableFiles) stats(compressed bool) *plan.Stats {
	bytes := set.bytes
	if compressed {
		bytes *= compression
	}
	rows, values := set.parts[0].Estimate(bytes)
	if rows == 0 {
		return nil
	}
	return &plan.Stats{Rows: rows, Distinct: values}
}

// maxParts bounds the number of files of one table.
const maxParts = 10_000

// filesOf returns the files of a table of a statement; nil if no table of that name is given.
func (p *Prepared) filesOf(ctx context.Context, m sql.Source) (*tableFiles, error) {
	names := m.Files
	for name, f := range p.ses.cfg.Tables {
		if len(m.Files) == 0 && strings.EqualFold(name, m.Name) {
			names = []string{f}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	if p.st.Verb == sql.Create && slices.Contains(names, inputs.Stdin) {
		return nil, fault.InStatement(p.text, sql.Unsupported(m.At, "Next: read it in a query: a view reads its files anew in each.", "views of the standard input"))
	}
	if p.ses.cfg.KeepNothing && slices.Contains(names, inputs.Stdin) {
		return nil, fault.InStatement(p.text, sql.Unsupported(m.At, "Next: name a file, or read them here, without --at.", "the standard input beside files that gateways read"))
	}
	set := &tableFiles{Source: m}
	if m.Call != nil {
		var err error
		if set.given, err = bind.ReadOptions(m.Call); err != nil {
			return nil, fault.InStatement(p.text, err)
		}
	}
	for _, name := range names {
		found, err := p.matching(ctx, m, name)
		if err != nil {
			return nil, err
		}
		set.files = append(set.files, found...)
	}
	if len(set.files) > maxParts {
		return nil, fault.InStatement(p.text, sql.Wrong(m.At, "Next: put files together, or name fewer of them.", "a table of more than %d files", maxParts))
	}
	return set, nil
}

// matching returns the files that have a name, or match it as a pattern.
func (p *Prepared) matching(ctx context.Context, m sql.Source, file string) ([]string, error) {
	fs := vfs.With(ctx, p.fs)
	if _, err := fs.Size(file); err == nil || file == inputs.Stdin || !inputs.IsPattern(file) {
		return []string{file}, nil
	}
	found, err := inputs.Matching(ctx, fs, file, maxParts)
	if ctx.Err() != nil {
		return nil, err
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no file has a name like %q", file)
	}
	if err != nil {
		return nil, fault.BadInput(inputs.Hint(err, "Next: check the pattern and the directory."), sql.Show(p.text, sql.Wrong(m.At, "", "%v", err)))
	}
	return found, nil
}

// firstLooks is how many files of a table are looked at before it is read, spread over all of them.
// Their samples suggest types; the others are looked at when they are read.
const firstLooks = 16

// sideBySide is how many files are looked at at a time.
const sideBySide = 16

// look examines some of the files of a table, and guesses the types of its columns.
func (p *Prepared) look(ctx context.Context, set *tableFiles, mentions sql.Mentions) error {
	n := len(set.files)
	set.parts = make([]*sniff.File, n)
	if err := p.lookAt(ctx, set, spread(n, firstLooks)); err != nil {
		return err
	}
	if set.given.UnionByName || set.parts[0].Described() {
		if err := p.lookAt(ctx, set, spread(n, n)); err != nil {
			return err
		}
	}
	set.looked = slices.DeleteFunc(slices.Clone(set.parts), func(f *sniff.File) bool { return f == nil })
	sniff.Unite(set.looked)
	if set.given.UnionByName && !set.parts[0].Described() {
		sniff.UniteByName(set.looked)
	}
	for i, f := range set.parts {
		if f == nil {
			continue
		}
		if err := set.alike(i); err != nil {
			return err
		}
	}
	set.mentions = mentions
	if err := set.partition(); err != nil {
		return err
	}
	sniff.Guess(set.looked)
	set.begin()
	return nil
}

// spread returns some of n files, all of them if they are not more than most, with the first and the
// last.
func spread(n, most int) []int {
	some := make([]int, min(n, most))
	for i := range some {
		some[i] = i * (n - 1) / max(len(some)-1, 1)
	}
	return some
}

// begin watches the columns that the statement mentions.
func (set *tableFiles) begin() {
	set.read = nil
	for i, c := range set.parts[0].Columns {
		if set.mentions.All || set.mentions.Columns[strings.ToLower(c.Name)] {
			set.read = append(set.read, i)
		}
	}
	if len(set.read) > 0 && !set.parts[0].Typed() {
		set.watch = sniff.NewWatch(set.looked, len(set.files), set.read)
		if set.mentions.All {
			set.watch.Whole()
		}
	}
	set.describe()
}

// complete finds all columns of a table, and reports whether there are more than before.
func (p *Prepared) complete(ctx context.Context, set *tableFiles) (more bool, err error) {
	more, err = sniff.Complete(ctx, set.parts, func(i int) (vfs.File, error) { return p.open(ctx, set, i) })
	if err == nil && more {
		set.begin()
	}
	return more, err
}

// lookAt looks at files, several at a time. Its error is that of the first one that has any.
func (p *Prepared) lookAt(ctx context.Context, set *tableFiles, files []int) error {
	errs := make([]error, len(files))
	var g errgroup.Group
	g.SetLimit(sideBySide)
	for at, i := range files {
		if set.parts[i] != nil {
			continue
		}
		g.Go(func() error {
			if set.parts[i], errs[at] = p.sniff(ctx, set, i); errs[at] != nil {
				return errs[at]
			}
			return nil
		})
	}
	if g.Wait() == nil {
		return nil
	}
	return errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
}

func (p *Prepared) sniff(ctx context.Context, set *tableFiles, i int) (*sniff.File, error) {
	return sniff.Look(ctx, func() (vfs.File, error) { return p.open(ctx, set, i) }, set.given)
}

// part returns what is known of file i, at which it looks if nobody has. It may be called from
// any goroutine.
func (p *Prepared) part(ctx context.Context, set *tableFiles, i int) (*sniff.File, error) {
	set.mu.Lock()
	known := set.parts[i]
	set.mu.Unlock()
	if known != nil {
		return known, nil
	}
	f, err := p.sniff(ctx, set, i)
	if err != nil {
		return nil, err
	}
	set.mu.Lock()
	defer set.mu.Unlock()
	set.parts[i] = f.OrSame(set.parts[0])
	return set.parts[i], set.alike(i)
}

func (p *Prepared) open(ctx context.Context, set *tableFiles, part int) (vfs.File, error) {
	return p.in.Open(ctx, set.names[part])
}

// alike refuses a file that cannot belong to the same table as the first one.
func (set *tableFiles) alike(i int) error {
	f, first := set.parts[i], set.parts[0]
	wrong := &scan.InputError{File: set.files[i], Hint: "name files with equal columns"}
	names, others := namesOf(first), namesOf(f)
	switch {
	case f.Typed() != first.Typed(), f.Typed() && !sameColumns(f, first):
		wrong.Reason, wrong.Detail = scan.ReasonWrongType, "its columns have other types than those of "+first.Name
	case !slices.Equal(others, names):
		wrong.Line, wrong.Reason, wrong.Detail = 1, scan.ReasonMissingColumns, difference(names, others, first.Name)
		wrong.Hint = "read_csv(…, union_by_name = true) gives NULL for what a file lacks"
	default:
		return nil
	}
	wrong.Detail += ", which is part of the same table"
	return wrong
}

// sameColumns reports whether two Parquet files have the same columns, as far as both have them.
func sameColumns(f, first *sniff.File) bool {
	return slices.EqualFunc(f.Columns, first.Columns, func(a, b sniff.Column) bool {
		return a.Name == b.Name && a.Format == b.Format && a.Stored == b.Stored
	})
}

// difference says how the columns of a file differ from those of the first one.
func difference(names, others []string, first string) string {
	lacks := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
	more := slices.DeleteFunc(slices.Clone(others), func(name string) bool { return slices.Contains(names, name) })
	var how []string
	if len(lacks) > 0 {
		how = append(how, fmt.Sprintf("it lacks %q", lacks[:min(len(lacks), shownNames)]))
	}
	if len(more) > 0 {
		how = append(how, fmt.Sprintf("it has %q besides", more[:min(len(more), shownNames)]))
	}
	if len(how) == 0 {
		how = []string{"they have another order"}
	}
	return fmt.Sprintf("the columns differ from those of %s: %s; the first file is %s", first, strings.Join(how, " and "), first)
}

// shownNames is how many names of columns an error shows.
const shownNames = 8

func namesOf(f *sniff.File) []string {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
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
	asked := set.mentions.Columns[bind.FileName] && !slices.ContainsFunc(set.parts[0].Columns, func(c sniff.Column) bool { return strings.EqualFold(c.Name, bind.FileName) })
	if set.given.FileName || asked {
		if !set.given.FileName {
			set.virtual = bind.FileName
		}
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

// describe takes over what is known of the columns of a table.
func (set *tableFiles) describe() {
	*set.table = *set.parts[0].Table(set.table.Name)
	if len(set.files) == 1 {
		return
	}
	t := set.table
	t.Columns = nil
	for _, c := range set.parts[0].Columns {
		t.Columns = append(t.Columns, columnar.TableColumn{Name: c.Name, Header: c.Name, Format: c.Format, Stored: c.Stored})
	}
	for _, c := range set.partitions {
		format, _ := sniff.FormatOf(c.Type)
		t.Columns = append(t.Columns, columnar.TableColumn{Name: t.FreeName(c.Name), Header: c.Name, Format: format, OfFile: true})
	}
	t.Columns = append(t.Columns, columnar.TableColumn{Name: t.FreeName("file"), Format: columnar.FormatFile})
	t.AddPosition()
}

// partTable returns the description of a file as one with the columns of the table.
func (set *tableFiles) partTable(name string, f *sniff.File) *columnar.Table {
	t := f.Table(name)
	columns := make(map[string]sniff.Column, len(set.parts[0].Columns))
	for _, c := range set.parts[0].Columns {
		columns[c.Name] = c
	}
	for i, c := range t.Columns {
		if of, ok := columns[c.Name]; ok {
			t.Columns[i].Format, t.Columns[i].Stored = of.Format, of.Stored
		}
	}
	return t
}

// filesOfTable returns the files of a table of a plan, if it has several.
func (p *Prepared) filesOfTable(name string) *scan.Files {
	i := slices.IndexFunc(p.sets, func(set *tableFiles) bool { return set.table.Name == name })
	if i < 0 || len(p.sets[i].files) == 1 {
		return nil
	}
	set := p.sets[i]
	return &scan.Files{
		Len: len(set.files),
		Open: func(ctx context.Context, i int) (vfs.File, *columnar.Table, error) {
			f, err := p.part(ctx, set, i)
			if err != nil {
				return nil, nil, err
			}
			file, err := p.open(ctx, set, i)
			return file, set.partTable(set.table.Name, f), err
		},
		Values: func(i int) columnar.Rows {
			values := columnar.Rows{Len: 1}
			for _, c := range set.partitions {
				values.Cols = append(values.Cols, c.Values[i].Fold().Value.Vector())
			}
			return values
		},
	}
}
