package sniff

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
)

// apart says of each column whether all of its cells have spaces around, as columns have that a
// program has filled up to a width: the spaces are none of the values then. A single cell shows nothing,
// unless those in quotes have spaces around these.
func (l *looked) apart() []bool {
	out := make([]bool, len(l.columns))
	for c := range min(len(out), len(l.values)) {
		v := l.values[c]
		out[c] = v.apart == v.shown && (v.shown > 1 || v.shown == 1 && l.dialect.Spaced && v.cells > 1)
	}
	return out
}

// meetApart leaves the spaces around the cells of a column of a table if one of its files has cells without any.
func meetApart(files []*File) {
	for c := range files[0].apart {
		all := !slices.ContainsFunc(files, func(f *File) bool { return !f.apart[c] })
		for _, f := range files {
			f.apart[c] = all
		}
	}
}

// noteApart says which texts are read without the spaces around them, if any are.
func (f *File) noteApart() []Note {
	var names []string
	for _, c := range f.Columns {
		if c.Format == columnar.FormatTrimmed && !c.Declared {
			names = append(names, fmt.Sprintf("%q", c.Name))
		}
	}
	if n := len(names); n > mostNamed {
		names = append(names[:mostNamed], fmt.Sprintf("%d others", n-mostNamed))
	}
	if names == nil {
		return nil
	}
	return []Note{{Text: "the spaces around all cells of " + strings.Join(names, ", ") + " are left out: types = {…: 'VARCHAR'} keeps them"}}
}

// mostNamed is how many columns a note names.
const mostNamed = 5
