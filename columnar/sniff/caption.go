package sniff

import (
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// caption finds the names of the columns in a comment above the table, where programs that compute
// write them, as numpy's savetxt does: the last comment with as many parts as the records have fields,
// all of which are different words, perhaps with a unit in brackets. In logs of web servers they follow the word Fields
// (https://www.w3.org/TR/WD-logfile.html). Where blanks separate fields, any sentence has parts, so that
// only the comment right above the table counts.
func (l *looked) caption(b *csv.Block, first int) {
	for i := l.table.first - 1; i >= first && l.captions == nil; i-- {
		if !isComment(b, i) {
			continue
		}
		if l.captions, l.captioned = l.namesIn(string(b.Record(i))), b.Line(i); l.blank() {
			return
		}
	}
}

// blank reports whether blanks separate fields.
func (l *looked) blank() bool {
	return columnar.IsBlanks(l.dialect.Delimiter) || l.dialect.Delimiter == " "
}

// namesIn returns the names in a comment, nil if there are not as many as columns.
func (l *looked) namesIn(comment string) []string {
	text := strings.TrimSpace(strings.TrimLeft(comment, "#%"))
	if fields, ok := strings.CutPrefix(text, "Fields:"); ok {
		text = strings.TrimSpace(fields)
	}
	var names []string
	if l.blank() {
		names = strings.Fields(text)
	} else {
		names = strings.Split(text, l.dialect.Delimiter)
	}
	if len(names) != len(l.header) || len(names) < 2 {
		return nil
	}
	seen := make(map[string]bool)
	for i, name := range names {
		name = strings.Trim(strings.TrimSpace(name), `"`)
		key := strings.ToLower(name)
		if !isName(name) || seen[key] || l.given.kindsOf([]byte(name)) != text0 {
			return nil
		}
		names[i], seen[key] = name, true
	}
	return names
}

// isName reports whether a text is one word, which a unit in brackets may follow.
func isName(text string) bool {
	word, unit, more := strings.Cut(text, " ")
	return word != "" && (!more || strings.HasPrefix(unit, "(") || strings.HasPrefix(unit, "["))
}
