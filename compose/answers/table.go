package answers

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"analyzer/columnar"
)

// A table's column widths come from its first rows, which are held back until
// there are this many rows or bytes. Later rows are written at once, and are
// out of line if they are wider.
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
	most   int // rows that are shown, 0 for all
	only   bool
	first  bool

	columns columnar.Schema // all, and once widths are known the shown ones
	hidden  hidden
	held    [][]string // the header, then rows
	last    [][]string // the last rows, if not all rows are shown
	bytes   int
	widths  []int // nil until the held rows are written
	rows    int
	cells   []string
	scratch []byte
	line    []byte
	measure *runewidth.Condition
}

func newTable(w io.Writer, o Options) *tableEncoder {
	return &tableEncoder{
		w: bufio.NewWriterSize(w, streamBuffer), titles: o.Titles, limit: o.Width, most: o.Rows, only: o.Queries == 1, first: true,
		// Independent of the user's locale, like every answer.
		measure: &runewidth.Condition{StrictEmojiNeutral: true},
	}
}

func (e *tableEncoder) begin(query string, columns columnar.Schema) error {
	e.columns, e.rows, e.bytes, e.widths, e.hidden, e.last = columns, 0, 0, nil, hidden{}, nil
	names := columns.Names()
	for i, name := range names {
		names[i] = Visible(name)
	}
	e.held = append(e.held[:0], names)
	title := query
	if t := e.titles[query]; t != "" {
		title += ": " + t
	} else if e.only {
		return nil
	}
	if !e.first {
		title = "\n" + title
	}
	e.first = false
	_, err := e.w.WriteString(e.wrapped(title) + "\n\n")
	return err
}

// wrapped breaks the lines of a text between words so that they fit the terminal.
// Continuation lines are indented a little more.
func (e *tableEncoder) wrapped(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "  "
		for e.limit > 0 && e.width(line) > e.limit {
			at := strings.LastIndexByte(e.measure.Truncate(line, e.limit+1, ""), ' ')
			if at < len(indent) {
				break // a single word is too long
			}
			lines = append(lines, strings.TrimRight(line[:at], " "))
			line = indent + strings.TrimLeft(line[at:], " ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (e *tableEncoder) write(rows columnar.Rows) error {
	e.rows += rows.Len
	if e.most > 0 {
		e.keep(rows)
		return nil
	}
	for i := range rows.Len {
		cells := e.text(rows, i)
		if e.widths != nil {
			if err := e.writeRow(fold(e.hidden, cells, "…")); err != nil {
				return err
			}
			continue
		}
		e.held = append(e.held, slices.Clone(cells))
		if len(e.held) > heldRows || e.bytes > heldBytes {
			if err := e.release(); err != nil {
				return err
			}
		}
	}
	return nil
}

// text returns the cells of a row, valid until the next call.
func (e *tableEncoder) text(rows columnar.Rows, i int) []string {
	e.cells = e.cells[:0]
	for _, v := range rows.Cols {
		e.scratch = appendCell(e.scratch[:0], v, i)
		e.bytes += len(e.scratch)
		e.cells = append(e.cells, string(e.scratch))
	}
	return e.cells
}

// keep holds back the rows that are shown: the first and the last ones, half of each.
func (e *tableEncoder) keep(rows columnar.Rows) {
	end := e.most / 2
	first := min(rows.Len, e.most-end+1-len(e.held))
	for i := range first {
		e.held = append(e.held, slices.Clone(e.text(rows, i)))
	}
	for i := max(first, rows.Len-end); i < rows.Len; i++ {
		e.last = append(e.last, slices.Clone(e.text(rows, i)))
	}
	e.last = slices.Delete(e.last, 0, max(0, len(e.last)-end))
}

// release lays the columns out and writes the rows held back.
func (e *tableEncoder) release() error {
	e.layOut()
	rule := make([]string, len(e.widths))
	for j, w := range e.widths {
		e.held[0][j], rule[j] = e.cut(e.held[0][j], j), strings.Repeat("-", w)
	}
	for _, row := range slices.Insert(e.held, 1, rule) {
		if err := e.writeRow(row); err != nil {
			return err
		}
	}
	e.held = e.held[:0]
	return nil
}

func (e *tableEncoder) writeRow(cells []string) error {
	b := e.line[:0]
	for j, cell := range cells {
		t := e.columns[j].Type
		if !isWhole(t) {
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
	shown := e.rows
	if e.most > 0 && e.rows > e.most {
		shown = e.most
		e.held = append(e.held, slices.Repeat([]string{"·"}, len(e.columns)))
	}
	e.held = append(e.held, e.last...)
	if e.widths == nil {
		if err := e.release(); err != nil {
			return err
		}
	}
	counts := numbered(e.rows, "row", shown)
	if n := e.hidden.count(); n > 0 {
		counts += ", " + numbered(len(e.columns)-1+n, "column", len(e.columns)-1)
	} else if shown == e.rows {
		counts = "(" + counts + ")"
	}
	if _, err := e.w.WriteString(e.wrapped(counts) + "\n"); err != nil {
		return err
	}
	return e.w.Flush()
}

// numbered returns text with the number of things, and how many are shown if not all are.
func numbered(n int, thing string, shown int) string {
	text := strconv.Itoa(n) + " " + thing
	if n != 1 {
		text += "s"
	}
	if shown < n {
		text += " (" + strconv.Itoa(shown) + " shown)"
	}
	return text
}

// width returns how many columns of a terminal a text takes. Cells are escaped, so
// only text beyond ASCII needs the slow measurement.
func (e *tableEncoder) width(text string) int {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return e.measure.StringWidth(text)
		}
	}
	return len(text)
}

func appendSpaces(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}
