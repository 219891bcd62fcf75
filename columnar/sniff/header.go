package sniff

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar/csv"
)

// hasHeader reports whether the first record is a header. If some columns are not text, it
// is a header unless it fits the types of all columns, as the other records do. If all
// columns are text, it is a header unless columns with other names are given, or a comment has names. If there is no
// other record, it is a header if all of its cells are texts.
func (l *looked) hasHeader() bool {
	given := l.given
	if given.Header != nil {
		return *given.Header
	}
	header, typed := l.headerByTypes()
	switch {
	case header || typed:
		return header
	case len(given.Columns) > 0:
		return slices.EqualFunc(l.header, given.Columns, func(name string, c Column) bool {
			return strings.EqualFold(strings.TrimSpace(name), c.Name)
		})
	}
	return l.captions == nil && (l.records > 0 || !slices.ContainsFunc(l.header, func(cell string) bool { return given.typed(cell) }))
}

// headerByTypes reports whether some columns are not text (typed), and whether the first
// record does not fit the type of one of these, or looks like a header all the same (header). What begins with a digit
// is no name beside values.
func (l *looked) headerByTypes() (header, typed bool) {
	values, odd := 0, false
	for i, name := range l.header[:min(len(l.header), len(l.columns))] {
		k := l.columns[i]
		if l.uniform == 0 || k == allKinds || k == text0 || k&^truths == text0 && k&lettersOnly != 0 {
			continue
		}
		typed = true
		switch {
		case name == "":
		case l.given.kindsOf([]byte(name)).and(k) != text0:
			values++
		case !isDigit(name[0]):
			return true, true
		default: // as 1,2,3 among numbers
			odd = true
		}
	}
	return typed && (odd && values == 0 || l.quoted || l.indexed() || l.numbered() || l.years() || l.nameless()), typed
}

// comparedQuotes is how many rows show that values stand without quotes.
const comparedQuotes = 8

// headQuoted reports whether all cells of the first record stand in quotes, and no cell with a type does in a column of some
// rows below it, as where a program quotes all texts.
func (l *looked) headQuoted(b *csv.Block, first int, rows []int32) bool {
	inQuotes := func(i, c int) bool { return bytes.HasPrefix(b.Cell(i, c), []byte(`"`)) }
	for c := range l.header {
		if !inQuotes(first, c) {
			return false
		}
	}
	for c, k := range l.columns {
		if bare := len(rows) > 1 && k.typed(); bare {
			for _, i := range rows {
				bare = bare && (b.Fields(int(i)) <= c || !inQuotes(int(i), c))
			}
			if bare {
				return true
			}
		}
	}
	return false
}

// nameless reports whether the first record has different texts, and nothing over a column or more of numbers
// that no other record lacks.
func (l *looked) nameless() bool {
	names, none := l.header[:min(len(l.header), len(l.columns))], 0
	if l.uniform < leastRows || repeats(names) || slices.ContainsFunc(names, l.given.typed) {
		return false
	}
	for c, name := range names {
		if name == "" && (!l.columns[c].typed() || l.values[c].cells < l.uniform) {
			return false
		}
		if name == "" {
			none++
		}
	}
	return len(names)-none > 1 && len(names)-none < len(l.columns)
}

// numbered reports whether the first record counts columns from 0 or 1 on behind an empty cell, as tables
// of data frames and of plates do, while no other record has an empty first cell.
func (l *looked) numbered() bool {
	if l.header[0] != "" || l.unnumbered || len(l.header) < 3 {
		return false
	}
	from, err := strconv.Atoi(l.header[1])
	for i, name := range l.header[1:] {
		if err != nil || from&^1 != 0 || name != strconv.Itoa(from+i) {
			return false
		}
	}
	return true
}

// indexed reports whether the first record looks like that of a program that numbers rows in a
// column without a name: only its first cell is empty, the others are different texts, and in no
// other record the first cell is empty.
func (l *looked) indexed() bool {
	return l.header[0] == "" && !l.unnumbered && l.given.mayBeNames(l.header[1:])
}

// years reports whether the first record has years for names, as tables of statistics do: a
// text or more, or nothing over names of rows, and years, which rise or fall. If most other records have years in these
// columns too, the first is one of them.
func (l *looked) years() bool {
	texts := 0
	var years []string
	for c, name := range l.header {
		switch {
		case c == 0 && name == "" && !l.unnumbered && l.columns[0] == text0:
			texts++
		case isYear(name):
			years = append(years, name)
		case l.given.typed(name):
			return false
		case name != "":
			texts++
		}
	}
	falling := slices.Clone(years)
	slices.Reverse(falling)
	return texts > 0 && len(years) > 1 && 2*l.yearly < l.uniform && (rising(years) || rising(falling))
}

// rising reports whether each of some years comes after the one before it.
func rising(years []string) bool {
	return slices.IsSorted(years) && len(slices.Compact(slices.Clone(years))) == len(years)
}

// areYears reports whether a record has years, or nothing, in the given columns.
func areYears(b *csv.Block, i int, columns []int) (are bool) {
	for _, c := range columns {
		cell := csv.AppendUnquoted(nil, b.Cell(i, c))
		if len(cell) > 0 && !isYear(string(cell)) {
			return false
		}
		are = are || len(cell) > 0
	}
	return are
}

// isYear reports whether a text is a year that may stand above a column.
func isYear(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) == 4 && text >= "1800" && text <= "2199" && leadingDigits([]byte(text)) == 4
}

// mayBeNames reports whether there are texts, all different, of which none is empty or typed.
func (g *Given) mayBeNames(texts []string) bool {
	return len(texts) > 0 && !slices.Contains(texts, "") && !slices.ContainsFunc(texts, g.typed) && !repeats(texts)
}

// isValue reports whether a cell is typed, and no year, which may be a name.
func (g *Given) isValue(cell string) bool { return g.typed(cell) && !isYear(cell) }

// typed reports whether a cell is a number, a date or a truth value.
func (g *Given) typed(cell string) bool {
	if cell == "" {
		return false
	}
	return g.kindsOf([]byte(cell)).typed()
}

// typed reports whether cells of k are numbers, dates or truth values. Words such as No may be
// names.
func (k kinds) typed() bool { return k != allKinds && k&^(text0|truths) != 0 }
