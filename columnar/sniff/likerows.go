package sniff

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// isAmongShort reports whether the first record has fewer fields than the table, as several others have, and a value where
// all of these have one, as where each group of rows has a record of its own above it. Years and days may be names.
func (l *looked) isAmongShort(b *csv.Block) bool {
	first, n := l.table.first, b.Fields(l.table.first)
	if n < 2 || n >= l.table.fields {
		return false
	}
	typed := func(i int) []bool { return columnar.Each(l.namesOf(b, i), l.given.typed) }
	values, others := typed(first), 0
	for c, name := range l.namesOf(b, first) {
		values[c] = values[c] && !isYear(name) && !l.isDay(name)
	}
	for i := first + 1; i < l.table.end && slices.Contains(values, true); i++ {
		if b.Fields(i) != n {
			continue
		}
		others++
		for c, is := range typed(i) {
			values[c] = values[c] && is
		}
	}
	return others >= leastShort && slices.Contains(values, true)
}

// firstIsRow reports whether the first record of a table of texts, whose types do not show what it is, is like
// the rows below it: half of its cells stand in their columns again, or are codes such as AB-12 that are written
// as those below them, or one of them is a code as no name is. A column that holds nothing but its name, as those
// of boxes to tick do, shows nothing. Of a single column, such as the lines of a log, it must be sure.
func (l *looked) firstIsRow(b *csv.Block) bool {
	given := l.given
	if given.Header != nil || len(given.Columns) > 0 || len(given.Names) > 0 || len(l.header) > l.table.fields {
		return false
	}
	if l.hasSign(b) || l.isAmongShort(b) {
		return true
	}
	if _, typed := l.headerByTypes(); typed {
		return false
	}
	if len(l.header) == 1 && isSentence([]byte(l.header[0])) && l.areSentences(b) {
		return true
	}
	again, often, coded, filled, surely := 0, false, 0, 0, false
	for c := range l.header {
		if strings.TrimSpace(l.header[c]) == "" {
			continue
		}
		filled++
		like := l.likeRows(b, c)
		switch {
		case like.begins:
			return true
		case like.other:
			return false
		case like.again > 0:
			again, often = again+1, often || like.again > 1
		case like.coded && !isPeriod(l.header[c]):
			coded++
			surely = surely || !mayBeName(l.codeIn([]byte(l.header[c])))
		}
	}
	if len(l.header) == 1 {
		coded = 0
	}
	return surely || again+coded > 0 && 2*(again+coded) >= filled && (coded > 0 || again > 1 || often && l.uniform >= leastAlike)
}

// hasSign reports whether all cells of a column are the same sign, such as the = of settings, which is no name.
func (l *looked) hasSign(b *csv.Block) bool {
	for c, name := range l.header {
		if strings.TrimSpace(name) == "" || hasWord(name) {
			continue
		}
		same := 0
		for i := l.table.first + 1; i < l.table.end && same >= 0; i++ {
			switch {
			case b.Fields(i) != l.table.fields:
			case bytes.Equal(b.Cell(i, c), b.Cell(l.table.first, c)):
				same++
			default:
				same = -1
			}
		}
		if same > 1 {
			return true
		}
	}
	return false
}

// areSentences reports whether most cells of the first column are sentences, of which two are rows at least.
func (l *looked) areSentences(b *csv.Block) bool {
	cells, sentences := 0, 0
	for i := l.table.first + 1; i < l.table.end && cells < ratedRecords; i++ {
		if b.Fields(i) == 0 {
			continue
		}
		l.text = csv.AppendUnquoted(l.text[:0], b.Cell(i, 0))
		if cells++; isSentence(l.text) {
			sentences++
		}
	}
	return cells > 1 && 2*sentences > cells
}

// isSentence reports whether a text has some words and ends as a sentence does, as no name should.
func isSentence(text []byte) bool {
	text = bytes.TrimRight(text, " ")
	return len(text) > 0 && strings.IndexByte(".!", text[len(text)-1]) >= 0 && bytes.Count(text, []byte(" ")) > 1
}

// isPeriod reports whether a text begins with a year, as 2019/20 does, which may stand above results such as 12/15.
func isPeriod(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= 4 && isYear(text[:4]) && (len(text) == 4 || text[4] == '/' || text[4] == '-')
}

