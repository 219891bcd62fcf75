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
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// tableFiles is one table of a statement.
type tableFiles struct {
	sql.Source
	partFiles
	mentions sql.Mentions
	bytes    int64
	// table is the table that a plan in one process reads: the only file, or all of them.
	table *columnar.Table
	read  []int        // indexes of the columns that the statement mentions
	watch *sniff.Watch // nil if none of its types is a guess
	// partitions are the columns whose values come from the names of files and directories.
	partitions []bind.Constant
	virtual    string // the one among them that only its name finds; "": none
}

// compression is about how many bytes one byte of a compressed file stands for.
const compression = 4

// stats are what the beginning of a file tells of the table; nil: nothing.
func (set *tableFiles) stats(compressed bool) *plan.Stats {
	bytes := set.bytes
	if compressed {
		bytes *= compression
	}
	rows, values := set.first().Estimate(bytes)
	if rows == 0 {
		return nil
	}
	return &plan.Stats{Rows: rows, Distinct: values}
}

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
	if err := set.partFiles.look(ctx); err != nil {
		return err
	}
	set.mentions = mentions
	if err := set.partition(); err != nil {
		return err
	}
	sniff.Guess(set.samples)
	set.begin()
	return nil
}

// begin watches the columns that the statement mentions.
func (set *tableFiles) begin() {
	set.read = nil
	all := set.mentionsAll()
	for i, c := range set.first().Columns {
		if all || set.mentions.Columns[strings.ToLower(c.Name)] {
			set.read = append(set.read, i)
		}
	}
	if len(set.read) > 0 && !set.first().Typed() {
		set.watch = sniff.NewWatch(set.samples, len(set.files), set.read)
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
	for _, c := range set.first().Columns {
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
	more, err = sniff.Complete(ctx, set.found, func(i int) (vfs.File, error) { return set.open(ctx, i) })
	if err == nil && more {
		set.begin()
	}
	return more, err
}

// describe takes over what is known of the columns of a table.
func (set *tableFiles) describe() {
	*set.table = *set.first().Table(set.table.Name)
	if len(set.files) == 1 {
		return
	}
	t := set.table
	t.Columns = nil
	for _, c := range set.first().Columns {
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
	columns := make(map[string]sniff.Column, len(set.first().Columns))
	for _, c := range set.first().Columns {
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
