package sniff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/input/known"
	"analyzer/columnar/jsontext"
	"analyzer/columnar/vfs"
)

// formatOf returns the format of a file.
func formatOf(open func() (vfs.File, error), said string) (format *input.Format, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	format, _, err = known.Of(f, said)
	return format, err
}

// describe describes a file by what it says of itself.
func describe(ctx context.Context, format *input.Format, open func() (vfs.File, error), given *Given, whole bool) (*File, error) {
	d, err := format.Describe(ctx, open, input.Asked{Whole: whole, Texts: given.ByteTexts})
	if err != nil {
		return nil, err
	}
	f := &File{Name: d.File, Format: format, Uniform: 1, given: given, whole: whole, Nulls: given.Nulls, refused: given.refused(), rows: d.Rows, size: d.Bytes}
	for i, c := range d.Columns {
		column, ok := Column{Name: c.Name, header: cmp.Or(c.Header, c.Name), Format: columnar.FormatOptional, field: i + 1}, true
		if !c.Cells {
			column.Format, ok = FormatOf(c.Type)
			if !ok || c.Type.Kind() == columnar.KindList {
				column.Format, column.Stored, ok = columnar.FormatStored, c.Type, c.Type.Writable()
			} else if c.Type.IsWide() {
				column.Stored = c.Type
			}
		}
		if !ok {
			f.Unread = append(f.Unread, fmt.Sprintf("%q (%s)", c.Name, c.In))
			continue
		}
		f.Columns = append(f.Columns, column)
	}
	f.rename()
	f.notes = columnar.Each(d.Notes, noteOf)
	if len(d.Columns) == 0 || !d.Columns[0].Cells {
		return f, nil
	}
	if len(given.Columns) > 0 {
		f.choose(given.Columns)
	}
	f.seen = newKinds(len(f.Columns))
	if err := f.declare(given); err != nil {
		return nil, err
	}
	l := looker{file: f, found: found{kinds: f.seen}}
	for i, c := range f.Columns {
		if !c.Declared {
			l.columns = append(l.columns, i)
		}
	}
	for _, b := range slices.Backward(d.Samples) { // the last sample is the beginning
		l.take(b)
		f.learn(l.arrays)
		l.arrays = nil
	}
	if n := len(d.Samples); given.Count && n > 0 {
		f.counted = countedOf(d.Samples[n-1], 0, d.Samples[n-1].Len(), len(d.Columns))
		for _, b := range d.Samples[:n-1] {
			f.counted.meetAll(b)
		}
	}
	f.likely = slices.Clone(f.seen)
	Guess([]*File{f})
	return f, nil
}

// learn adds shapes of arrays in a sample to what is known of their columns. The members of the first ones keep their order.
func (f *File) learn(arrays map[int]*jsontext.Shape) {
	for i, shape := range arrays {
		c := &f.Columns[i]
		if c.array != nil {
			shape = c.array.United(shape)
		}
		c.array = shape
	}
}

// choose makes the given columns those of the file.
func (f *File) choose(columns []Column) {
	f.Columns, f.whole = nil, true
	for i, c := range columns {
		f.Columns = append(f.Columns, Column{Name: c.Name, header: c.Name, field: i + 1})
	}
}

// rename makes the names of columns unique.
func (f *File) rename() {
	names := columnar.Each(f.Columns, func(c Column) string { return c.Name })
	for i, name := range unique(names) {
		f.Columns[i].Name = name
	}
}

// declare applies what is given about columns, which have names.
func (f *File) declare(given *Given) error {
	for i := range f.Columns {
		if given.AllText {
			f.Columns[i].Format, f.Columns[i].Declared = columnar.FormatOptional, true
		}
	}
	for _, t := range slices.Concat(given.Columns, given.Types) {
		at := slices.IndexFunc(f.Columns, func(c Column) bool { return strings.EqualFold(c.Name, t.Name) })
		if at < 0 && !f.whole {
			continue // it may come later
		}
		if at < 0 {
			return wrongColumns(f, fmt.Sprintf("a type is given for the column %q, which the file has not", t.Name))
		}
		t.Form = f.Columns[at].Form
		f.Columns[at].declare(t, given)
	}
	return nil
}

// Unite gives files that form one table all columns that one of them has. It does so for formats
// whose records may have some of the columns each; other files must have equal columns.
func Unite(files []*File) {
	if !files[0].Described() {
		return
	}
	at := make(map[string]int)
	var all []Column
	for _, f := range files {
		for _, c := range f.Columns {
			i, known := at[c.header]
			if !known {
				at[c.header] = len(all)
				all = append(all, c)
				continue
			}
			all[i].array = all[i].array.United(c.array)
		}
	}
	for _, f := range files {
		seen, likely := newKinds(len(all)), newKinds(len(all))
		for i, c := range f.Columns {
			seen[at[c.header]], likely[at[c.header]] = f.seen[i], f.likely[i]
		}
		f.Columns, f.seen, f.likely = slices.Clone(all), seen, likely
		for i := range f.Columns {
			f.Columns[i].field = i + 1
		}
		f.rename()
	}
}

// Complete finds all columns of files that form one table, for which it may have to read the files
// to their ends, and reports whether there are more than before. open(i) opens files[i].
func Complete(ctx context.Context, files []*File, open func(i int) (vfs.File, error)) (more bool, err error) {
	if !files[0].Described() || files[0].whole {
		return false, nil
	}
	before := slices.Clone(files[0].Columns)
	for i, f := range files {
		found, err := describe(ctx, f.Format, func() (vfs.File, error) { return open(i) }, f.given, true)
		if err != nil {
			return false, err
		}
		*f = *found
	}
	Unite(files)
	Guess(files)
	return !slices.EqualFunc(before, files[0].Columns, func(a, b Column) bool { return a.header == b.header }), nil
}
