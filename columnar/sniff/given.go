package sniff

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Given is what somebody says of a file; what he does not say is found out.
type Given struct {
	// Dialect is how it is written, where Delimiter, Quote, Escape, Comment and Encoding
	// that are empty are found out. Headless says nothing.
	columnar.Dialect
	Header  *bool // whether there is one; nil: found out
	Skipped bool  // Skip is given, even if it is 0
	Padded  bool  // records with fewer fields than others have empty ones behind them
	// Nulls are the texts of cells that are no value, whatever their column; nil: the
	// empty ones are none, and words such as NA where all others are numbers.
	Nulls []string
	// Columns are all columns, whatever the header says.
	Columns []Column
	Names   []string // of the first columns
	Types   []Column // of some columns, by their names
	AllText bool     // all columns are text
	// DateOrder is the order of the parts of dates that do not begin with the year; nil: found
	// out, where there is a date that has one order alone.
	DateOrder *number.DateOrder
	// FileName asks for a column of the name of each row's file.
	FileName bool
}

// kindsOf returns the types that a cell, which is not empty, could be of.
func (g *Given) kindsOf(cell []byte) kinds { return kindsAmong(cell, g.Nulls) }

// kindsAmong is kindsOf of a cell where some texts are no value.
func kindsAmong(cell []byte, nulls []string) kinds {
	if nulls == nil {
		k := kindsOf(cell)
		if k == text0 && columnar.IsNullWord(cell) {
			return allKinds
		}
		return k
	}
	if slices.Contains(nulls, string(cell)) {
		return allKinds
	}
	return kindsOf(cell)
}

// kindsOfEmpty returns the types that a column with an empty cell could be of.
func kindsOfEmpty(nulls []string) kinds {
	if nulls == nil || slices.Contains(nulls, "") {
		return allKinds
	}
	return text0
}

// refused returns the kinds of dates of another order than the given one. Those that begin
// with the year have one order alone.
func (g *Given) refused() (others kinds) {
	for i, k := range ordered {
		if order := number.DateOrder(i); g.DateOrder != nil && order != *g.DateOrder && order != number.YearFirst {
			others |= k.day | k.time
		}
	}
	return others
}

// formatOf returns how cells are read that have a type which is usually read so.
func (g *Given) formatOf(usual columnar.Format) columnar.Format {
	if g.DateOrder == nil {
		return usual
	}
	switch k := ordered[*g.DateOrder]; usual {
	case columnar.FormatDay:
		return k.day.format()
	case columnar.FormatTimestamp:
		return k.time.format()
	}
	return usual
}

// declare gives the columns of a file the names and types that were given.
func (g *Given) declare(f *File) error {
	if n := len(g.Columns); n > 0 && n != len(f.Columns) {
		return wrongColumns(f, fmt.Sprintf("%d columns are given, and the file has %d", n, len(f.Columns)))
	}
	if n := len(g.Names); n > len(f.Columns) {
		return wrongColumns(f, fmt.Sprintf("%d names are given, and the file has %d columns", n, len(f.Columns)))
	}
	for i, c := range g.Columns {
		f.Renamed = f.Renamed || !f.Headless
		f.Columns[i].Name, f.Columns[i].Format, f.Columns[i].Declared = c.Name, g.formatOf(c.Format), true
	}
	for i, name := range g.Names {
		f.Renamed = f.Renamed || !f.Headless
		f.Columns[i].Name = name
	}
	names := make([]string, len(f.Columns))
	for i := range f.Columns {
		names[i] = f.Columns[i].Name
	}
	for i, name := range unique(names) {
		f.Columns[i].Name = name
		if g.AllText {
			f.Columns[i].Format, f.Columns[i].Declared = columnar.FormatOptional, true
		}
	}
	for _, t := range g.Types {
		at := slices.IndexFunc(f.Columns, func(c Column) bool { return strings.EqualFold(c.Name, t.Name) })
		if at < 0 {
			return wrongColumns(f, fmt.Sprintf("a type is given for the column %q, which the file has not; it has %q", t.Name, names[:min(len(names), 20)]))
		}
		f.Columns[at].Format, f.Columns[at].Declared = g.formatOf(t.Format), true
	}
	return nil
}
