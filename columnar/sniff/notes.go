package sniff

import (
	"fmt"
	"strings"

	"analyzer/columnar/csv"
)

// Note is something that was guessed, mended or left out, with the line that it is about.
type Note struct {
	Line int64  `json:"line,omitempty"` // 0: no line in particular
	Text string `json:"text"`
}

func (n Note) String() string {
	if n.Line == 0 {
		return n.Text
	}
	return fmt.Sprintf("line %d: %s", n.Line, n.Text)
}

// note adds a note about record i.
func (l *looked) note(b *csv.Block, i int, format string, args ...any) {
	l.notes = append(l.notes, Note{b.Line(i), fmt.Sprintf(format, args...)})
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
	l.notes = append(l.notes, Note{read, fmt.Sprintf("the largest of %d tables is read; the others are read by read_csv with another skip: %s",
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
	if n == 1 {
		return fmt.Sprintf("1 line, %s", excerpt(b.Record(first)))
	}
	return fmt.Sprintf("%d lines, %s …", n, excerpt(b.Record(first)))
}

// excerpt returns the beginning of a text in quotes.
func excerpt(text []byte) string {
	const most = 40
	short := []rune(strings.ToValidUTF8(string(text[:min(len(text), 4*most)]), "\ufffd"))
	if len(short) > most {
		return fmt.Sprintf("%q", string(short[:most])+"…")
	}
	return fmt.Sprintf("%q", string(short))
}
