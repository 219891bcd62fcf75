package sniff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
)

// These bound what is cut at characters: how long lines may be, how many there must be with the header, and how
// many columns with types, for texts have blanks in the same places by chance, and so how many more columns than wide
// blanks separate.
const (
	mostCut       = 1000
	leastCut      = 4
	leastCutTyped = 2
	leastSplit    = 2
)

// cuts are the characters at which lines are cut, and where the lines of the table begin and end.
type cuts struct {
	at         []int // 0, and the other fields
	begin, end int
	drawn      []int // lines among them that are drawn
	widths     []int // instead of at; see columnar.Dialect
}

// mostAbove is how many lines may stand above one that is drawn below names.
const mostAbove = 100

// ruled cuts between the groups of dashes of a line that is drawn below the names, as programs do that ask databases.
func (f *finder) ruled() error {
	rule := 0
	for line := range bytes.Lines(f.text) {
		if rule > 0 && isRule(line) { // the first line is drawn above the names
			break
		}
		if rule++; rule > mostAbove {
			return nil
		}
	}
	lines := f.cuttable(f.text)
	if rule >= len(lines) || isNoText(lines[rule-1]) || f.given.Header != nil && !*f.given.Header {
		return nil
	}
	names := lines[rule-1]
	c := cuts{begin: rule - 1, end: rule + endOf(lines[rule:]), drawn: []int{rule}}
	for i := rule + 1; i < c.end; i++ {
		switch again := lines[i] == lines[rule] && lines[i-1] == names; {
		case again:
			c.drawn = append(c.drawn, i)
		case isRule([]byte(lines[i])): // totals follow, or nothing
			c.end = i
		}
	}
	c.at = between(apartBy([]rune(groupsOf(lines[rule])), 1), runesOf(rowsOf(lines[c.begin:c.end])))
	if strings.Join(lines[:c.begin], "") == "" {
		c.begin = 0
	}
	return f.cutAt(lines, c, func(l *looked) bool { return l.records > 0 })
}

// aligned cuts all lines of a small file at the same characters, if nothing else separates most alike, or blanks do and
// there are fewer names, or none but in lines above: where names begin and all lines have a blank before, or where all have one. Of a
// longer file a line further on might have none there.
func (f *finder) aligned() error {
	plain := f.best
	few, above := plain.blank() && plain.lacksNames(), plain.blank() && plain.headless && plain.dialect.Skip > f.given.Skip
	wide := !few && plain.dialect.Delimiter == columnar.WideBlanks && count(plain.header, isSpaced) > 0
	torn := plain.dialect.Skip > f.given.Skip && count(plain.header, isWide) > 0 // by commas within cells, and not in the names
	if f.separated() && !few && !above && !wide && !torn || !plain.whole {
		return nil
	}
	lines := f.cuttable(f.text)
	c := cuts{end: endOf(lines)}
	padded := rowsOf(lines[:c.end])
	if len(padded) < leastCut || 2*count(padded, isWide) < len(padded) { // half are filled up to a width
		return nil
	}
	rows := runesOf(padded)
	names := namesOver(rows)
	if startsBefore(rows, names[0].from) {
		names = slices.Insert(names, 0, span{}) // what numbers or names the rows
	}
	if c.at = between(names, rows); len(c.at) > 2 {
		err := f.cutAt(lines, c, func(l *looked) bool {
			for i, at := range c.at { // texts begin below their name, or end there
				if i > 0 && at != names[i].from && !l.columns[i].typed() && !areBlank(rows, names[i].to) {
					return false
				}
			}
			if (wide || torn) && len(l.header) < len(plain.header)+leastSplit {
				return false
			}
			return (l.namesAll() || names[0] == span{} && l.header[0] == "" && !slices.Contains(l.header[1:], "")) && !l.headless
		})
		if err != nil || f.best != plain {
			return err
		}
	}
	if c.at = blanksIn(rows); len(c.at) < 3 || above || wide || areFused(rows, c.at) {
		return nil
	}
	return f.cutAt(lines, c, func(l *looked) bool {
		return l.typedColumns() >= leastCutTyped && l.records >= leastCut-2 && count(l.header, isWide) < 2
	})
}

// cuttable returns the lines of a text, nil if they may not be cut.
func (f *finder) cuttable(text []byte) []string {
	if f.given.Delimiter != "" || f.encoding != "" || bytes.IndexByte(text, '\t') >= 0 {
		return nil
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " \r"); len(line) > mostCut {
			return nil
		}
	}
	return lines
}

