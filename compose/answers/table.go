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
	if err := checkWritable(columns); err != nil {
		return err
	}
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
	_, err := e.w.WriteString(title + "\n\n")
	return err
}

func (e *tableEncoder) write(rows columnar.RecordBatch) error {
	vs := columnar.Vectors(e.columns, rows)
	for i := range int(rows.NumRows()) {
		e.rows++
		e.cells = e.cells[:0]
		for _, v := range vs {
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
	if err := e.writeRow(e.held[0]); err != nil {
		return err
	}
	rule := make([]string, len(e.widths))
	for j, w := range e.widths {
		rule[j] = strings.Repeat("-", w)
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

// narrowest is the width that columns are not cut below.
const narrowest = 8

// fit narrows the widest text columns until a row fits the terminal.
func (e *tableEncoder) fit() {
	if e.limit == 0 {
		return
	}
	total := gap * (len(e.widths) - 1)
	for j, w := range e.widths {
		e.widths[j] = min(w, max(e.limit, narrowest))
		total += e.widths[j]
	}
	for total > e.limit {
		widest := -1
		for j, w := range e.widths {
			if !isNumber(e.columns[j].Type) && w > narrowest && (widest < 0 || w > e.widths[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		e.widths[widest]--
		total--
	}
}

func (e *tableEncoder) writeRow(cells []string) error {
	b := e.line[:0]
	for j, cell := range cells {
		pad := e.widths[j] - e.width(cell)
		if pad < 0 && e.limit > 0 && !isNumber(e.columns[j].Type) {
			cell = e.measure.Truncate(cell, e.widths[j], "…")
			pad = e.widths[j] - e.width(cell) // 1 where half a wide character would be left
		}
		pad = max(0, pad)
		if isNumber(e.columns[j].Type) {
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

func (e *tableEncoder) finish() error { return e.w.Flush() }

func (e *tableEncoder) discard() {}

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
