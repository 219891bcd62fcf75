package sniff

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// place finds the table in a block, of which record first is the first that is not blank.
func (l *looked) place(b *csv.Block, first int) {
	begin, usual := first, l.usualFields(b)
	if !l.given.Skipped {
		begin = l.behindDescription(b, behindDelimiter(b, first))
		begin = l.behindCount(b, behindMatter(b, begin), usual)
		if last := l.alone(b, begin); last > begin {
			begin, usual = last, b.Fields(last)
		}
	}
	l.lines = l.firstLines(b, begin)
	each := l.runsOf(b, begin, usual)
	if l.given.Padded {
		l.table, l.score = allOf(b, begin, usual), l.rate(b, each)
		return
	}
	runs := collected(each, b.Len())
	l.score = l.rate(b, slices.Values(runs))
	if isList(b, runs) || isLog(b, runs) || areBracketed(b, runs) || l.isProse(b, runs) {
		l.table, l.score = allOf(b, begin, usual), 0
		l.skipTo(b, first, begin)
		return
	}
	tables := l.tablesOf(b, runs)
	for _, t := range tables {
		if t.records > 2 || l.headed(b, t.run) {
			l.tables = append(l.tables, placeOf(b, t))
		}
	}
	at := l.main(b, tables)
	if at < 0 {
		l.table = allOf(b, begin, usual)
		l.skipTo(b, first, begin)
		return
	}
	if l.table = tables[at]; l.whole && l.table.fields == 2 { // notes look like rows there
		l.table.end = min(l.table.end, l.notesFrom(b))
	}
	l.begin(b, first)
	l.end(b, tables[at+1:])
}

// alone returns the last record of a file of which all others from begin on are comments, if it may be a header without
// rows, or begin.
func (l *looked) alone(b *csv.Block, begin int) int {
	last := b.Len() - 1
	for last > begin && b.Fields(last) == 0 {
		last--
	}
	signed := l.isComment(b, last) // as #CHROM below comments that begin with ##
	for i := begin; i < last; i++ {
		if b.Fields(i) > 0 && (!l.isComment(b, i) || b.Fields(i) == b.Fields(last) || signed && !bytes.HasPrefix(b.Record(i), []byte("##"))) {
			return begin
		}
	}
	if !l.whole || b.Fields(last) < 2 || signed && strings.IndexByte(" #", b.Record(last)[1]) >= 0 {
		return begin
	}
	return last
}

// skipTo leaves out the lines before a record.
func (l *looked) skipTo(b *csv.Block, first, begin int) {
	if begin > first {
		l.dialect.Skip = int(b.Line(begin)) - 1
	}
	l.noteAbove(b, first, begin)
}

// noteAbove says what was left out before the table, other than a line that tells Excel the delimiter.
func (l *looked) noteAbove(b *csv.Block, first, begin int) {
	if first = behindDelimiter(b, first); begin > first {
		l.note(b, first, "left out before the table: %s", lines(b, first, begin))
	}
}

// isList reports whether a header of one name stands directly over texts such as Smith, John, or over numbers with
// decimal commas: some have none, or what follows one begins as no whole number does.
func isList(b *csv.Block, runs []run) bool {
	if len(runs) < 2 || runs[0].records != 1 || runs[0].fields != 1 || runs[1].gap {
		return false
	}
	names, numbers, decimal, twos := true, true, false, 0
	for _, r := range runs[1:] {
		for i := r.first; i < r.end && (names || numbers); i++ {
			switch n := b.Fields(i); {
			case n > 2:
				return false
			case n == 2:
				twos++
				behind := b.Cell(i, 1)
				names = names && bytes.HasPrefix(behind, []byte(" "))
				numbers = numbers && isWhole(bytes.TrimPrefix(b.Cell(i, 0), []byte("-"))) && leadingDigits(behind) == len(behind)
				decimal = decimal || len(behind) > 1 && behind[0] == '0'
			case n == 1:
				names, numbers, decimal = names && len(runs) == 2, numbers && isWhole(b.Cell(i, 0)), true
			}
		}
	}
	return twos > 0 && (names || numbers && decimal && !bytes.ContainsRune(b.Record(runs[0].first), ' '))
}

