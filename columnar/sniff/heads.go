package sniff

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// heading is the header of a table of which more than one record stands above the rows.
type heading struct {
	head, row int      // the header and the first row; 0 for the row if the first or second record is one
	names     []string // those that stand in several lines of the header; nil: it has one
}

// beginAt has the table begin with a header, and leaves out what stands between it and the first row.
func (l *looked) beginAt(b *csv.Block, h heading) {
	if l.table.first, l.table.row, l.joint = h.head, h.row, h.names; h.row == h.head+1 {
		return
	}
	l.dialect.Omit = append(l.dialect.Omit, columnar.Lines{From: b.Line(h.head + 1), To: b.Line(h.row) - 1})
	why := "units, or other lines of the header (%s), and no rows"
	if h.names != nil {
		why = "more lines of the header (%s), which are parts of the names, and no rows"
	}
	l.note(b, h.head+1, why, excerpt(b.Record(h.head+1)))
}

// mostHeaders is how many records above the rows are looked at, mostRated how many rows, and leastRows how many
// of these a small table has, if at least half of it are rows.
const (
	mostHeaders = 20
	mostRated   = 100
	leastRows   = 3
)

// lower returns the heading of a table of which more than one record stands above the rows,
// which they do not fit: instruments write what they measured with, and units, in as many fields, and
// spreadsheets names of groups. The header is the first of these records that has a name for each column. If
// there is none, but all say something about columns, names are what they say together.
func (a *above) lower() heading {
	if count(a.rows.columns, kinds.typed) == 0 || len(a.lines) < 2 {
		return heading{}
	}
	begin := 0
	for i, line := range a.lines {
		if a.hasValues(line) {
			begin = i + 1
		}
	}
	for i := begin; i < len(a.lines); i++ {
		if line := a.lines[i]; a.areHeader(a.b, line) || i == 0 && a.areNamesBehindFirst(a.b, line) {
			return a.headedBy(i)
		}
	}
	if begin > 0 {
		return heading{}
	}
	return a.together()
}

// headedBy returns the heading of which one of the lines has a name for each column, unless others may be rows.
func (a *above) headedBy(i int) heading {
	h := heading{head: a.lines[i], row: a.rows.row}
	few := a.table.fields == 2 && !a.areAxes(h.head) && !a.isComment(a.b, h.head)
	if last := a.lines[len(a.lines)-1]; (a.settings || few) && a.areAxes(last) {
		return heading{last, h.row, either(a.namesOf(a.b, last), a.namesOf(a.b, h.head))}
	}
	if a.settings {
		return h
	}
	full := func(line int) bool { return 2*filled(a.b, line) > a.table.fields }
	sparse, typed := i > 0 && !slices.ContainsFunc(a.lines[:i], full), count(a.rows.columns, kinds.typed)
	sure := sparse || len(a.lines) > 2 && (2*typed >= a.table.fields || typed > leastTyped)
	if typed < 2 || !sure || slices.ContainsFunc(a.lines[i+1:], a.mayBeRow) {
		return heading{}
	}
	if index := a.indexOf(a.b, a.lines[i:]); index != nil {
		h.names = append(index, a.namesOf(a.b, h.head)[len(index):]...)
	}
	return h
}

