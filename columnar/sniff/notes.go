package sniff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// Note is something that was guessed, mended or left out, with the line that it is about.
type Note struct {
	Line int64  `json:"line,omitempty"` // 0: no line in particular
	Text string `json:"text"`
	// Counted means that whoever scans the file is told as well.
	Counted bool `json:"-"`
}

// noteOf returns a note about no line in particular.
func noteOf(text string) Note { return Note{Text: text} }

func (n Note) String() string {
	if n.Line == 0 {
		return n.Text
	}
	return fmt.Sprintf("line %d: %s", n.Line, n.Text)
}

// note adds a note about record i.
func (l *looked) note(b *csv.Block, i int, format string, args ...any) {
	l.notes = append(l.notes, Note{Line: b.Line(i), Text: fmt.Sprintf(format, args...)})
}

func headerAgain(line int64) Note {
	return Note{Line: line, Text: "the header stands here again, and perhaps further on: such lines are left out", Counted: true}
}

// noteRepeated says where the header stands again, unless that was seen at the beginning.
func (f *File) noteRepeated(line int64) {
	if note := headerAgain(line); !slices.Contains(f.notes, note) {
		f.notes = append(f.notes, note)
	}
}

// place is where a table lies in a file.
type place struct {
	line    int64 // of its first record
	fields  int
	records int
}

func placeOf(b *csv.Block, t table) place { return place{b.Line(t.first), t.fields, t.records} }

// otherTables names the tables that are not read.
func (l *looked) otherTables() {
	if len(l.tables) < 2 {
		return
	}
	const most = 20
	var others []string
	read := int64(0)
	for _, t := range l.tables {
		if read == 0 && t.fields == l.table.fields && t.records == l.table.records {
			read = t.line
			continue
		}
		others = append(others, fmt.Sprintf("of %d columns by skip = %d", t.fields, t.line-1))
	}
	if n := len(others) - most; n > 0 {
		others = append(others[:most], fmt.Sprintf("and %d more", n))
	}
	l.notes = append(l.notes, Note{Line: read, Text: fmt.Sprintf("the largest of %d tables is read; the others are read by read_csv with another skip: %s",
		len(l.tables), strings.Join(others, ", "))})
}

// lines counts the lines of the records from first up to end.
func lines(b *csv.Block, first, end int) string {
	n := 0
	for i := first; i < end; i++ {
		if b.Fields(i) > 0 {
			n++
		}
	}
	return saysFirst(n, b.Record(first))
}

// saysFirst counts lines, of which it shows the first.
func saysFirst(n int, first []byte) string {
	if n == 1 {
		return fmt.Sprintf("1 line, %s", excerpt(first))
	}
	return fmt.Sprintf("%d lines, %s …", n, excerpt(first))
}

// excerpt returns the beginning of a text in quotes.
func excerpt(text []byte) string {
	return strconv.Quote(columnar.Excerpt(string(text[:min(len(text), 1<<10)]), 40))
}

// longNote is how many bytes the text of a note has, at least, if no word says that it is one.
const longNote = 60

// noteWords begin notes under tables, in small letters.
var noteWords = strings.Fields("note notes source sources footnote footnotes legend remark remarks disclaimer copyright dataset info © * † ‡ " +
	"quelle quellen hinweis hinweise anmerkung anmerkungen fußnote fußnoten source(s) note(s) " +
	"fonte fontes nota notas fuente fuentes bron lähde källa kilde źródło zdroj forrás kaynak источник примечание 資料 出典 注 数据来源 资料来源 来源 자료 출처")

// onlyNotes reports whether a record has a note in its first cell, and none from there on has anything in
// another.
func (l *looked) onlyNotes(b *csv.Block, i int) bool {
	if isBlank(b.Cell(i, 0)) || !isNote(b.Cell(i, 0)) {
		return false
	}
	for ; i < b.Len(); i++ {
		if titleFields(b, i) > 1 {
			return false
		}
	}
	return true
}

// isNote reports whether a cell is the text of a note.
func isNote(cell []byte) bool {
	text := strings.TrimSpace(string(csv.AppendUnquoted(nil, cell)))
	return slices.Contains(noteWords, strings.TrimRight(firstWord(text), ":.-")) || len(text) >= longNote && strings.Count(text, " ") > 5
}

// beginsNote reports whether a cell begins with a word for notes and a colon, behind which there may be commas.
func beginsNote(cell []byte) bool {
	word, found := strings.CutSuffix(firstWord(strings.TrimSpace(string(csv.AppendUnquoted(nil, cell)))), ":")
	return found && slices.Contains(noteWords, word)
}

// firstWord returns the first word of a text, in small letters.
func firstWord(text string) string {
	word := strings.ToLower(text)
	if end := strings.IndexAny(word, " ："); end >= 0 {
		word = word[:end]
	}
	return word
}
