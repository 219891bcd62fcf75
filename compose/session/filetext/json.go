package filetext

import (
	"cmp"
	"strings"

	"analyzer/columnar/sniff"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/scalar"
)

// File is how a file is written, as JSON.
type File struct {
	File       string       `json:"file"`
	Format     string       `json:"format"`
	Delimiter  string       `json:"delimiter"`
	Quote      string       `json:"quote"`
	Escape     string       `json:"escape"`
	Spaced     bool         `json:"spaced,omitempty"` // spaces around quotes are left out
	Encoding   string       `json:"encoding"`
	Header     bool         `json:"header"`
	Skip       int          `json:"skip"`
	Comment    string       `json:"comment"`
	Columns    []Column     `json:"columns"`
	Unnamed    int          `json:"unnamed"` // columns at the end that the header leaves out
	Confidence float64      `json:"confidence"`
	Notes      []sniff.Note `json:"notes,omitempty"`
}

// Column is a column of a File.
type Column struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"`
	Format string  `json:"format,omitempty"` // how its cells are written, as in tables.sql, if not as usual
	Misfit *Misfit `json:"misfit,omitempty"`
}

// Misfit is why a column is text although nearly all of its cells have another type.
type Misfit struct {
	Type  string   `json:"type"`
	Line  int64    `json:"line"`
	Cell  string   `json:"cell"`
	Count int64    `json:"count"`           // of cells that do not fit; 0: all might
	Doubt string   `json:"doubt,omitempty"` // why they are texts all the same
	Write []string `json:"write"`           // options of read_csv of which one gives the column the type, or an expression of it
}

// Of returns how a file is written.
func Of(f *sniff.File) File {
	out := File{
		File: f.Name, Format: f.Format.Name, Delimiter: cmp.Or(f.Delimiter, ","), Quote: cmp.Or(f.Quote, `"`), Escape: cmp.Or(f.Escape, f.Quote, `"`), Spaced: f.Spaced,
		Encoding: cmp.Or(f.Encoding, "utf-8"), Header: !f.Headless, Skip: f.Skip, Comment: f.Comment, Unnamed: f.Unnamed, Confidence: f.Uniform, Notes: f.Notes(),
	}
	for _, c := range f.Columns {
		column := Column{Name: c.Name, Type: scalar.TypeName(c.Type())}
		_, column.Format, _ = strings.Cut(typeOfCells(c), " FORMAT ")
		if m := c.Misfit; m != nil {
			write := m.Advice(c.Name, scalar.TypeName(m.Format.Type()))
			if write == nil {
				write = []string{fileoptions.Advice(c)}
			}
			column.Misfit = &Misfit{scalar.TypeName(m.Format.Type()), m.Line, m.Cell, m.Count, m.Doubt(), write}
		}
		out.Columns = append(out.Columns, column)
	}
	return out
}