// cutAt tries to cut the lines of a table, which begins with a header if a line is drawn below it.
func (f *finder) cutAt(lines []string, c cuts, accept func(*looked) bool) error {
	if max(len(c.at), len(c.widths)) < 2 {
		return nil
	}
	given := *f.given
	if len(c.drawn) > 0 {
		given.Header, given.Skipped = new(true), true
	}
	l, err := f.lookAt(f.dialectOf(lines, c), &given, nil)
	if l != nil && l.share() == 1 && !l.lacksNames() && (l.headless || 2*count(l.header, isNamed) >= len(l.header)) && accept(l) {
		f.best, l.given, l.notes = l, f.given, append(l.notes, f.notesOf(lines, c)...)
	}
	return err
}

// dialectOf returns the dialect of lines that are cut.
func (f *finder) dialectOf(lines []string, c cuts) columnar.Dialect {
	d, table, long := f.given.Dialect, lines[c.begin:c.end], 0
	for _, line := range table {
		long = max(long, utf8.RuneCountInString(line))
	}
	if d.Widths = c.widths; c.widths == nil {
		for i, at := range append(c.at[1:len(c.at):len(c.at)], long) {
			d.Widths = append(d.Widths, at-c.at[i])
		}
	}
	if d.Comment == "" && slices.ContainsFunc(table, isCommented) {
		d.Comment = "#"
	}
	d.Headless, d.Skip, d.Omit = true, f.given.Skip+c.begin, slices.Clone(d.Omit)
	for _, line := range c.drawn {
		d.Omit = append(d.Omit, columnar.Lines{From: f.number(line), To: f.number(line)})
	}
	if c.end < len(lines) {
		d.Omit = append(d.Omit, columnar.Lines{From: f.number(c.end)})
	}
	return d
}

// notesOf says which lines are no rows of those that are cut.
func (f *finder) notesOf(lines []string, c cuts) (notes []Note) {
	note := func(line int, format, what string) {
		notes = append(notes, Note{Line: f.number(line), Text: fmt.Sprintf(format, what)})
	}
	if above := saying(lines[:c.begin]); above != "" && len(c.drawn) > 0 {
		note(0, "left out before the table: %s", above)
	}
	if len(c.drawn) > 0 {
		note(c.drawn[0], "a line drawn under the names (%s), and no row", excerpt([]byte(lines[c.drawn[0]])))
	}
	if behind := saying(lines[c.end:]); behind != "" {
		note(c.end, "left out behind the table: %s", behind)
	}
	return notes
}

// number returns the number of a line behind those that are skipped in the file.
func (f *finder) number(line int) int64 { return int64(f.given.Skip + line + 1) }

// saying counts lines that say something, other than one drawn around a table; "" if there are none.
func saying(lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), isNoText)
	if len(lines) == 0 {
		return ""
	}
	return saysFirst(len(lines), []byte(lines[0]))
}

// typedColumns returns how many columns have a type, and a cell in half of the records.
func (l *looked) typedColumns() (n int) {
	for c, k := range l.columns {
		if k.typed() && 2*l.values[c].cells >= l.uniform {
			n++
		}
	}
	return n
}

// count returns how many items are such.
func count[T any](items []T, are func(T) bool) (n int) {
	for _, item := range items {
		if are(item) {
			n++
		}
	}
	return n
}

func isNamed(name string) bool { return strings.TrimSpace(name) != "" }

// isSpaced reports whether a blank is within a text.
func isSpaced(text string) bool { return strings.Contains(strings.TrimSpace(text), " ") }

// isWide reports whether wide blanks are within a text, as in the names of two columns that have become one.
func isWide(text string) bool { return strings.Contains(strings.TrimSpace(text), "  ") }

func isCommented(line string) bool { return strings.HasPrefix(line, "#") }

// isNoText reports whether a line is blank or drawn.
func isNoText(line string) bool { return line == "" || drawn([]byte(line)) }

// isRule reports whether a line consists of several groups of dashes, as those drawn below names do.
func isRule(line []byte) bool {
	line = []byte(strings.TrimPrefix(groupsOf(string(bytes.TrimRight(line, "\r\n"))), "+++"))
	return drawn(line) && len(bytes.Trim(line, "-=_ ")) == 0 && len(bytes.Fields(line)) > 1
}

// groupsOf returns a drawn line with blanks between its groups: dpkg draws dashes there, below names behind three signs.
func groupsOf(line string) string {
	if strings.HasPrefix(line, "+++-=") {
		return strings.ReplaceAll(line, "-", " ")
	}
	return line
}

