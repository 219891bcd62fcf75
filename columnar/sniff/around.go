package sniff

import (
	"fmt"
	"strings"

	"analyzer/columnar"
)

// around says of each column what is left out around its texts, as a format: spaces, if all cells have
// some, as columns have that a program has filled up to a width, for which a single cell is not enough
// unless those in quotes have spaces around these; or a formula, if most cells are such as ="007".
func (l *looked) around() []columnar.Format {
	out := make([]columnar.Format, len(l.columns))
	for c := range min(len(out), len(l.values)) {
		switch v := l.values[c]; {
		case v.cells == 0:
		case 2*v.formulas > v.cells:
			out[c] = columnar.FormatFormula
		case v.apart == v.shown && (v.shown > 1 || v.shown == 1 && l.dialect.Spaced && v.cells > 1):
			out[c] = columnar.FormatTrimmed
		default:
			out[c] = columnar.FormatOptional
		}
	}
	return out
}

// meetAround leaves nothing out around the texts of a column of a table if its files differ.
func meetAround(files []*File) {
	for c := range files[0].around {
		var all columnar.Format
		for _, f := range files {
			switch format := f.around[c]; {
			case all == 0:
				all = format
			case format != 0 && format != all:
				all = columnar.FormatOptional
			}
		}
		for _, f := range files {
			f.around[c] = all
		}
	}
}

// noteAround says around which texts something is left out.
func (f *File) noteAround() (notes []Note) {
	for _, left := range []struct {
		format columnar.Format
		text   string
	}{
		{columnar.FormatTrimmed, "the spaces around all cells of %s are left out"},
		{columnar.FormatFormula, `cells of %s such as ="007" are the texts in the quotes`},
	} {
		var names []string
		for _, c := range f.Columns {
			if c.Format == left.format && !c.Declared {
				names = append(names, c.Name)
			}
		}
		if names != nil {
			text := fmt.Sprintf(left.text, namesOf(names))
			notes = append(notes, Note{Text: text + ": types = {…: 'VARCHAR'} keeps them"})
		}
	}
	return notes
}

// mostNamed is how many columns a note names.
const mostNamed = 5

// namesOf names columns in a note.
func namesOf(columns []string) string {
	var names []string
	for i, c := range columns {
		if i == mostNamed && len(columns) > mostNamed+1 { // one is no others
			break
		}
		names = append(names, fmt.Sprintf("%q", c))
	}
	if n := len(columns) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d others", n))
	}
	return strings.Join(names, ", ")
}
