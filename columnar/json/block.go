package json

import (
	"bytes"
	"iter"
	"slices"
	"sort"
	"unicode/utf8"

	"analyzer/columnar/csv"
	"analyzer/columnar/jsontext"
	"analyzer/columnar/number"
)

// Block holds the rows of one block of a file, as cells. Methods that input.Block has do what
// those of csv.Block do. The results are valid until the block is read again.
type Block struct {
	index  int64
	offset int64  // of data in the file
	data   []byte // of the file up to size, then texts that are written otherwise there
	size   int
	rows   []bounds
	width  int
	cells  []cells // by column
	more   bool
	lines  func() int64 // the line on which data begins
	indent int          // bytes of that line before the data

	lineAt   int // lines have been counted up to here
	lineHere int64
}

type bounds struct{ begin, end int32 }

// cells are those of a column that are not null.
type cells struct {
	rows   []int32
	pairs  []int32 // the position before each, and that behind its last byte
	quoted bool    // some are in quotes
}

// slack is how many bytes behind the data those who read cells may touch.
const slack = number.Behind + 64

func (b *Block) reset(width int) {
	b.rows, b.width, b.more, b.lineAt, b.lineHere = b.rows[:0], width, false, 0, 0
	b.cells = slices.Grow(b.cells[:0], width)[:width]
	for i := range b.cells {
		c := &b.cells[i]
		*c = cells{rows: c.rows[:0], pairs: c.pairs[:0]}
	}
}

// set makes bytes of the data the cell of a column in the last row.
func (b *Block) set(column, begin, end int) {
	c, row := &b.cells[column], int32(len(b.rows))
	if n := len(c.rows); n > 0 && c.rows[n-1] == row { // the last of equal keys counts
		c.pairs[2*n-2], c.pairs[2*n-1] = int32(begin-1), int32(end)
		return
	}
	c.rows, c.pairs = append(c.rows, row), append(c.pairs, int32(begin-1), int32(end))
}

// unset makes the cell of a column in the last row null.
func (b *Block) unset(column int) {
	c := &b.cells[column]
	if n := len(c.rows); n > 0 && c.rows[n-1] == int32(len(b.rows)) {
		c.rows, c.pairs = c.rows[:n-1], c.pairs[:2*n-2]
	}
}

// Texts that are written otherwise in the file stand behind its bytes. A quote before the first one of such a text says
// that there are some within, which are doubled; no text in the file has one there.
const (
	noneWithin = ' '
	someWithin = '"'
)

// unescape makes a text in quotes with escapes the cell of a column.
func (b *Block) unescape(column, begin, end int, m marks) {
	at := len(b.data)
	dst, file := append(b.data, noneWithin, '"'), b.data
	for i := begin + 1; ; {
		mark := m.next(i)
		if dst = append(dst, file[i:mark]...); mark == end-1 {
			break
		}
		r, rest := jsontext.Unescape(file[mark+1 : end-1])
		if dst = utf8.AppendRune(dst, r); r == '"' {
			dst[at] = someWithin
			dst = append(dst, '"')
		}
		i = end - 1 - len(rest)
	}
	b.data = append(dst, '"')
	b.set(column, at+1, len(b.data))
}

// quote makes an object the text of a column's cell.
func (b *Block) quote(column, begin, end int) {
	at := len(b.data)
	b.data = appendQuoted(append(b.data, someWithin), b.data[begin:end])
	b.cells[column].quoted = true
	b.set(column, at+1, len(b.data))
}

// seal makes room for those who read behind the data.
func (b *Block) seal() {
	n := len(b.data)
	b.data = append(b.data, make([]byte, slack)...)[:n]
}

// Index returns the number of the block, from 0.
func (b *Block) Index() int64 { return b.index }

// Len returns the number of rows.
func (b *Block) Len() int { return len(b.rows) }

// Fields returns the number of columns, which all rows have.
func (b *Block) Fields(int) int { return b.width }

// Alike returns how many records from r on have as many fields as r.
func (b *Block) Alike(r int) int { return len(b.rows) - r }

// Parts returns all records as one part.
func (b *Block) Parts(records []int32) iter.Seq2[int, []int32] {
	return slices.All([][]int32{records})
}