// isLog reports whether the first comma of all records stands before the thousandths of a second of a time, as in lines of
// logs: 10:12:13,456 INFO.
func isLog(b *csv.Block, runs []run) bool {
	for _, r := range runs {
		for i := r.first; i < r.end; i++ {
			time, behind := bytes.TrimPrefix(b.Cell(i, 0), []byte("[")), []byte(nil)
			if b.Fields(i) > 1 {
				behind = b.Cell(i, 1)
			}
			if n := leadingDigits(behind); n != 3 || len(behind) == n || !bytes.ContainsRune([]byte(" ]"), rune(behind[n])) || !endsWithClock(time) {
				return false
			}
		}
	}
	return len(runs) > 0
}

// areBracketed reports whether all records have a bracket that is opened before the first delimiter and closed behind it, as
// lists of options in lines.
func areBracketed(b *csv.Block, runs []run) bool {
	records := 0
	for _, r := range runs {
		for i := r.first; i < r.end; i++ {
			first, rest := b.Cell(i, 0), b.Record(i)[len(b.Cell(i, 0)):]
			if b.Fields(i) < 2 || len(first) == 0 || first[0] == '"' || first[0] == '(' || bytes.Count(first, []byte("(")) <= bytes.Count(first, []byte(")")) || bytes.Count(rest, []byte(")")) <= bytes.Count(rest, []byte("(")) {
				return false
			}
			records++
		}
	}
	return records >= leastRows
}

// endsWithClock reports whether a text ends with a time of day such as 10:12:13, and begins with a digit.
func endsWithClock(text []byte) bool {
	at := len(text) - len("10:12:13")
	if at < 0 || !isDigit(text[0]) {
		return false
	}
	_, ok := number.ParseClock(text[at:])
	return ok
}

// These bound how many records of sentences have as many commas, and how few words are between two of these unless
// hardly any are alike.
const (
	mostAlike   = 0.7
	hardlyAlike = 0.4
	leastWords  = 2
)

// isProse reports whether delimiters separate parts of sentences: blanks follow most of them, several words
// are between two, and most records have another number of them.
func (l *looked) isProse(b *csv.Block, runs []run) bool {
	alike, records, most := make(map[int]int), 0, 0
	for _, r := range runs {
		alike[r.fields] += r.records
		most, records = max(most, alike[r.fields]), records+r.records
	}
	if records == 0 || l.blank() || float64(most) > mostAlike*float64(records) {
		return false
	}
	parts, spaced, words := 0, 0, 0
	for i := runs[0].first; i < b.Len() && parts < ratedRecords; i++ {
		for c := range b.Fields(i) {
			cell := b.Cell(i, c)
			if bytes.IndexByte(cell, '"') == 0 {
				return false
			}
			if c > 0 {
				parts++
				if bytes.HasPrefix(cell, []byte(" ")) {
					spaced++
				}
				words += len(bytes.Fields(cell))
			}
		}
	}
	return parts > 0 && 5*spaced >= 4*parts && (words >= leastWords*parts || float64(most) <= hardlyAlike*float64(records))
}

// allOf returns all records as one table, for blocks that hold no two records alike.
func allOf(b *csv.Block, begin, usual int) table {
	t := table{run: run{first: begin, end: b.Len(), fields: b.Fields(begin), records: b.Len() - begin}}
	if t.fields > 1 && usual > t.fields {
		t.fields = usual
	}
	for i := begin; i < t.end; i++ {
		if n := b.Fields(i); n > 1 && n < t.fields {
			t.short++
		}
	}
	return t
}

// main returns which table is read: the one that explains most of the file, or the last one, if
// the file goes on; the first one, if the lines before it are given.
func (l *looked) main(b *csv.Block, tables []table) int {
	at, most := -1, 0.0
	for i, t := range tables {
		if l.given.Skipped && i == 0 {
			return i
		}
		if says := t.says(b); at < 0 || says > most || !l.whole && i == len(tables)-1 {
			at, most = i, says
		}
	}
	return at
}

// begin finds the first record of the table, which is its header or its first row. What precedes
// a header are titles and notes.
func (l *looked) begin(b *csv.Block, first int) {
	t := &l.table
	if l.given.Skipped {
		t.first = first
		if h := l.aboveRows(b, first).lower(); h.head == first && h.row > 0 && len(l.given.Omit) == 0 {
			l.beginAt(b, h)
		}
		return
	}
	begin, at := t.first, l.firstFull(b)
	l.beginBy(b, at)
	if t.short > 0 && at > begin {
		t.short = l.shortBehind(b, max(t.first, t.row))
	}
	for next := l.behindNoHeader(b, t.first); next > t.first; next = l.behindNoHeader(b, t.first) {
		t.first = next
	}
	if above := t.first - 1; above >= first && l.isAboveRows(b, above) {
		t.first--
	}
	for i := first; i < t.first; i++ {
		if l.isComment(b, i) {
			l.above = b.Record(i)[0]
		}
	}
	l.skipTo(b, first, t.first)
}

