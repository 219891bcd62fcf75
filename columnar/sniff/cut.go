package sniff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar"
)

// These bound what is cut at characters: how long lines may be, how many there must be with the header, and how
// many columns with types, for texts have blanks in the same places by chance.
const (
	mostCut       = 1000
	leastCut      = 4
	leastCutTyped = 2
)

// ruled is aligned if a line of dashes shows the fields.
func (f *finder) ruled() error { return f.cutAt(true) }

// aligned cuts all lines of a small file at the same characters, where each has a blank, if nothing else separates
// fields, or wide blanks do between which not all have names. Of a longer file a line further on might have none there.
func (f *finder) aligned() error { return f.cutAt(false) }

func (f *finder) cutAt(ruled bool) error {
	plain, text := f.best, f.best.raw()
	if wide := !ruled && plain.dialect.Delimiter == columnar.WideBlanks && plain.lacksNames(); wide && f.given.Delimiter == "" {
		text = f.text
	}
	if f.given.Delimiter != "" || f.encoding != "" || !plain.whole || text == nil || ruled && !drawnBelow(text) {
		return nil
	}
	lines := strings.Split(string(text), "\n")
	end := 0 // of the table, where something says how many rows it has
	for end < len(lines) && !countsRows([]byte(strings.TrimSpace(lines[end]))) {
		end++
	}
	begin := 0
	if ruled && framed(lines) {
		begin, end = 1, len(lines)-1
		for !drawn([]byte(lines[end])) {
			end--
		}
	}
	widths, groups := widthsOf(lines[begin:end])
	if len(widths) < 3-begin || ruled && groups != len(widths) {
		return nil
	}
	d := f.given.Dialect
	if d.Headless, d.Widths = true, widths; d.Comment == "" && slices.ContainsFunc(lines[begin:end], func(line string) bool { return strings.HasPrefix(line, "#") }) {
		d.Comment = "#"
	}
	d.Skip += begin
	if end < len(lines) {
		d.Omit = append(slices.Clone(d.Omit), columnar.Lines{From: int64(end + 1)})
	}
	err := f.try(d, func(l *looked) bool {
		typed, fused, named := 0, 0, 0 // names of several columns over one do not stand over the others either
		for _, name := range l.header {
			if strings.TrimSpace(name) != "" {
				named++
			}
			if strings.Contains(strings.TrimSpace(name), "  ") {
				fused++
			}
		}
		for c, k := range l.columns {
			if k.typed() && 2*l.values[c].cells >= l.uniform {
				typed++
			}
		}
		return (typed >= leastCutTyped || begin > 0) && fused < 2 && l.share() == 1 && l.records >= leastCut-2 && !l.lacksNames() && (l.headless || 2*named >= len(l.header))
	})
	if f.best != plain && end < len(lines) {
		f.best.notes = append(f.best.notes, Note{Line: int64(end + 1), Text: fmt.Sprintf("left out behind the table: %s", excerpt([]byte(lines[end])))})
	}
	return err
}

// framed reports whether the same line is drawn above names, below them and below the rows, as around simple
// tables of reStructuredText.
func framed(lines []string) bool {
	last := len(lines) - 1
	for last > 0 && strings.TrimSpace(lines[last]) == "" {
		last--
	}
	line := lines[0]
	return last > leastCut-1 && strings.Contains(strings.TrimSpace(line), " ") && drawn([]byte(line)) && lines[2] == line && lines[last] == line
}

// drawnBelow reports whether a line is drawn below the first one, leaving blank lines and one drawn above out.
func drawnBelow(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimRight(line, " \r\n"); len(line) > 0 {
			if n == 0 && drawn(line) {
				continue
			}
			if n++; n == 2 {
				return drawn(line)
			}
		}
	}
	return false
}

// widthsOf returns the widths of the fields of lines, nil if they have none, and how many groups of dashes are
// drawn below the first line. Comments have none. A blank between two words is none between two fields, even if all lines have one
// there, unless dashes show that.
func widthsOf(lines []string) (widths []int, groups int) {
	var rows [][]rune
	long := 0
	for _, line := range lines {
		if line = strings.TrimRight(line, " \r"); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, []rune(line))
			long = max(long, len(rows[len(rows)-1]))
		}
		if strings.Contains(line, "\t") || long > mostCut {
			return nil, 0
		}
	}
	if len(rows) < leastCut {
		return nil, 0
	}
	if under := string(rows[1]); drawn([]byte(under)) {
		groups = len(strings.Fields(under))
	}
	used, worded := make([]bool, long), make([]bool, long) // which characters some line has, and as a letter
	for i, row := range rows {
		for c, r := range row {
			used[c] = used[c] || r != ' '
			worded[c] = worded[c] || i > 0 && unicode.IsLetter(r)
		}
	}
	field, end, words := 0, 0, false
	for c := 0; c < long; {
		for c < long && !used[c] {
			c++
		}
		at := c
		for c < long && used[c] {
			c++
		}
		here := slices.Contains(worded[at:c], true)
		if end > 0 && (groups > 0 || !here || !words || at-end > 1) {
			widths = append(widths, at-field)
			field, words = at, here
		}
		end, words = c, words || here
	}
	return append(widths, long-field), groups
}
