// Package sniff detects the dialect of a CSV file, whether it begins with a header, and
// the type of each column. Files of other formats describe themselves (package input), all or in
// part.
//
// The type of a column depends on the whole file, not on a sample: it is the narrowest
// type that represents every cell without loss. So a column of integers is text if its
// last cell is a word, if it contains 007, or if an integer needs more than 128 bits. The
// order of dates such as 01/02/2020 is known if one date of their column is valid in only
// one order. A null word such as NA does not influence the type: it is NULL if all other
// cells are numbers, and a text among texts.
package sniff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/jsontext"
	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
)

// File is what was detected about a file.
type File struct {
	Name             string
	columnar.Dialect // Headless if it has no header
	Columns          []Column
	// Nulls are the cell texts that mean null, if given; nil otherwise.
	Nulls []string
	// Renamed means that some columns have other names than in the header, because a name
	// is empty or repeated, or because names were given.
	Renamed bool
	// Captioned means that there is no header, and the names are those in a comment above the table.
	Captioned bool
	// Unnamed is how many columns at the end hold values but have no name in the header, whose
	// names may then stand over the wrong columns.
	Unnamed int
	// Lone means that there is one record alone, and that only its cells say whether it is a
	// header.
	Lone bool
	// Uniform is the share, from 0 to 1, of the records at the beginning that have as many
	// fields as the first.
	Uniform float64
	// Invalid means that the beginning is not valid UTF-8.
	Invalid bool
	Format  *input.Format
	Unread  []string // columns that cannot be read, with their types

	before  int   // fields of a record before the first column, which are empty
	fields  int   // of a record, if Columns are those of several files; 0: as many as Columns
	refused kinds // kinds that no column may have
	notes   []Note
	habit   kinds // kinds of numbers with the decimal mark that the file has not, if it shows one
	// thousands means that it shows that only by its separator, of several columns of 1,234 and the like.
	thousands bool
	form      number.Form       // of numbers with the marks that were given
	typed     []bool            // by column: many of the cells at the beginning have a type
	around    []columnar.Format // by column: how texts are read, as cells at the beginning show; 0: there are none
	orders    []kinds           // by column: dates in the order that a series of months does not have; 0: it is none
	seen      []kinds           // by column: kinds that the cells read so far allow
	likely    []kinds           // likewise, including samples, which may begin within quotes
	// anywhere means that the file can be read at any offset.
	anywhere bool
	given    *Given
	whole    bool     // all columns are known, if the file describes itself
	counted  *counted // nil: nobody asked for it
	rows     int64    // of a file that says how many it has; 0: it does not
	size     int64    // of such a file, in bytes
}

// Notes returns what was guessed, mended or left out, by the columns as they are now.
func (f *File) Notes() []Note { return slices.Concat(f.notes, f.noteAround()) }

// Typed reports whether the file says which types its columns have.
func (f *File) Typed() bool { return f.Format.Describe != nil && f.seen == nil }

// Described reports whether the file says which columns it has, and its records may have some of
// them each.
func (f *File) Described() bool { return f.Format.Describe != nil && f.seen != nil }

// Column is a column of a file. Its name is unique in the file, ignoring case.
type Column struct {
	Name   string
	Format columnar.Format // a guess from samples until it is settled
	Form   number.Form     // likewise: how its numbers are written
	Stored columnar.Type   // see columnar.TableColumn
	// Declared means that the format was given: a cell that does not fit rejects its row.
	Declared bool
	// Misfit says why the column is text, if Misfits was called and there is one.
	Misfit *Misfit

	// array is the shape of its cells that are arrays, as far as they were seen.
	array  *jsontext.Shape
	field  int    // position in a record, from 1; 0: the file lacks the column (see UniteByName)
	header string // in the file, if it is another than Name
}

// Type returns the type of the column's values.
func (c *Column) Type() columnar.Type { return c.reading().Type() }

// IsUsual reports whether the column is read in the usual format of its type, which for lists of other values than
// texts, and for structs and maps, is the only one.
func (c *Column) IsUsual() bool {
	usual, ok := FormatOf(c.Type())
	return ok && usual == c.Format || c.Format == columnar.FormatStored && c.Stored != columnar.TextList
}

// reads makes r the way in which the column is read.
func (c *Column) reads(r reading) { c.Format, c.Form, c.Stored = r.Format, r.Form, r.Stored }

func (c *Column) reading() reading { return reading{c.Format, c.Form, c.Stored} }

// Look detects the dialect of a file and the names of its columns, and guesses their types,
// unless they are given. It reads the beginning and samples. It calls open repeatedly: once
// for each dialect that it tries, and to take samples.
func Look(ctx context.Context, open func() (vfs.File, error), given Given) (*File, error) {
	format, err := formatOf(open, given.Format)
	if err != nil {
		return nil, err
	}
	if format.Describe != nil {
		return describe(ctx, format, open, &given, false)
	}
	if given = given.stated(); format.Written != nil {
		d := format.Written
		given.Delimiter, given.Quote = d.Delimiter, d.Quote
	}
	finder := &finder{ctx: ctx, open: open, given: &given}
	defer finder.close()
	best, err := finder.find()
	if err != nil {
		return nil, err
	}
	f, err := best.file(&given)
	if err != nil {
		return nil, err
	}
	f.Format = format
	if err := f.sample(open); err != nil {
		return nil, err
	}
	Guess([]*File{f})
	return f, nil
}

