package sniff

import (
	"bytes"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// beginAt has the table begin with a header, of which names are those that stand in several lines of it, and
// leaves out what stands between it and the first row.
func (l *looked) beginAt(b *csv.Block, head, row int, names []string) {
	if l.table.first, l.table.row, l.joint = head, row, names; row == head+1 {
		return
	}
	l.dialect.Omit = append(l.dialect.Omit, columnar.Lines{From: b.Line(head + 1), To: b.Line(row) - 1})
	why := "units, or other lines of the header (%s), and no rows"
	if names != nil {
		why = "more lines of the header (%s), which are parts of the names, and no rows"
	}
	l.note(b, head+1, why, excerpt(b.Record(head+1)))
}

// mostHeaders is how many records above the rows are looked at, mostRated how many rows, and leastRows how many
// of these a small table has, if at least half of it are rows.
const (
	mostHeaders = 20
	mostRated   = 100
	leastRows   = 3
)

// lower returns the header and the first row of a table of which more than one record stands above the rows,
// which they do not fit: instruments write what they measured with, and units, in as many fields, and
// spreadsheets names of groups. The header is the first of these records that has a name for each column. If
// there is none, but all say something about columns, names are what they say together. It returns 0 for the
// row if the first or second record is one.
func (l *looked) lower(b *csv.Block, at int) (head, row int, names []string) {
	rows := l.rowsBelow(b, at)
	columns, row := rows.columns, rows.row
	typed := 0
	for _, k := range columns {
		if k.typed() {
			typed++
		}
	}
	lines := l.linesAbove(b, at, rows)
	settings := l.areSettings(b, lines, rows)
	valued := func(line int) bool { return !settings && l.fittingCells(b, line, columns) > 0 }
	odd := func(line int) bool { return valued(line) || !settings && l.mayBeRow(b, line, columns) }
	full := func(line int) bool { return 2*filled(b, line) > l.table.fields }
	if typed == 0 || len(lines) < 2 {
		return 0, 0, nil
	}
	begin := 0
	for i, line := range lines {
		if valued(line) {
			begin = i + 1
		}
	}
	for i, line := range lines {
		if i < begin || !l.areHeader(b, line) && !(i == 0 && l.areNamesBehindFirst(b, line)) {
			continue
		}
		sparse := i > 0 && !slices.ContainsFunc(lines[:i], full)
		if !settings && (typed < 2 || slices.ContainsFunc(lines[i+1:], odd) || !sparse && (len(lines) < 3 || 2*typed < l.table.fields && typed <= leastTyped)) {
			return 0, 0, nil
		}
		if index := l.indexOf(b, lines[i:]); index != nil && !settings {
			return line, row, append(index, l.namesOf(b, line)[len(index):]...)
		}
		return line, row, nil
	}
	index := l.indexOf(b, lines)
	if index != nil {
		lines = lines[:len(lines)-1]
	}
	lines = l.behindLong(b, lines)
	if len(lines) < 2 || row-at < 3 || len(lines) > mostJoined || begin > 0 || slices.ContainsFunc(lines[1:], odd) || filled(b, lines[len(lines)-1]) < 2 {
		return 0, 0, nil
	}
	for i, line := range lines {
		parts := l.namesOf(b, line)
		switch {
		case slices.ContainsFunc(parts, func(part string) bool { return l.given.typed(part) && !isYear(part) }):
			return 0, 0, nil
		case i > 0:
			parts = joined(names, parts)
		}
		names = parts
	}
	return lines[0], row, append(index, names[len(index):]...)
}

// mostJoined is how many lines the names of columns may be written in.
const mostJoined = 6

// behindLong returns lines of a header behind those at its beginning that have a cell as long as a title.
func (l *looked) behindLong(b *csv.Block, lines []int) []int {
	for i := len(lines) - 2; i >= 0; i-- {
		if slices.ContainsFunc(l.namesOf(b, lines[i]), func(name string) bool { return len(name) >= longNote }) {
			return lines[i+1:]
		}
	}
	return lines
}

// These are how many records above rows must not fit these before they are no rows: with fewer fields, and with
// as many, where the header may be among them.
const (
	leastShorter  = 2
	leastSettings = 4
)

// behindSettings returns the first row behind records that no row is like, as programs write settings above rows, or the
// names above it or above units; 0 if there are none. at is the first record of the table with its number of fields.
func (l *looked) behindSettings(b *csv.Block, at int) int {
	rows := l.rowsBelow(b, at)
	columns, row := rows.columns, rows.row
	first, least := l.table.first, leastShorter
	if row > at {
		least = leastSettings
	}
	above := 0
	for i := first; i < row; i++ {
		if b.Fields(i) > 0 && !l.isComment(b, i) {
			above++
		}
	}
	if above < least || l.table.end-row < leastRows || row > at && !columns[0].typed() {
		return 0
	}
	for i := first; i < row; i++ {
		n := b.Fields(i)
		switch {
		case n == l.table.fields && l.areHeader(b, i) && i+1 < row && 2*l.units(b, i+1) >= n && l.units(b, i+1) == filled(b, i+1): // names above units
			return i
		case n < 2 && i > first: // a line of dashes, or the name of a section
		case n > l.table.fields || i < at && n == l.table.fields || !l.misfits(b, i, columns):
			return 0
		case row > at && l.kindsIn(b.Cell(i, 0)).and(columns[0]) != text0:
			return 0
		}
	}
	if above := row - 1; l.table.fields > 2 && b.Fields(above) == l.table.fields && l.areHeader(b, above) {
		return above
	}
	return row
}

// misfits reports whether a cell of record i is none of its column, which has a type.
func (l *looked) misfits(b *csv.Block, i int, columns []kinds) bool {
	for c := range b.Fields(i) {
		if cell := b.Cell(i, c); columns[c].typed() && !isBlank(cell) && l.kindsIn(cell).and(columns[c]) == text0 {
			return true
		}
	}
	return false
}

// mayBeRow reports whether a record has texts in columns of texts, but not in three columns that have types. A row
// may have words where others have numbers.
func (l *looked) mayBeRow(b *csv.Block, i int, columns []kinds) bool {
	texts, others := 0, 0
	for c, k := range columns {
		switch {
		case isBlank(b.Cell(i, c)):
		case k.typed():
			others++
		default:
			texts++
		}
	}
	return texts > 0 && others < leastTyped
}

// leastTyped is how many words must stand where others have numbers before that is no chance.
const leastTyped = 3

// areNamesBehindFirst reports whether a record has a different name for each column but the first, whose cell
// is empty.
func (l *looked) areNamesBehindFirst(b *csv.Block, i int) bool {
	return isBlank(b.Cell(i, 0)) && filled(b, i) == l.table.fields-1 && l.areWords(b, i)
}

// below are the rows below other records.
type below struct {
	row     int // the first one
	columns []kinds
	coded   bool // their first cells are codes with digits, as Jan-2020 or 1948 Q1
}

// haveCodes reports whether the first cells of records from one up to another are codes.
func (l *looked) haveCodes(b *csv.Block, from, to int) bool {
	for i := from; i < to; i++ {
		if b.Fields(i) == l.table.fields && !isCode(b.Cell(i, 0)) {
			return false
		}
	}
	return to-from >= leastRows
}

func isCode(cell []byte) bool { return formOfCode(csv.AppendUnquoted(nil, cell)) != "" }

// isUnlike reports whether the first cell of record i is unlike those of the rows.
func (l *looked) isUnlike(b *csv.Block, i int, rows below) bool {
	cell := b.Cell(i, 0)
	return rows.coded && !isCode(cell) || rows.columns[0].typed() && l.kindsIn(cell).and(rows.columns[0]) == text0
}

// areSettings reports whether the first cells of several lines below the first are unlike those of the rows, and most of
// these lines have something else that no row has: offices write so what their series are, and of which unit.
func (l *looked) areSettings(b *csv.Block, lines []int, rows below) bool {
	if len(lines) < leastSettings || l.table.end-rows.row < leastRows {
		return false
	}
	misfits := 0
	for _, line := range lines[1:] {
		if !l.isUnlike(b, line, rows) {
			return false
		}
		for c, k := range rows.columns {
			if cell := b.Cell(line, c); c > 0 && k.typed() && !isBlank(cell) && l.kindsIn(cell).and(k) == text0 {
				misfits++
				break
			}
		}
	}
	return misfits >= leastSettings-1
}

// indexOf returns the names of the first columns if the last of several lines has these alone, as pandas writes what its
// rows are called by.
func (l *looked) indexOf(b *csv.Block, lines []int) []string {
	last := lines[len(lines)-1]
	names, n := l.namesOf(b, last), filled(b, last)
	if len(lines) < 3 || 2*n > len(names) || slices.Contains(names[:n], "") {
		return nil
	}
	return names[:n:n]
}

// rowsBelow returns the rows that stand below the records that begin at the given one.
func (l *looked) rowsBelow(b *csv.Block, at int) below {
	t := &l.table
	row := at + min(mostHeaders, max((t.end-at)/2, t.end-at-leastRows))
	columns := newKinds(t.fields)
	for i := row; i < min(t.end, row+mostRated); i++ {
		if b.Fields(i) != t.fields {
			continue
		}
		for c := range columns {
			columns[c] = columns[c].and(l.kindsIn(b.Cell(i, c)))
		}
	}
	coded := columns[0] == text0 && l.haveCodes(b, row, min(t.end, row+mostRated))
	for row > at {
		more := l.fitting(b, row-1, columns)
		if more == nil || coded && !isCode(b.Cell(row-1, 0)) {
			break
		}
		columns, row = more, row-1
	}
	return below{row, columns, coded}
}

// linesAbove returns the records from at up to the rows that say something, nil if one of them may be a row.
func (l *looked) linesAbove(b *csv.Block, at int, rows below) (lines []int) {
	for i := at; i < rows.row; i++ {
		if filled(b, i) == 0 {
			continue
		}
		if b.Fields(i) != l.table.fields || !l.isUnlike(b, i, rows) && l.fitting(b, i, rows.columns) != nil && l.fittingCells(b, i, rows.columns) > 0 {
			return nil
		}
		lines = append(lines, i)
	}
	return lines
}

// namesOf returns the cells of a record without spaces around.
func (l *looked) namesOf(b *csv.Block, i int) []string {
	names := make([]string, b.Fields(i))
	for c := range names {
		names[c] = strings.TrimSpace(string(csv.AppendUnquoted(nil, b.Cell(i, c))))
	}
	return names
}

// filled returns how many cells of a record hold more than spaces.
func filled(b *csv.Block, i int) (n int) {
	for c := range b.Fields(i) {
		if !isBlank(b.Cell(i, c)) {
			n++
		}
	}
	return n
}

// isBlank reports whether a cell is empty, or has only spaces and no quotes.
func isBlank(cell []byte) bool {
	return csv.IsEmpty(cell) || cell[0] == ' ' && len(bytes.TrimLeft(cell, " ")) == 0
}

// fitting returns what the columns allow with record i besides, nil if one of them is only text with it.
func (l *looked) fitting(b *csv.Block, i int, columns []kinds) []kinds {
	if b.Fields(i) != len(columns) {
		return nil
	}
	out := slices.Clone(columns)
	for c, k := range columns {
		if out[c] = k.and(l.kindsIn(b.Cell(i, c))); out[c] == text0 && k.typed() {
			return nil
		}
	}
	return out
}

// fittingCells returns how many cells of record i are values of columns that are not text.
func (l *looked) fittingCells(b *csv.Block, i int, columns []kinds) (n int) {
	for c, k := range columns {
		if cell := b.Cell(i, c); k.typed() && !isBlank(cell) && l.kindsIn(cell).and(k) != text0 {
			n++
		}
	}
	return n
}

// areHeader reports whether a record has a different name for each column.
func (l *looked) areHeader(b *csv.Block, i int) bool {
	taken := make(map[string]bool)
	for c := range b.Fields(i) {
		name := string(csv.AppendUnquoted(nil, b.Cell(i, c)))
		if name == "" || taken[name] || l.given.typed(name) {
			return false
		}
		taken[name] = true
	}
	return len(taken) == l.table.fields
}

// units returns how many cells of a record are units.
func (l *looked) units(b *csv.Block, i int) (n int) {
	for c := range b.Fields(i) {
		if areUnits([]string{string(csv.AppendUnquoted(nil, b.Cell(i, c)))}) {
			n++
		}
	}
	return n
}

// behindTitles returns the record behind those of a table of two columns that have a title in the first cell
// and nothing in the other, or nothing at all, if the names of the columns follow, or the given record. Wider
// tables need no look at the names.
func (l *looked) behindTitles(b *csv.Block, at int) int {
	t := &l.table
	if t.fields > 2 && at+1 < t.end && b.Fields(at+1) == t.fields && (l.areCounts(b, at) && l.areHeader(b, at+1) || l.isNumberedTitle(b, at)) && l.headed(b, run{first: at + 1, end: t.end, fields: t.fields}) {
		return at + 1
	}
	if t.fields != 2 || isBlank(b.Cell(at, 0)) {
		return at
	}
	next := at
	for next < t.end && (b.Fields(next) == 0 || b.Fields(next) == 2 && isBlank(b.Cell(next, 1))) {
		next++
	}
	if next > at && next+1 < t.end && b.Fields(next) == 2 && l.headed(b, run{first: next, end: t.end, fields: 2}) {
		return next
	}
	return at
}

// isNumberedTitle reports whether a record has texts in its first two cells alone, as Table 2 and what it is about, and
// the next one different texts in more than twice as many.
func (l *looked) isNumberedTitle(b *csv.Block, at int) bool {
	return filled(b, at) == 2 && !isBlank(b.Cell(at, 0)) && !isBlank(b.Cell(at, 1)) && filled(b, at+1) > 4 && !isBlank(b.Cell(at+1, 0)) && l.areWords(b, at+1)
}

// areCounts reports whether a record has numbers in less than half of its cells, or two of which the second says how
// many columns there are, and nothing in the others.
func (l *looked) areCounts(b *csv.Block, i int) bool {
	n := 0
	for _, cell := range l.namesOf(b, i) {
		if cell != "" && !l.given.typed(cell) {
			return false
		}
		if cell != "" {
			n++
		}
	}
	fields := b.Fields(i)
	columns, _ := wholeIn(b.Cell(i, 1))
	return n > 0 && 2*n < fields || n == 2 && n < fields && (columns == fields || columns == fields-1)
}

// areWords reports whether a record has two cells or more, all of them different texts, as names are.
func (l *looked) areWords(b *csv.Block, i int) bool {
	taken := make(map[string]bool)
	for _, name := range l.namesOf(b, i) {
		if taken[name] || l.given.typed(name) && !isYear(name) {
			return false
		}
		taken[name] = name != ""
	}
	delete(taken, "")
	return len(taken) > 1
}
