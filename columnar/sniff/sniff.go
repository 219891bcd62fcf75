// Package sniff finds out what a CSV file is: which character separates its fields,
// whether it begins with a header, and which type each column has. A Parquet file says
// so itself.
//
// The type of a column is a function of the whole file, not of a sample: it is the
// narrowest that every cell fits and that loses nothing of any. So a column of
// integers whose last one is a word is text, as one with 007 in it is, and one
// with an integer of more than 64 bits.
package sniff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// File is what was found out about a file.
type File struct {
	Name      string
	Delimiter byte
	Header    bool
	Columns   []Column
	// Renamed means that columns have other names than in the header, where one is
	// empty or stands twice.
	Renamed bool
	// Uniform is the share of the records at the beginning that have as many fields
	// as the first, from 0 to 1.
	Uniform float64
	// Parquet means that it is a Parquet file, which says itself what it holds. Unread
	// are those of its columns that cannot be read, and why.
	Parquet bool
	Unread  []string

	seen   []kinds // by column: what cells that were read allow for sure
	likely []kinds // likewise, with samples that might begin within quotes
	// anywhere means that the file can be read at any place.
	anywhere bool
}

// Column is a column of a file. Its name is unique in the file, letters' case aside.
type Column struct {
	Name   string
	Format columnar.Format // what samples speak for, until it is settled

	field int // of a record, from 1
}

// Delimiters are what can separate fields, the most usual first.
func Delimiters() []byte { return []byte(",;\t|") }

// Look finds out the shape of a file and the names of its columns, and guesses their
// types. It reads the beginning and samples. open opens the file, once for each
// character that could separate its fields and once more.
func Look(ctx context.Context, open func() (vfs.File, error)) (*File, error) {
	if f, err := lookParquet(open); f != nil || err != nil {
		return f, err
	}
	var best *looked
	var failed error
	for _, d := range Delimiters() {
		l, err := look(ctx, open, d)
		switch {
		case err != nil:
			var input *csv.InputError
			if !errors.As(err, &input) {
				return nil, err
			}
			if failed == nil {
				failed = err
			}
		case best == nil || l.better(best):
			best = l
		}
	}
	if best == nil {
		return nil, failed
	}
	f := best.file()
	if err := best.misaligned(); err != nil {
		return nil, err
	}
	if err := f.sample(open); err != nil {
		return nil, err
	}
	Guess([]*File{f})
	return f, nil
}

// looked is the beginning of a file read with one delimiter.
type looked struct {
	name      string
	anywhere  bool
	delimiter byte
	header    []string
	records   int
	uniform   int         // records with as many fields as the header
	fields    map[int]int // records by how many fields they have
	typed     int         // cells that are numbers, dates or truth values
	columns   []kinds
}

// look reads the first block of a file.
func look(ctx context.Context, open func() (vfs.File, error), delimiter byte) (l *looked, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := csv.Open(ctx, f, csv.Options{Delimiter: delimiter})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	l = &looked{name: f.Name(), anywhere: r.Anywhere(), delimiter: delimiter, header: r.Header(), fields: make(map[int]int)}
	l.columns = newKinds(len(l.header))
	var b csv.Block
	var text []byte
	if err := r.Next(ctx, &b); err != nil {
		if errors.Is(err, io.EOF) {
			return l, nil
		}
		return nil, err
	}
	for i := range b.Len() {
		n := b.Fields(i)
		if n == 0 {
			continue
		}
		l.records++
		l.fields[n]++
		if n != len(l.header) || b.Unclosed() && i == b.Len()-1 {
			continue
		}
		l.uniform++
		for c := range n {
			text = csv.AppendUnquoted(text[:0], b.Cell(i, c))
			if len(text) > 0 {
				k := kindsOf(text)
				l.columns[c] &= k
				if k&^text0 != 0 {
					l.typed++
				}
			}
		}
	}
	return l, nil
}

// better reports whether l is a more likely reading of a file than best, which comes
// before it among the delimiters.
func (l *looked) better(best *looked) bool {
	if (len(l.header) > 1) != (len(best.header) > 1) {
		return len(l.header) > 1 && (l.share() > 0.9 || l.records == 0)
	}
	if a, b := l.share(), best.share(); a != b {
		return a > b
	}
	return l.typed > best.typed
}

func (l *looked) share() float64 {
	if l.records == 0 {
		return 1
	}
	return float64(l.uniform) / float64(l.records)
}

// misaligned is the error of a file of which most records have another number of
// fields than the header: nobody knows which names are whose.
func (l *looked) misaligned() error {
	for n, records := range l.fields {
		if n != len(l.header) && 2*records > l.records {
			return &csv.InputError{
				File: l.name, Line: 1, Reason: ReasonMisaligned,
				Detail: fmt.Sprintf("the first record has %d fields, and most of the others have %d", len(l.header), n),
				Hint:   "mend the header",
			}
		}
	}
	return nil
}

// ReasonMisaligned is the reason of an InputError that says that header and records
// do not fit.
const ReasonMisaligned = "misaligned-header"

func (l *looked) file() *File {
	f := &File{
		Name: l.name, Delimiter: l.delimiter, Header: l.hasHeader(), Uniform: l.share(),
		seen: l.columns, likely: slices.Clone(l.columns), anywhere: l.anywhere,
	}
	names := slices.Clone(l.header)
	if !f.Header {
		for i := range names {
			names[i] = fmt.Sprintf("column%d", i)
		}
	}
	for i, name := range unique(names) {
		f.Renamed = f.Renamed || f.Header && name != strings.TrimSpace(names[i])
		f.Columns = append(f.Columns, Column{Name: name, Format: columnar.FormatOptional, field: i + 1})
	}
	return f
}

// hasHeader reports whether the first record is a header: it is not if there are
// columns that are no text, and it fits all columns as the other records do.
func (l *looked) hasHeader() bool {
	typed := false
	for i, name := range l.header {
		k := l.columns[i]
		if l.uniform == 0 || k == allKinds || k.format() == columnar.FormatOptional {
			continue
		}
		typed = true
		if name != "" && kindsOf([]byte(name))&k&^text0 == 0 {
			return true
		}
	}
	return !typed
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
	t := &columnar.Table{Name: name, Files: []string{f.Name}, Delimiter: string(f.Delimiter), Headless: !f.Header}
	for _, c := range f.Columns {
		t.Columns = append(t.Columns, columnar.TableColumn{Name: c.Name, Header: c.Name, Format: c.Format, Field: c.field})
	}
	t.Columns = append(t.Columns, columnar.TableColumn{Name: Position, Header: Position, Format: columnar.FormatPosition})
	return t
}