// endOf returns the first of some lines that says how many rows there are, or their number.
func endOf(lines []string) int {
	if end := slices.IndexFunc(lines, func(line string) bool { return countsRows([]byte(strings.TrimSpace(line))) }); end >= 0 {
		return end
	}
	return len(lines)
}

// rowsOf returns the lines that are neither blank nor drawn nor comments.
func rowsOf(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return isNoText(line) || isCommented(line) })
}

func runesOf(lines []string) [][]rune {
	rows := make([][]rune, len(lines))
	for i, line := range lines {
		rows[i] = []rune(line)
	}
	return rows
}

// areFused reports whether half of the rows, which are cut at some characters, have wide blanks within a field.
func areFused(rows [][]rune, at []int) bool {
	for i, from := range at {
		wide := 0
		for _, row := range rows {
			to := len(row)
			if i+1 < len(at) {
				to = min(at[i+1], to)
			}
			if isWide(string(row[min(from, to):to])) {
				wide++
			}
		}
		if 2*wide > len(rows) {
			return true
		}
	}
	return false
}

// span is where a text lies in a line, in characters.
type span struct{ from, to int }

// apartBy returns the texts in a line that so many blanks, or more, separate.
func apartBy(line []rune, blanks int) (spans []span) {
	for c, r := range line {
		switch last := len(spans) - 1; {
		case r == ' ':
		case last >= 0 && c-spans[last].to < blanks:
			spans[last].to = c + 1
		default:
			spans = append(spans, span{c, c + 1})
		}
	}
	return spans
}

// between returns the last characters between some texts where all rows have a blank before them; nil if there are none
// between two.
func between(spans []span, rows [][]rune) []int {
	var at []int
	for i, s := range spans {
		if i == 0 {
			at = append(at, 0)
			continue
		}
		c := s.from
		for c > spans[i-1].to && !areBlank(rows, c-1) {
			c--
		}
		if c == spans[i-1].to {
			return nil
		}
		at = append(at, c)
	}
	return at
}

// namesOver returns the names in the first row, whose words a single blank separates that the others have not, or below
// which most have nothing.
func namesOver(rows [][]rune) (names []span) {
	words := apartBy(rows[0], 1)
	for i, word := range words {
		last, end := len(names)-1, len(rows[0])
		if i+1 < len(words) {
			end = words[i+1].from - 1
		}
		if i > 0 && word.from == names[last].to+1 && (!areBlank(rows, word.from-1) || !areFilled(rows[1:], span{word.from, end})) {
			names[last].to = word.to
			continue
		}
		names = append(names, word)
	}
	return names
}

// startsBefore reports whether the last row begins before the first name, and all have a blank between.
func startsBefore(rows [][]rune, name int) bool {
	if last := rows[len(rows)-1]; len(last) == 0 || last[0] == ' ' {
		return false
	}
	for at := range name {
		if areBlank(rows, at) {
			return at > 0
		}
	}
	return false
}

// areFilled reports whether half of the rows have something in a span.
func areFilled(rows [][]rune, s span) bool {
	filled := 0
	for _, row := range rows {
		if strings.TrimSpace(string(row[min(s.from, len(row)):min(s.to, len(row))])) != "" {
			filled++
		}
	}
	return 2*filled >= len(rows)
}

// areBlank reports whether all rows have a blank, or nothing, at a character.
func areBlank(rows [][]rune, at int) bool {
	return !slices.ContainsFunc(rows, func(row []rune) bool { return at < len(row) && row[at] != ' ' })
}

// blanksIn returns where fields begin behind blanks that all rows have. A blank between two words is none between two
// fields.
func blanksIn(rows [][]rune) []int {
	long := 0
	for _, row := range rows {
		long = max(long, len(row))
	}
	used, worded := make([]bool, long), make([]bool, long) // which characters some row has, and as a letter
	for i, row := range rows {
		for c, r := range row {
			used[c] = used[c] || r != ' '
			worded[c] = worded[c] || i > 0 && unicode.IsLetter(r)
		}
	}
	fields := []int{0}
	end, words := 0, false
	for c := 0; c < long; {
		for c < long && !used[c] {
			c++
		}
		at := c
		for c < long && used[c] {
			c++
		}
		here := slices.Contains(worded[at:c], true)
		if end > 0 && (!here || !words || at-end > 1) {
			fields = append(fields, at)
			words = here
		}
		end, words = c, words || here
	}
	return fields
}