// firstFull returns the first record of the table with its number of fields that is no title, or names above it with a
// delimiter more.
func (l *looked) firstFull(b *csv.Block) int {
	at := l.table.first
	for b.Fields(at) != l.table.fields || titleFields(b, at) < 2 {
		at++
	}
	at = l.behindTitles(b, at)
	if above := at - 1; above >= l.table.first && l.namesAbove(b, above) {
		return above
	}
	return at
}

// beginBy has the table begin with its first full record, if that is a header, with one further on, or behind settings.
func (l *looked) beginBy(b *csv.Block, at int) {
	t := &l.table
	if at > t.first && l.headedFrom(b, at) {
		t.first = at
		return
	}
	a := l.aboveRows(b, at)
	if h := a.lower(); h.row > 0 {
		l.beginAt(b, h)
	} else if row := a.behindSettings(); row > at || row == at && at > t.first {
		t.first, t.short = row, 0
	}
}

// behindNoHeader returns the next record that may be a header behind a note, or names, with as many delimiters as one, or
// the given one.
func (l *looked) behindNoHeader(b *csv.Block, at int) int {
	next := at + 1
	for next < l.table.end && (b.Fields(next) == 0 && (l.blank() || l.isComment(b, at)) || l.isComment(b, next) && b.Fields(next) != l.table.fields) {
		next++
	}
	if next >= l.table.end || b.Fields(next) != l.table.fields || !l.isNoHeader(b, at) {
		return at
	}
	return next
}

// isAboveRows reports whether the record above those without a header is one of these, or a header, of one cell.
func (l *looked) isAboveRows(b *csv.Block, above int) bool {
	if l.headed(b, l.table.run) {
		return false
	}
	single := b.Fields(above) == l.table.fields && titleFields(b, above) == 1 && !l.areWords(b, above+1)
	return single || b.Fields(above) == 1 && l.namesRows(b, above)
}

// shortBehind returns how many records of the table behind the given one have fewer fields, two at least.
func (l *looked) shortBehind(b *csv.Block, first int) (short int) {
	for i := first; i < l.table.end; i++ {
		if n := b.Fields(i); n > 1 && n < l.table.fields && !l.isComment(b, i) {
			short++
		}
	}
	return short
}

// isNoHeader reports whether a record is a comment, or a sentence where blanks separate fields, which no row and no
// header is. A header may begin with a sign, as #CHROM does, if there is no comment below that may be one, nor another
// header below several such records.
func (l *looked) isNoHeader(b *csv.Block, i int) bool {
	if !l.isComment(b, i) {
		return l.blank() && splitsBracket(l.namesOf(b, i))
	}
	if record := b.Record(i); len(record) > 1 && strings.IndexByte(" #", record[1]) >= 0 || l.isAmongSigned(b, i) {
		return true
	}
	text, named := l.uncommented(b, i)
	words := strings.Fields(text)
	return l.blank() && (named || isClause(words) || slices.ContainsFunc(words, l.given.typed) || len(words) < leastApart && !l.areBelow(b, i))
}

// isAmongSigned reports whether a record that begins with a sign is one of several above a header that does not, as
// InfluxDB writes what the types of columns are.
func (l *looked) isAmongSigned(b *csv.Block, i int) bool {
	signed := func(i int) bool { return i < b.Len() && b.Fields(i) == l.table.fields && l.isComment(b, i) }
	if !signed(i) || !signed(i+1) && (i == 0 || !signed(i-1)) {
		return false
	}
	for signed(i) {
		i++
	}
	return i < l.table.end && b.Fields(i) == l.table.fields && l.headedFrom(b, i)
}

// namesAbove reports whether a record with a delimiter more than the table has at its end has a name for each
// column, and the one below it has numbers among others.
func (l *looked) namesAbove(b *csv.Block, above int) bool {
	names := l.namesOf(b, above)
	last := len(names) - 1
	if last != l.table.fields || names[last] != "" || l.isComment(b, above) || slices.Contains(names[:last], "") || repeats(names) {
		return false
	}
	return !slices.ContainsFunc(names[:last], l.given.isValue) && slices.ContainsFunc(l.namesOf(b, above+1), l.given.isValue)
}