func (l *looked) file(given *Given) (*File, error) {
	l.withoutMarks()
	f := &File{
		Name: l.name, Dialect: l.dialect, Nulls: given.Nulls, Uniform: l.share(), Invalid: l.letters.invalid > 0,
		given: given, refused: given.refused(), form: given.Form(), typed: l.mostlyTyped(), around: l.around(), orders: l.orders(), counted: l.counted, seen: l.columns, likely: slices.Clone(l.columns), anywhere: l.anywhere,
	}
	f.Headless = l.headless
	l.behindFirst(f, l.parted)
	if f.Lone = l.records == 0 && given.Header == nil && given.Columns == nil; l.records == 0 {
		f.Headless = !l.hasHeader()
	}
	names := slices.Clone(l.header)
	for i := len(names) - 1; i >= 0 && strings.TrimSpace(names[i]) == "" && l.columns[i] != allKinds && !f.Headless; i-- {
		f.Unnamed++
	}
	f.Renamed = l.renamed
	if f.Headless {
		f.Captioned = l.captions != nil && given.Header == nil
		for i := range names {
			if names[i] = fmt.Sprintf("column%d", i); f.Captioned {
				names[i] = l.captions[i]
			}
			if cell := l.header[i]; cell != "" {
				f.seen[i] = f.seen[i].and(given.kindsOf([]byte(cell)))
			}
		}
		f.likely = slices.Clone(f.seen)
	}
	for i, name := range names {
		if columnar.IsFormula([]byte(name)) {
			names[i], f.Renamed = string(columnar.TextOfFormula([]byte(name))), true
		}
		if given.Rename != nil && !f.Headless {
			names[i], f.Renamed = given.Rename(names[i]), true
		}
	}
	for i, name := range unique(names) {
		f.Renamed = f.Renamed || !f.Headless && name != strings.TrimSpace(names[i])
		f.Columns = append(f.Columns, Column{Name: name, Format: columnar.FormatOptional, field: i + 1 + f.before})
	}
	if f.Captioned {
		l.notes = append(l.notes, l.captioned)
	}
	l.otherTables()
	f.notes = append(l.notes, f.doubts()...)
	f.habit = f.habitOf()
	err := given.declare(f)
	f.noteHabit()
	return f, err
}

// behindFirst leaves the first n fields out of a file, which are empty in all records.
func (l *looked) behindFirst(f *File, n int) {
	if n == 0 {
		return
	}
	f.before, f.fields = n, len(l.columns)
	l.header = l.header[n:]
	if l.captions != nil {
		l.captions = l.captions[n:]
	}
	f.seen, f.likely, f.typed, f.around, f.orders = f.seen[n:], f.likely[n:], f.typed[n:], f.around[n:], f.orders[n:]
}

// visible returns a name without spaces around it, and byte order marks where files were put together.
func visible(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}

// unique makes names unique: an empty one becomes column0 and so on, by its position, and
// a repeated one gets a number.
func unique(names []string) []string {
	out := make([]string, len(names))
	taken := make(map[string]bool)
	numbers := make(map[string]int) // the last one given to a name, for headers that are one name a thousand times
	for i, name := range names {
		name = strings.ToValidUTF8(visible(name), "\ufffd")
		if name == "" {
			name = fmt.Sprintf("column%d", i)
		}
		given := name
		for taken[strings.ToLower(name)] {
			numbers[given]++
			name = fmt.Sprintf("%s_%d", given, numbers[given])
		}
		taken[strings.ToLower(name)] = true
		out[i] = name
	}
	return out
}

// Settle determines the types of the columns at the given positions, of files that form one
// table and have equal columns. It reads all files to their ends; open(i) opens files[i].
func Settle(ctx context.Context, files []*File, columns []int, open func(i int) (vfs.File, error)) error {
	if files[0].Typed() {
		return nil
	}
	w := NewWatch(files, len(files), columns)
	for i, f := range files {
		if err := w.Part(i, f).Read(ctx, func() (vfs.File, error) { return open(i) }); err != nil {
			return err
		}
	}
	w.Settled()
	return nil
}

// Table returns the file's description as a table with the given name, of the columns that the
// file has. Its last column has the position of a row in its file.
func (f *File) Table(name string) *columnar.Table {
	t := &columnar.Table{Name: name, Files: []string{f.Name}, Dialect: f.Dialect, Nulls: f.Nulls}
	if f.given != nil {
		t.Format = f.given.Format
	}
	for _, c := range f.Columns {
		if c.field == 0 {
			continue
		}
		t.Columns = append(t.Columns, columnar.TableColumn{
			Name: c.Name, Header: cmp.Or(c.header, c.Name), Format: c.Format, Stored: c.Stored, Form: c.Form,
			Strict: c.Declared && c.Format != columnar.FormatOptional, Field: c.field,
		})
	}
	t.AddPosition()
	return t
}

// doubts returns what may be wrong about the header that was found, or not found.
func (f *File) doubts() []Note {
	if n := len(f.Columns); f.Unnamed > 0 && f.Fields == 0 {
		return []Note{{Text: fmt.Sprintf("the header names %d of %d columns: names may stand over the wrong ones", n-f.Unnamed, n)}}
	}
	switch {
	case f.Lone && f.Headless:
		return []Note{{Text: "its only line is taken for a row; read_csv(…, header = true) takes it for the header"}}
	case f.Lone:
		return []Note{{Text: "its only line is taken for the header; read_csv(…, header = false) takes it for a row"}}
	}
	return nil
}
