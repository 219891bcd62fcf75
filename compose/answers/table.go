package answers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"analyzer/columnar"
)

// A table's column widths are those of its first rows, which are held back
// until there are as many rows, or bytes. What comes later is written at once,
// and stands askew where it is wider.
const (
	heldRows  = 10_000
	heldBytes = 4 << 20
)

// gap is the space between two columns.
const gap = 2

// tableEncoder writes answers as text for people, one below the other.
type tableEncoder struct {
	ended
	w      *bufio.Writer
	titles map[string]string
	limit  int // columns of the terminal, 0 for none
	first  bool

	columns columnar.Schema
	held    [][]string // the header, then rows
	bytes   int
	widths  []int // known when held is written, else nil
	rows    int64
	cells   []string
	scratch []byte
	line    []byte
	measure *runewidth.Condition
}

func newTable(w io.Writer, o Options) *tableEncoder {
	return &tableEncoder{
		w: bufio.NewWriterSize(w, streamBuffer), titles: o.Titles, limit: o.Width, first: true,
		// Independent of the user's locale, as every answer is.
		measure: &runewidth.Condition{StrictEmojiNeutral: true},
	}
}

func (e *tableEncoder) begin(query string, columns columnar.Schema) error {
	e.columns, e.rows, e.bytes, e.widths = columns, 0, 0, nil
	e.held = append(e.held[:0], columns.Names())
	title := query
	if t := e.titles[query]; t != "" {
		title += ": " + t
	}
	if !e.first {
		title = "\n" + title
	}
	e.first = false
	_, err := e.w.WriteString(e.wrapped(title) + "\n\n")
	return err
}

// wrapped breaks the lines of a text between words so that they fit the terminal.
// What a line goes on with is indented a little more.
func (e *tableEncoder) wrapped(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "  "
		for e.limit > 0 && e.width(line) > e.limit {
			at := strings.LastIndexByte(e.measure.Truncate(line, e.limit+1, ""), ' ')
			if at < len(indent) {
				break // a word that is too long by itself
			}
			lines = append(lines, strings.TrimRight(line[:at], " "))
			line = indent + strings.TrimLeft(line[at:], " ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (e *tableEncoder) write(rows columnar.Rows) error {
	for i := range rows.Len {
		e.rows++
		e.cells = e.cells[:0]
		for _, v := range rows.Cols {
			e.scratch = appendCell(e.scratch[:0], v, i)
			e.bytes += len(e.scratch)
			e.cells = append(e.cells, string(e.scratch))
		}
		if e.widths != nil {
			if err := e.writeRow(e.cells); err != nil {
				return err
			}
			continue
		}
		e.held = append(e.held, slices.Clone(e.cells))
		if len(e.held) > heldRows || e.bytes > heldBytes {
			if err := e.release(); err != nil {
				return err
			}
		}
	}
	return nil
}

// release decides the widths and writes what was held back.
func (e *tableEncoder) release() error {
	e.widths = make([]int, len(e.columns))
	for _, row := range e.held {
		for j, cell := range row {
			e.widths[j] = max(e.widths[j], e.width(cell))
		}
	}
	e.fit()
	rule := make([]string, len(e.widths))
	for j, w := range e.widths {
		e.held[0][j], rule[j] = e.cut(e.held[0][j], j), strings.Repeat("-", w)
	}
	if err := e.writeRow(e.held[0]); err != nil {
		return err
	}
	if err := e.writeRow(rule); err != nil {
		return err
	}
	for _, row := range e.held[1:] {
		if err := e.writeRow(row); err != nil {
			return err
		}
	}
	e.held = e.held[:0]
	return nil
}

// Widths that columns are not cut below: if the rest fits so, and in any case.
const (
	narrow    = 8
	narrowest = 4
)

// fit narrows columns, the widest first, until a row fits the terminal: text and
// the names of numbers, and if that does not do, what stands behind a point.
func (e *tableEncoder) fit() {
	if e.limit == 0 {
		return
	}
	least := make([]int, len(e.widths))
	for j, c := range e.columns {
		e.widths[j] = min(e.widths[j], max(e.limit, narrow))
		if least[j] = narrow; isNumber(c.Type) {
			least[j] = 1
			for _, row := range e.held[1:] {
				least[j] = max(least[j], e.width(row[j]))
			}
		}
	}
	e.narrow(least)
	for j, c := range e.columns {
		switch {
		case !isNumber(c.Type):
			least[j] = narrowest
		case c.Type != columnar.Int:
			least[j] = min(least[j], narrow)
		}
	}
	e.narrow(least)
}

// narrow takes from the widest of the columns that may lose some until a row fits.
func (e *tableEncoder) narrow(least []int) {
	total := gap * (len(e.widths) - 1)
	for _, w := range e.widths {
		total += w
	}
	for ; total > e.limit; total-- {
		widest := -1
		for j, w := range e.widths {
			if w > least[j] && (widest < 0 || w > e.widths[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		e.widths[widest]--
	}
}

// cut returns as much of a text as fits a column.
func (e *tableEncoder) cut(text string, column int) string {
	if e.limit == 0 || e.width(text) <= e.widths[column] {
		return text
	}
	return e.measure.Truncate(text, e.widths[column], "…")
}

func (e *tableEncoder) writeRow(cells []string) error {
	b := e.line[:0]
	for j, cell := range cells {
		t := e.columns[j].Type
		if t != columnar.Int { // which would become another number
			cell = e.cut(cell, j)
		}
		pad := max(0, e.widths[j]-e.width(cell))
		if isNumber(t) {
			b = appendSpaces(b, pad)
			pad = 0
		}
		b = append(b, cell...)
		if j < len(cells)-1 {
			b = appendSpaces(b, pad+gap)
		}
	}
	e.line = append(bytes.TrimRight(b, " "), '\n')
	_, err := e.w.Write(e.line)
	return err
}

func (e *tableEncoder) end() error {
	if e.widths == nil {
		if err := e.release(); err != nil {
			return err
		}
	}
	noun := "rows"
	if e.rows == 1 {
		noun = "row"
	}
	if _, err := fmt.Fprintf(e.w, "(%d %s)\n", e.rows, noun); err != nil {
		return err
	}
	return e.w.Flush()
}

// width is how many columns of a terminal a text takes. Cells are escaped, so
// that only text beyond ASCII needs measuring, which is slow.
func (e *tableEncoder) width(text string) int {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return e.measure.StringWidth(text)
		}
	}
	return len(text)
}

func isNumber(t columnar.Type) bool {
	return t == columnar.Int || t == columnar.Decimal || t == columnar.Float || t == columnar.Wide
}

func appendSpaces(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}