// mayBeName reports whether a code might be a name, as Q1 and Room12 might.
func mayBeName(code []byte) bool {
	first, _ := utf8.DecodeRune(code)
	return unicode.IsLetter(first) && len(formOfCode(code)) < 4
}

// leastAlike is how many rows there must be if only one cell of the first record stands in its column again. It
// must do so more than once then: a list of words may well have the word english below that name.
const leastAlike = 10

// likeness says how the first cell of a column is like those below it: it stands there again, so many times, is a
// code written as some of them are, all of which are codes (coded), or none although they are (other), or begins as
// all of them do, with a sign as no name has, as in https:// and host=.
type likeness struct {
	again                int
	coded, other, begins bool
}

// likeRows compares the first cell of a column with those below it.
func (l *looked) likeRows(b *csv.Block, c int) (like likeness) {
	first := b.Cell(l.table.first, c)
	code := func(cell []byte) string { return formOfCode(l.codeIn(cell)) }
	text := csv.AppendUnquoted(nil, first)
	form, begin := code(text), text[:min(len(text), lineBegins)]
	cells, codes, same, differs := 0, 0, 0, false
	for i := l.table.first + 1; i < l.table.end && cells < ratedRecords; i++ {
		if b.Fields(i) != l.table.fields || isBlank(b.Cell(i, c)) || len(l.header) > 1 && csv.Repeats(b.Record(i), b.Record(l.table.first)) {
			continue
		}
		cell := b.Cell(i, c)
		if bytes.Equal(cell, first) {
			like.again++
		} else {
			differs = true
		}
		l.text = csv.AppendUnquoted(l.text[:0], cell)
		cells++
		for !bytes.HasPrefix(l.text, begin) {
			begin = begin[:len(begin)-1]
		}
		if of := code(l.text); of != "" {
			codes++
			if of == form {
				same++
			}
		}
	}
	if !differs {
		like.again = 0
	}
	like.begins = differs && cells >= leastRows && len(begin) >= leastBegin && bytes.ContainsAny(begin, "/:=<@|{([")
	if cells >= leastRows && 10*codes >= 9*cells {
		like.coded, like.other = 5*same > cells, same == 0
	}
	return like
}

// codeIn returns what of a cell may be a code: the beginning of the lines of a file of one column, such as a log.
func (l *looked) codeIn(cell []byte) []byte {
	if len(l.header) == 1 {
		return cell[:min(len(cell), lineBegins)]
	}
	return cell
}

// mostCode is how long a code may be, lineBegins how much of a line may be one, such as the time of a line of a
// log, leastHex how long a hexadecimal number is, and leastBegin how much of all cells must be the same.
const (
	mostCode   = 64
	lineBegins = 16
	leastHex   = 4
	leastBegin = 4
)

// formOfCode returns how a code is written, with one sign for each series of digits, of capitals and of small
// letters; "" for a text without digits, which is no code. All hexadecimal numbers have one form.
func formOfCode(cell []byte) string {
	if cell = bytes.TrimSpace(cell); len(cell) > mostCode || bytes.IndexFunc(cell, unicode.IsDigit) < 0 {
		return ""
	}
	if len(cell) >= leastHex && len(bytes.Trim(cell, "0123456789ABCDEF")) == 0 {
		return "9"
	}
	form := make([]byte, 0, len(cell))
	for _, c := range cell {
		switch {
		case isDigit(c):
			c = '9'
		case 'A' <= c && c <= 'Z':
			c = 'A'
		case 'a' <= c && c <= 'z':
			c = 'a'
		case c == '+':
			c = '-'
		}
		if n := len(form); n == 0 || form[n-1] != c || c != '9' && c != 'A' && c != 'a' {
			form = append(form, c)
		}
	}
	return string(form)
}

// areCodes reports whether all words of many lines are codes, as in lists of pairs that belong together.
func areCodes(text []byte) bool {
	lines := 0
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		if lines++; len(words) < 2 || slices.ContainsFunc(words, func(word []byte) bool { return formOfCode(word) == "" }) {
			return false
		}
		if lines == ratedRecords {
			break
		}
	}
	return lines >= leastAlike
}