// end finds out whether something stands behind the table that would be read as rows.
func (l *looked) end(b *csv.Block, others []table) {
	t := &l.table
	for t.end < b.Len() && b.Fields(t.end) == t.fields && titleFields(b, t.end) == 1 && !(l.whole && l.onlyNotes(b, t.end)) {
		t.end++
	}
	if at := underline(b, t.first+2); at < b.Len() && l.whole {
		t.end = at
		l.leaveEnd(b)
		return
	}
	if !l.whole || l.dialect.Widths != nil { // lines of fixed widths all look alike
		t.end = b.Len()
		return
	}
	if at := l.notesFrom(b); at < b.Len() && at > t.first+1 {
		t.end = at
		l.leaveEnd(b)
		return
	}
	rows := len(others) > 0
	for i := t.end; i < b.Len(); i++ {
		rows = rows || b.Fields(i) >= t.fields
	}
	if !rows {
		t.end = b.Len()
		return
	}
	l.leaveEnd(b)
}

// noteLines is how many lines of notes may stand under a table.
const noteLines = 50

// notesFrom returns the first of the records at the end that have a note in the first cell and nothing in the others, or
// commas in it behind a blank line, where no record has a number, as rows have; b.Len() if there are none.
func (l *looked) notesFrom(b *csv.Block) int {
	alone := func(i int) bool { return b.Fields(i) > 0 && !isBlank(b.Cell(i, 0)) && filled(b, i) == 1 }
	at, typed := b.Len(), l.table.first+1 < b.Len() && l.hasTyped(b, l.table.first+1)
	isNone := func(i int) bool { // row
		return b.Fields(i) == 0 || alone(i) || typed && (!l.hasTyped(b, i) || b.Fields(i) != l.table.fields && isNote(b.Cell(i, 0)))
	}
	for i := b.Len() - 1; i > max(l.table.first, b.Len()-noteLines) && isNone(i); i-- {
		switch cell := b.Cell(i, 0); {
		case b.Fields(i) == 0:
		case isNote(cell) && (alone(i) || b.Fields(i-1) == 0 || typed && beginsNote(cell)), typed && alone(i) && isSentence(csv.AppendUnquoted(nil, cell)):
			at = i
		}
	}
	if l.table.fields < 2 || at == b.Len() {
		return b.Len()
	}
	for at > 0 && filled(b, at-1) == 0 {
		at--
	}
	return at
}

// hasTyped reports whether a cell of a record but the first is a number, a date or a truth value.
func (l *looked) hasTyped(b *csv.Block, i int) bool {
	return b.Fields(i) > 1 && slices.ContainsFunc(l.namesOf(b, i)[1:], l.given.typed)
}

// countsRows reports whether a line says how many rows stand above it: (3 rows), 3 rows in set (0.01 sec), or
// 3 record(s) selected.
func countsRows(line []byte) bool {
	if len(line) == 0 || line[0] != '(' && !isDigit(line[0]) {
		return false
	}
	inner, closed := bytes.CutSuffix(bytes.TrimPrefix(line, []byte("(")), []byte(")"))
	words := strings.Fields(strings.ToLower(string(inner)))
	if len(words) < 2 || leadingDigits([]byte(words[0])) < len(words[0]) {
		return false
	}
	alone := closed && line[0] == '(' && (len(words) == 2 || words[2] == "affected")
	rows := slices.Contains([]string{"row", "rows", "row(s)", "record", "records", "record(s)"}, words[1])
	return alone || rows && len(words) > 2 && slices.Contains([]string{"selected", "in", "produced", "affected"}, strings.TrimSuffix(words[2], "."))
}

// closesBox reports whether a line is drawn where the columns of a box end, below which DuckDB draws how many rows there are.
func closesBox(line []byte) bool { return bytes.Contains(line, []byte("┴")) && drawn(line) }