// Uniform reports whether there are rows, and all have n columns.
func (b *Block) Uniform(n int) bool { return len(b.rows) > 0 && n == b.width }

// Unclosed returns false.
func (b *Block) Unclosed() bool { return false }

// Blank returns 0: no blank lines are told from other ones.
func (b *Block) Blank() int { return 0 }

// More reports whether a row has a column that the table has not.
func (b *Block) More() bool { return b.more }

// Quoting says that quotes tell texts from other values.
func (b *Block) Quoting() csv.Quoting { return csv.Typed() }

// Data returns the bytes of the rows, and texts as cells that are written otherwise there.
func (b *Block) Data() []byte { return b.data }

// Record returns the object of a row.
func (b *Block) Record(r int) []byte { return b.data[b.rows[r].begin:b.rows[r].end] }

// Offset returns the offset of a row's object in the decompressed file.
func (b *Block) Offset(r int) int64 { return b.offset + int64(b.rows[r].begin) }

// End returns the offset in the decompressed file behind the last row and its line end, 0 if
// there is no row.
func (b *Block) End() int64 {
	if len(b.rows) == 0 {
		return 0
	}
	end := int(b.rows[len(b.rows)-1].end)
	if end < b.size && b.data[end] == '\r' {
		end++
	}
	if end < b.size && b.data[end] == '\n' {
		end++
	}
	return b.offset + int64(end)
}

// Line returns the line of the file, from 1, on which a row begins. Calls with ascending rows
// are cheap.
func (b *Block) Line(r int) int64 { return b.lineOf(int(b.rows[r].begin)) }

func (b *Block) lineOf(at int) int64 {
	if at < b.lineAt || b.lineHere == 0 {
		b.lineAt, b.lineHere = 0, b.lines()
	}
	b.lineHere += int64(bytes.Count(b.data[b.lineAt:at], []byte{'\n'}))
	b.lineAt = at
	return b.lineHere
}

// Cell returns the cell of a column in a row.
func (b *Block) Cell(r, c int) []byte {
	cells := &b.cells[c]
	i, ok := r, len(cells.rows) == len(b.rows)
	if !ok {
		i, ok = sort.Find(len(cells.rows), func(i int) int { return r - int(cells.rows[i]) })
	}
	if !ok {
		return nil
	}
	return b.data[cells.pairs[2*i]+1 : cells.pairs[2*i+1]]
}

// Column makes dst the cells of a column in some rows, in ascending order.
func (b *Block) Column(dst *csv.Column, c int, records []int32) {
	cells := &b.cells[c]
	if len(cells.rows) == len(b.rows) && len(records) == len(b.rows) {
		dst.Data, dst.Bounds, dst.Stride = b.data[:len(b.data)+number.Behind], cells.pairs, 2
		return
	}
	b.gather(dst, cells, records)
}

// gather makes dst the cells of some rows, null where a row has none.
func (b *Block) gather(dst *csv.Column, cells *cells, records []int32) {
	pairs := dst.Pairs(b.data, len(records))
	if len(cells.rows) == len(b.rows) {
		for i, r := range records {
			pairs[2*i], pairs[2*i+1] = cells.pairs[2*r], cells.pairs[2*r+1]
		}
		return
	}
	at := 0
	for i, r := range records {
		for at < len(cells.rows) && cells.rows[at] < r {
			at++
		}
		if pairs[2*i], pairs[2*i+1] = -1, 0; at < len(cells.rows) && cells.rows[at] == r {
			pairs[2*i], pairs[2*i+1] = cells.pairs[2*at], cells.pairs[2*at+1]
		}
	}
}

// Values is Column, except that a cell is given without its quotes if the text between them is that of
// the cell, and not empty.
func (b *Block) Values(dst *csv.Column, c int, records []int32) {
	cells := &b.cells[c]
	if !cells.quoted {
		b.Column(dst, c, records)
		return
	}
	b.gather(dst, cells, records)
	pairs, data := dst.Bounds, b.data
	for i := 0; i < len(pairs); i += 2 {
		before, end := pairs[i], pairs[i+1]
		if end-before <= 3 || data[before+1] != '"' || data[before] == someWithin {
			continue
		}
		pairs[i], pairs[i+1] = before+1, end-1
	}
}
