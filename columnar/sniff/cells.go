package sniff

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// marked says which of some marks a text has, so that most texts need no look for them at each record.
type marked struct {
	comments bool // such as begin comments
	spaced   bool // a double quote beside a space
	pages    bool // a form feed
}

func marksIn(text []byte) marked {
	has := func(c byte) bool { return bytes.IndexByte(text, c) >= 0 }
	return marked{
		comments: has('#') || has('%') || has(';'),
		pages:    has('\f'),
		spaced:   has('"') && (bytes.Contains(text, []byte(` "`)) || bytes.Contains(text, []byte(`" `))),
	}
}

// part returns what is needed to look at another part of the same block.
func (l *looked) part(r run) *looked {
	return &looked{given: l.given, dialect: l.dialect, found: l.found, table: table{run: r}}
}

// readRows takes records of the table into account.
func (l *looked) readRows(b *csv.Block, records []int32, years []int) {
	l.records += len(records)
	rows := records[:0]
	for _, r := range records {
		i := int(r)
		n := b.Fields(i)
		switch {
		case b.Unclosed() && i == b.Len()-1:
			l.swallowed = bytes.Count(b.Record(i), []byte("\n"))
			l.fields[n]++
		case n != l.table.fields:
			l.fields[n]++
		default:
			if years != nil && areYears(b, i, years) {
				l.yearly++
			}
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return
	}
	l.fields[l.table.fields] += len(rows)
	l.uniform += len(rows)
	odd := make([]bool, len(rows)) // whether a row has quotes that enclose no cell
	for c := range l.columns {
		l.readColumn(b, c, rows, odd)
	}
	for _, is := range odd {
		if !is {
			l.explained++
		}
	}
}

// readColumn takes the cells of a column into account.
func (l *looked) readColumn(b *csv.Block, c int, rows []int32, odd []bool) {
	b.Column(&l.column, c, rows)
	quote, n := cmp.Or(l.dialect.Quote, `"`)[0], len(rows)
	skips := quote == '"' && !slices.ContainsFunc(l.given.Nulls, l.given.typed)
	k, v := l.columns[c], &l.values[c]
	for i := 0; i < n; i++ {
		if skips && k&(monthFirst|dayFirst) == 0 {
			if to := skipPlain(k, &l.column, i, n); to > i {
				l.addPlain(v, i, to)
				if i = to; i == n {
					break
				}
			}
		}
		cell := l.column.Cell(i)
		text, regular := csv.Text(cell)
		switch {
		case len(cell) == 0:
		case cell[0] != '"':
			odd[i] = odd[i] || bytes.IndexByte(cell, quote) >= 0
			begins, text := &l.begins, cell
			if cell[0] == ' ' {
				begins, text = &l.beginsApart, bytes.TrimLeft(cell, " ")
			}
			if len(text) > 0 {
				if at := strings.IndexByte(otherQuotes, text[0]); at >= 0 {
					begins[at] = true
				}
			}
		case !regular:
			if !doubled(cell) {
				l.irregular++
				odd[i] = true
			}
			l.text = csv.AppendUnquoted(l.text[:0], cell)
			text = l.text
		}
		if len(text) == 0 {
			k = k.and(kindsOfEmpty(l.given.Nulls))
			l.unnumbered = l.unnumbered || c == 0
			continue
		}
		k = k.and(l.addCell(v, text, cell[0] == '"'))
	}
	l.columns[c] = k
}

// addPlain counts cells from one up to another, which are numbers or dates without quotes.
func (l *looked) addPlain(v *values, from, to int) {
	v.cells += to - from
	v.typed += to - from
	v.shown += to - from
	l.typed += to - from
	for i := from; i < to; i++ {
		cell := l.column.Cell(i)
		v.size(cell)
		if isApart(cell) {
			v.apart++
		}
	}
}

// isMark reports whether a text is a digit and a minus, as some marks are that schools give: 1, 1- and 2.
func isMark(text []byte) bool { return len(text) == 2 && isDigit(text[0]) && text[1] == '-' }

// size notes whether a value is a mark, or longer than one without a sign.
func (v *values) size(text []byte) {
	if isMark(text) {
		v.marks++
	} else if len(text) > 1 {
		v.long = true
	}
}

// withoutMarks makes columns texts whose values are digits, of which some are followed by a sign: of numbers with the sign
// behind, some are longer.
func (l *looked) withoutMarks() {
	for c := range min(len(l.columns), len(l.values)) {
		if v := &l.values[c]; v.marks > 0 && !v.long {
			l.columns[c] = text0
		}
	}
}

// addCell counts a cell with a text, which may stand in quotes, and returns what it allows.
func (l *looked) addCell(v *values, text []byte, quoted bool) kinds {
	k := l.given.kindsOf(text)
	v.cells++
	if !quoted || !l.dialect.Spaced { // those around these quotes are gone
		v.shown++
		if isApart(text) {
			v.apart++
		}
	}
	switch {
	case k == allKinds:
		v.nulls++
	case k == text0 && columnar.IsFormula(text):
		v.formulas++
	case k != text0 || isFlagged(text):
		v.typed++
	}
	if k.typed() {
		l.typed++
	}
	if k != allKinds {
		v.size(text)
	}
	if k&(monthFirst|dayFirst) != 0 && k != allKinds {
		v.months.add(text, k)
	}
	return k
}

// isApart reports whether a space begins or ends a text.
func isApart(text []byte) bool { return text[0] == ' ' || text[len(text)-1] == ' ' }