// underline returns the record, from least on, that is a line drawn between a table and notes, which have
// one cell each, or says how many rows there are; b.Len() if there is none.
func underline(b *csv.Block, least int) int {
	for i := max(least, b.Len()-noteLines); i < b.Len(); i++ {
		record := bytes.Trim(b.Record(i), ",;|\t \"")
		line := len(record) > 2 && len(bytes.Trim(record, "_-=+")) == 0 || countsRows(record) || drawn(record)
		if !line || b.Fields(i) == 0 || b.Fields(i) > 1 && !csv.IsEmpty(b.Cell(i, b.Fields(i)-1)) {
			continue
		}
		notes := i + 1
		for notes < b.Len() && (b.Fields(notes) < 2 || csv.IsEmpty(b.Cell(notes, 1)) || closesBox(b.Record(i)) && b.Fields(notes) == 3) {
			notes++
		}
		if notes == b.Len() {
			return i
		}
	}
	return b.Len()
}

// leaveEnd leaves out what stands behind the table.
func (l *looked) leaveEnd(b *csv.Block) {
	t, at := &l.table, l.table.end
	for b.Fields(at) == 0 {
		at++
	}
	l.dialect.Omit = append(l.dialect.Omit, columnar.Lines{From: b.Line(t.end)})
	l.note(b, at, "left out behind the table: %s", lines(b, at, b.Len()))
}

// endSigned ends a table with rows that begin like comments before those at the end of the file.
func (l *looked) endSigned(b *csv.Block) {
	t := &l.table
	if !l.signed || !l.whole {
		return
	}
	end := t.end
	for end > t.first+1 && (b.Fields(end-1) == 0 || l.isComment(b, end-1) && l.fitting(b, end-1, l.columns) == nil) {
		end--
	}
	for end < t.end && b.Fields(end) == 0 {
		end++
	}
	if end < t.end {
		t.end = end
		l.leaveEnd(b)
	}
}

// behindDelimiter returns the record behind a line that tells Excel the delimiter, or first.
func behindDelimiter(b *csv.Block, first int) int {
	if !namesDelimiter(b.Record(first)) {
		return first
	}
	for at := first + 1; at < b.Len(); at++ {
		if b.Fields(at) > 0 {
			return at
		}
	}
	return first
}

// behindCount returns the record behind a line that says how many records and columns follow, and perhaps
// the names of classes, or begin. usual is how many fields most records have.
func (l *looked) behindCount(b *csv.Block, begin, usual int) int {
	n := b.Fields(begin)
	if n < 2 || n > usual || begin+1 >= b.Len() {
		return begin
	}
	records, ok := wholeIn(b.Cell(begin, 0))
	columns, also := wholeIn(b.Cell(begin, 1))
	if !ok || !also || columns != usual && columns != usual-1 {
		return begin
	}
	behind := 0
	for i := begin + 1; i < b.Len(); i++ {
		if b.Fields(i) == usual {
			behind++
		}
	}
	if records < behind-1 || l.whole && records > behind {
		return begin
	}
	if n == usual && !(l.whole && records == behind && records >= leastRows && n > 2 && !slices.ContainsFunc(l.namesOf(b, begin)[2:], isNoWord)) {
		return begin
	}
	return begin + 1
}

// wholeIn returns the whole number in a cell.
func wholeIn(cell []byte) (int, bool) {
	n, err := strconv.Atoi(string(csv.AppendUnquoted(nil, cell)))
	return n, err == nil && n > 0
}

// matterLines is how many lines a description above a table may have.
const matterLines = 1000

// behindMatter returns the record behind a description above the table, or first: one in YAML between two
// lines of three dashes, as CSVY files have it, which may be comments, or one between /* and */, which a
// line such as <1980 Q1> may follow, as in files of JMulTi.
func behindMatter(b *csv.Block, first int) int {
	line := func(i int) string { return string(bytes.TrimSpace(b.Record(i))) }
	if strings.HasPrefix(line(first), "/*") {
		at := behindLine(b, first, func(i int) bool { return strings.HasSuffix(line(i), "*/") })
		if period := line(at); strings.HasPrefix(period, "<") && strings.HasSuffix(period, ">") && at > first {
			at = behindLine(b, at, func(int) bool { return true })
		}
		return at
	}
	switch fence := line(first); fence {
	case "---", "#---", "# ---":
		return behindLine(b, first, func(i int) bool { return i > first && line(i) == fence })
	}
	return first
}

// behindLine returns the record behind the first line from first on that is the last one of something,
// or first.
func behindLine(b *csv.Block, first int, last func(i int) bool) int {
	for i := first; i < min(b.Len(), first+matterLines); i++ {
		if !last(i) {
			continue
		}
		for at := i + 1; at < b.Len(); at++ {
			if b.Fields(at) > 0 {
				return at
			}
		}
		break
	}
	return first
}
