// Package sniff finds out what a CSV file is: which character separates its fields,
// whether it begins with a header, and which type each column has. A Parquet file says
// so itself.
//
// The type of a column is a function of the whole file, not of a sample: it is the
// narrowest that every cell fits and that loses nothing of any. So a column of
// integers whose last one is a word is text, as one with 007 in it is, and one
// with an integer of more than 64 bits. Dates such as 01/02/2020 have an order if one of
// their column cannot have the other. A cell that is a word for “nothing”, such as NA,
// says nothing about its column: where all others are numbers it is NULL, and among texts
// it is a text.
package sniff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// File is what was found out about a file.
type File struct {
	Name             string
	columnar.Dialect // Headless if it has no header
	Columns          []Column
	// Nulls are the texts of cells that are no value, as far as they were given.
	Nulls []string
	// Renamed means that columns have other names than in the header, where one is
	// empty or stands twice.
	Renamed bool
	// Unnamed is how many columns at the end hold values but have no name in the header, whose
	// names may then stand over the wrong columns.
	Unnamed int
	// Uniform is the share of the records at the beginning that have as many fields
	// as the first, from 0 to 1.
	Uniform float64
	// Invalid means that its beginning is no UTF-8.
	Invalid bool
	// Parquet means that it is a Parquet file, which says itself what it holds. Unread
	// are those of its columns that cannot be read, and why.
	Parquet bool
	Unread  []string

	refused kinds   // which no column has
	seen    []kinds // by column: what cells that were read allow for sure
	likely  []kinds // likewise, with samples that might begin within quotes
	// anywhere means that the file can be read at any place.
	anywhere bool
}

// Column is a column of a file. Its name is unique in the file, letters' case aside.
type Column struct {
	Name   string
	Format columnar.Format // what samples speak for, until it is settled
	// Declared means that the format was given: a cell that does not fit rejects its row.
	Declared bool

	field int // of a record, from 1
}

// Look finds out the shape of a file and the names of its columns, and guesses their
// types, as far as they are not given. It reads the beginning and samples. open opens the
// file, once for each dialect that it could be of and once more.
func Look(ctx context.Context, open func() (vfs.File, error), given Given) (*File, error) {
	if f, err := lookParquet(open); f != nil || err != nil {
		return f, err
	}
	best, err := find(ctx, open, &given)
	if err != nil {
		return nil, err
	}
	f, err := best.file(&given)
	if err != nil {
		return nil, err
	}
	if err := f.sample(open); err != nil {
		return nil, err
	}
	Guess([]*File{f})
	return f, nil
}

func (l *looked) file(given *Given) (*File, error) {
	f := &File{
		Name: l.name, Dialect: l.dialect, Nulls: given.Nulls, Uniform: l.share(), Invalid: l.letters.invalid > 0,
		refused: given.refused(), seen: l.columns, likely: slices.Clone(l.columns), anywhere: l.anywhere,
	}
	f.Headless = !l.hasHeader(given)
	if err := l.misaligned(); err != nil {
		return nil, err
	}
	names := slices.Clone(l.header)
	for i := len(names) - 1; i >= 0 && strings.TrimSpace(names[i]) == "" && l.columns[i] != allKinds && !f.Headless; i-- {
		f.Unnamed++
	}
	if f.Headless {
		for i := range names {
			names[i] = fmt.Sprintf("column%d", i)
			if cell := l.header[i]; cell != "" {
				f.seen[i] &= given.kindsOf([]byte(cell))
			}
		}
		f.likely = slices.Clone(f.seen)
	}
	for i, name := range unique(names) {
		f.Renamed = f.Renamed || !f.Headless && name != strings.TrimSpace(names[i])
		f.Columns = append(f.Columns, Column{Name: name, Format: columnar.FormatOptional, field: i + 1})
	}
	return f, given.declare(f)
}

// hasHeader reports whether the first record is a header: it is not if there are
// columns that are no text, and it fits all columns as the other records do. Where all
// columns are text it is one, unless names are given, which are others.
func (l *looked) hasHeader(given *Given) bool {
	if given.Header != nil {
		return *given.Header
	}
	header, typed := l.headerByTypes(given)
	switch {
	case header || typed:
		return header
	case len(given.Columns) > 0:
		return slices.EqualFunc(l.header, given.Columns, func(name string, c Column) bool {
			return strings.EqualFold(strings.TrimSpace(name), c.Name)
		})
	}
	return true
}

// headerByTypes reports whether there are columns that are no text, and whether the first
// record does not fit one of them.
func (l *looked) headerByTypes(given *Given) (header, typed bool) {
	for i, name := range l.header {
		k := l.columns[i]
		if l.uniform == 0 || k == allKinds || k == text0 {
			continue
		}
		typed = true
		if name != "" && given.kindsOf([]byte(name))&k&^text0 == 0 {
			return true, true
		}
	}
	return false, typed
}

// unique makes names that no two columns share: an empty one is named after its
// place, and one that was there before gets a number.
func unique(names []string) []string {
	out := make([]string, len(names))
	taken := make(map[string]bool)
	for i, name := range names {
		name = strings.ToValidUTF8(strings.TrimSpace(name), "\ufffd")
		if name == "" {
			name = fmt.Sprintf("column%d", i)
		}
		given := name
		for n := 1; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s_%d", given, n)
		}
		taken[strings.ToLower(name)] = true
		out[i] = name
	}
	return out
}

// Settle finds out by itself the types of the given columns, by their places, of files that are
// one table and have equal columns. It reads all of them; open opens one.
func Settle(ctx context.Context, files []*File, columns []int, open func(i int) (vfs.File, error)) error {
	if files[0].Parquet {
		return nil
	}
	w := NewWatch(files, columns)
	for i := range files {
		if err := w.read(ctx, w.Part(i), func() (vfs.File, error) { return open(i) }); err != nil {
			return err
		}
	}
	w.Settled()
	return nil
}

// Position is the name, in a table that Table makes, of the column that says where
// a row stands in its file. No column of a file has it.
const Position = "\u200bposition"

// Table describes the file as a table of that name.
func (f *File) Table(name string) *columnar.Table {
	t := &columnar.Table{Name: name, Files: []string{f.Name}, Dialect: f.Dialect, Nulls: f.Nulls}
	for _, c := range f.Columns {
		t.Columns = append(t.Columns, columnar.TableColumn{
			Name: c.Name, Header: c.Name, Format: c.Format, Strict: c.Declared && c.Format != columnar.FormatOptional, Field: c.field,
		})
	}
	t.Columns = append(t.Columns, columnar.TableColumn{Name: Position, Header: Position, Format: columnar.FormatPosition})
	return t
}