// together returns the heading of which all lines have parts of names.
func (a *above) together() heading {
	index, lines := a.indexOf(a.b, a.lines), a.lines
	if index != nil {
		lines = lines[:len(lines)-1]
	}
	lines = a.behindLong(a.b, lines)
	n := len(lines)
	if n < 2 || n > mostJoined || a.rows.row-a.at < 3 || slices.ContainsFunc(lines[1:], a.mayBeRow) || filled(a.b, lines[n-1]) < 2 {
		return heading{}
	}
	var names []string
	for _, line := range lines {
		parts := a.namesOf(a.b, line)
		if slices.ContainsFunc(parts, a.given.isValue) && !a.arePeriods(a.b, line, a.rows.columns) {
			return heading{}
		}
		names = joined(names, parts)
	}
	return heading{lines[0], a.rows.row, append(index, names[len(index):]...)}
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

// leastMisfits is how many settings must have something that no row has.
const leastMisfits = 2

// behindSettings returns the first row behind records that no row is like, as programs write settings above rows, or the
// names above it or above units; 0 if there are none.
func (a *above) behindSettings() int {
	l, b, at, columns, row := a.looked, a.b, a.at, a.rows.columns, a.rows.row
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
		case n > l.table.fields || i < at && n == l.table.fields || !l.holds(b, i, 0, columns, false), row > at && beginsWithNumber(b, i):
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

// holds reports whether a cell of record i, from a column on, is a value of its column, which has a type, or is none.
func (l *looked) holds(b *csv.Block, i, from int, columns []kinds, value bool) bool {
	for c := from; c < b.Fields(i); c++ {
		if cell := b.Cell(i, c); columns[c].typed() && !isBlank(cell) && (l.kindsIn(cell).and(columns[c]) != text0) == value {
			return true
		}
	}
	return false
}

// hasValues reports whether a record has values of columns that have types, and is no setting.
func (a *above) hasValues(i int) bool {
	return !a.settings && !a.arePeriods(a.b, i, a.rows.columns) && a.holds(a.b, i, 0, a.rows.columns, true)
}

// arePeriods reports whether a record has nothing above texts, as those of the first column are, and years or days above the
// other columns, which hold numbers: so are the last lines of headers.
func (l *looked) arePeriods(b *csv.Block, i int, columns []kinds) bool {
	if b.Fields(i) != len(columns) || columns[0] != text0 || !isBlank(b.Cell(i, 0)) {
		return false
	}
	periods := 0
	for c, name := range l.namesOf(b, i) {
		switch {
		case name == "":
			if columns[c].typed() {
				return false
			}
		case columns[c]&float != 0 && (isYear(name) || l.isDay(name)):
			periods++
		default:
			return false
		}
	}
	return periods > 1
}

// isDay reports whether a text is a date and no number.
func (l *looked) isDay(text string) bool {
	k := l.given.kindsOf([]byte(text))
	return k&float == 0 && k&(day|dayYMD|dayMDY|dayDMY|named) != 0
}

// mayBeRow reports whether a record that is no setting has values, or texts in columns of texts, but not in three columns
// that have types. A row may have words where others have numbers.
func (a *above) mayBeRow(i int) bool {
	texts, others := 0, 0
	for c, k := range a.rows.columns {
		switch {
		case isBlank(a.b.Cell(i, c)):
		case k.typed():
			others++
		default:
			texts++
		}
	}
	return a.hasValues(i) || !a.settings && texts > 0 && others < leastTyped
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

// above are the records from one up to the rows of a table.
type above struct {
	*looked
	rows     below
	b        *csv.Block
	at       int   // the first record
	lines    []int // those that say something; nil: one of them may be a row
	settings bool  // offices write so what their series are, and of which unit
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

// beginsWithNumber reports whether the first cell of a record is digits alone: where the rows that are looked at begin with
// numbers, one such as 01 is a code that is sorted before them, and none of what stands above rows begins so.
func beginsWithNumber(b *csv.Block, i int) bool {
	cell := csv.AppendUnquoted(nil, b.Cell(i, 0))
	return len(cell) > 0 && leadingDigits(cell) == len(cell)
}

// isUnlike reports whether the first cell of record i is unlike those of the rows.
func (a *above) isUnlike(i int) bool {
	if beginsWithNumber(a.b, i) {
		return false
	}
	cell := a.b.Cell(i, 0)
	return a.rows.coded && !isCode(cell) || a.rows.columns[0].typed() && a.kindsIn(cell).and(a.rows.columns[0]) == text0
}

// areSettings reports whether the first cells of several lines below the first are unlike those of the rows, and most of
// these lines have something else that no row has.
func (a *above) areSettings() bool {
	if len(a.lines) < leastSettings || a.table.end-a.rows.row < leastRows {
		return false
	}
	misfits := 0
	for _, line := range a.lines[1:] {
		switch {
		case !a.isUnlike(line):
			return false
		case a.holds(a.b, line, 1, a.rows.columns, false):
			misfits++
		}
	}
	return misfits >= leastMisfits
}

// areAxes reports whether a record has the names of the columns below settings: the first is what rows of series are by.
func (a *above) areAxes(i int) bool {
	names := a.namesOf(a.b, i)
	word := strings.ToLower(strings.FieldsFunc(names[0]+" -", func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })[0])
	return slices.Contains(strings.Fields(axes), word) && !slices.ContainsFunc(names, a.given.isValue)
}

// axes are what rows of series are by, in small letters.
const axes = "date time period second seconds day month quarter year x t frequency wavelength " +
	"datum zeit zeitraum sekunde monat quartal jahr période periode mois trimestre année temps fecha tiempo periodo mes año " +
	"data tempo período ano"

// either returns names, or others where they are empty.
func either(names, others []string) []string {
	for c, name := range names {
		names[c] = cmp.Or(name, others[c])
	}
	return names
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
	for next := row - 1; next >= at; next-- {
		if b.Fields(next) > t.fields { // rows may have more, and headers too
			continue
		}
		more := l.fitting(b, next, columns)
		if more == nil || next > at && l.arePeriods(b, next, columns) || coded && !isCode(b.Cell(next, 0)) {
			break
		}
		columns, row = more, next
	}
	return below{row, columns, coded}
}

// aboveRows returns the records from at up to the rows.
func (l *looked) aboveRows(b *csv.Block, at int) *above {
	a := &above{looked: l, rows: l.rowsBelow(b, at), b: b, at: at}
	for i := at; i < a.rows.row; i++ {
		if filled(b, i) == 0 {
			continue
		}
		if b.Fields(i) != l.table.fields || !a.isUnlike(i) && l.fitting(b, i, a.rows.columns) != nil && a.hasValues(i) {
			a.lines = nil
			break
		}
		a.lines = append(a.lines, i)
	}
	a.settings = a.areSettings()
	return a
}

// namesOf returns the cells of a record without spaces around.
func (l *looked) namesOf(b *csv.Block, i int) []string {
	return columnar.Each(textsOf(b, i), strings.TrimSpace)
}

// textsOf returns the cells of a record without quotes.
func textsOf(b *csv.Block, i int) []string {
	texts := make([]string, b.Fields(i))
	for c := range texts {
		texts[c] = string(csv.AppendUnquoted(nil, b.Cell(i, c)))
	}
	return texts
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

// areHeader reports whether a record has a different name for each column.
func (l *looked) areHeader(b *csv.Block, i int) bool {
	return b.Fields(i) == l.table.fields && l.given.mayBeNames(textsOf(b, i))
}

// units returns how many cells of a record are units.
func (l *looked) units(b *csv.Block, i int) int {
	return count(textsOf(b, i), isUnit)
}

// behindTitles returns the record behind those of a table of two columns that have a title in the first cell
// and nothing in the other, or nothing at all, if the names of the columns follow, or the given record. Wider
// tables need no look at the names.
func (l *looked) behindTitles(b *csv.Block, at int) int {
	t := &l.table
	if t.fields > 2 && at+1 < t.end && b.Fields(at+1) == t.fields && (l.areCounts(b, at) && l.areHeader(b, at+1) || l.isNumberedTitle(b, at)) && l.headedFrom(b, at+1) {
		return at + 1
	}
	if t.fields != 2 || isBlank(b.Cell(at, 0)) {
		return at
	}
	next := at
	for next < t.end && (b.Fields(next) == 0 || b.Fields(next) == 2 && isBlank(b.Cell(next, 1))) {
		next++
	}
	if next > at && next+1 < t.end && b.Fields(next) == 2 && l.headedFrom(b, next) {
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
	fields, names := b.Fields(i), l.namesOf(b, i)
	n := count(names, isNamed)
	if n > count(names, l.given.typed) {
		return false
	}
	columns, _ := wholeIn(b.Cell(i, 1))
	return n > 0 && 2*n < fields || n == 2 && n < fields && (columns == fields || columns == fields-1)
}

// areWords reports whether a record has two cells or more, all of them different texts, as names are.
func (l *looked) areWords(b *csv.Block, i int) bool {
	names := l.namesOf(b, i)
	return count(names, isNamed) > 1 && !slices.ContainsFunc(names, l.given.isValue) && !repeats(names)
}
