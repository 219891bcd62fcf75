package session

import (
	"cmp"
	"context"
	"maps"
	"strings"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// tableFiles is one table of a statement.
type tableFiles struct {
	sql.Source
	given sniff.Given
	files []string
	in    *inputs.Inputs
	names []string // of the files among the inputs, each of which is a table there
	// table is the table that a plan in one process reads: the only file, or all of them.
	table    *columnar.Table
	bytes    int64
	mentions sql.Mentions
	looked   []*sniff.File // those of parts whose samples suggest types
	united   bool          // what a file lacks of the columns of others is null
	read     []int         // indexes of the columns that the statement mentions
	watch    *sniff.Watch  // nil if none of its types is a guess
	// partitions are the columns whose values come from the names of files and directories.
	partitions []bind.Constant
	virtual    string        // the one among them that only its name finds; "": none
	looks      chan struct{} // has room for those of all tables that may be under way

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

// firstLooks is how many files of a table are looked at before it is read, spread over all of them.
// Their samples suggest types; the others are looked at when they are read.
const firstLooks = 16

// sideBySide is how many files of a statement are looked at at a time.
const sideBySide = 16

// look examines some of the files of all tables. Its error is that of the first table that has any.
func (t *tables) look(ctx context.Context, mentions sql.Mentions) error {
	looks, errs := make(chan struct{}, sideBySide), make([]error, len(t.all))
	var g sync.WaitGroup
	for i, set := range t.all {
		set.looks = looks
		g.Go(func() { errs[i] = set.look(ctx, mentions) })
	}
	g.Wait()
	return cmp.Or(errs...)
}

// look examines some of the files of a table, and guesses the types of its columns.
func (set *tableFiles) look(ctx context.Context, mentions sql.Mentions) error {
	n := len(set.files)
	set.parts = make([]*sniff.File, n)
	if err := set.lookAt(ctx, spread(n, firstLooks)); err != nil {
		return err
	}
	if set.isUnited() || set.parts[0].Described() {
		if err := set.lookAt(ctx, spread(n, n)); err != nil {
			return err
		}
	}
	set.united, set.looked = set.isUnited(), set.known()
	sniff.Unite(set.looked)
	if set.united {
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

// isUnited reports whether the columns of the files are united by their names: if the statement says so, or, if it
// says nothing, if they are nested. Those whose records may have some of the columns each are united anyway.
func (set *tableFiles) isUnited() bool {
	if set.parts[0].Described() {
		return false
	}
	if said := set.given.UnionByName; said != nil {
		return *said
	}
	known := set.known()
	return !areAlike(known) && sniff.IsNested(known)
}

// known returns the files that were looked at.
func (set *tableFiles) known() []*sniff.File {
	return columnar.Only(set.parts, func(f *sniff.File) bool { return f != nil })
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
	all := set.mentionsAll()
	for i, c := range set.parts[0].Columns {
		if all || set.mentions.Columns[strings.ToLower(c.Name)] {
			set.read = append(set.read, i)
		}
	}
	if len(set.read) > 0 && !set.parts[0].Typed() {
		set.watch = sniff.NewWatch(set.looked, len(set.files), set.read)
		if all {
			set.watch.Whole()
		}
	}
	set.describe()
}

// mentionsAll reports whether the statement may read all columns: by a star, by an object in JSON that has a column
// for each of its values, or by the name of a table, unless it is that of a column.
func (set *tableFiles) mentionsAll() bool {
	tables := maps.Clone(set.mentions.Tables)
	for _, c := range set.parts[0].Columns {
		name := strings.ToLower(c.Name)
		delete(tables, name)
		for i := range name {
			if name[i] == '.' && set.mentions.Wholes[name[:i]] {
				return true
			}
		}
	}
	return set.mentions.All || len(tables) > 0
}

// complete finds all columns of a table, and reports whether there are more than before.
func (set *tableFiles) complete(ctx context.Context) (more bool, err error) {
	more, err = sniff.Complete(ctx, set.parts, func(i int) (vfs.File, error) { return set.open(ctx, i) })
	if err == nil && more {
		set.begin()
	}
	return more, err
}

// lookAt looks at files, several at a time. Its error is that of the first one that has any.
func (set *tableFiles) lookAt(ctx context.Context, files []int) error {
	errs := make([]error, len(files))
	var g sync.WaitGroup
	for at, i := range files {
		if set.parts[i] != nil {
			continue
		}
		set.looks <- struct{}{}
		g.Go(func() {
			defer func() { <-set.looks }()
			set.parts[i], errs[at] = set.sniff(ctx, i)
		})
	}
	g.Wait()
	return cmp.Or(errs...)
}

func (set *tableFiles) sniff(ctx context.Context, i int) (*sniff.File, error) {
	return sniff.Look(ctx, func() (vfs.File, error) { return set.open(ctx, i) }, set.given)
}

// part returns what is known of file i, at which it looks if nobody has. It may be called from
// any goroutine.
func (set *tableFiles) part(ctx context.Context, i int) (*sniff.File, error) {
	set.mu.Lock()
	known := set.parts[i]
	set.mu.Unlock()
	if known != nil {
		return known, nil
	}
	f, err := set.sniff(ctx, i)
	if err != nil {
		return nil, err
	}
	set.mu.Lock()
	defer set.mu.Unlock()
	set.parts[i] = f.OrSame(set.parts[0])
	return set.parts[i], set.alike(i)
}

func (set *tableFiles) open(ctx context.Context, part int) (vfs.File, error) {
	return set.in.Open(ctx, set.names[part])
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

// partTables returns a table for each file of one.
func (set *tableFiles) partTables(ctx context.Context) (tables []*columnar.Table, err error) {
	for i, name := range set.names {
		f, err := set.part(ctx, i)
		if err != nil {
			return nil, err
		}
		tables = append(tables, set.partTable(name, f))
	}
	return tables, nil
}

// scanFiles returns the files as a scan reads them, nil if there is only one.
func (set *tableFiles) scanFiles() *scan.Files {
	if len(set.files) == 1 {
		return nil
	}
	return &scan.Files{
		Len: len(set.files),
		Open: func(ctx context.Context, i int) (vfs.File, *columnar.Table, error) {
			f, err := set.part(ctx, i)
			if err != nil {
				return nil, nil, err
			}
			file, err := set.open(ctx, i)
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
