package csv

import (
	"bytes"
	"iter"
	"slices"

	"analyzer/columnar/number"
)

// Column holds the cells of one field, including quotes unless Values made it.
type Column struct {
	number.Cells
	copied []int32
}

// Pairs makes c n cells of data, for whose bounds the caller sets the pairs that it gets: the
// position before each cell, and that behind its last byte.
func (c *Column) Pairs(data []byte, n int) []int32 {
	c.Data = data[:len(data)+number.Behind]
	return c.own(n)
}

// Column makes dst the cells of field c in some records, in ascending order. It reuses
// the memory of dst where it must copy positions.
func (b *Block) Column(dst *Column, c int, records []int32) {
	b.asRead(dst, c, records)
	if b.apart() {
		b.strip(dst, len(records), false)
	}
}

// asRead is Column, but for spaces around quotes.
func (b *Block) asRead(dst *Column, c int, records []int32) {
	if !b.view(dst, c, records) {
		b.pairs(dst.Pairs(b.data, len(records)), int32(c), records)
	}
}

// apart reports whether spaces may stand around the quotes of cells.
func (b *Block) apart() bool { return b.lexer.spaced && b.quoted }

// view is asRead if no position need be copied, since the cells lie between ends that are
// equally far apart.
func (b *Block) view(dst *Column, c int, records []int32) bool {
	n := len(records)
	if n == 0 {
		return false
	}
	in, next := b.records.of(records[0])
	last := int(in.fields) - 1
	if int(records[n-1]-records[0]) != n-1 || records[n-1] >= next || b.longer() > 0 || c > last || b.trimmed() && c == last {
		return false
	}
	dst.Data = b.data[:len(b.data)+number.Behind]
	dst.Bounds, dst.Stride = b.bounds[int(in.row(records[0]))+c:], last+1
	return true
}

// manyAlike is how many records a run has on average for which it is worth to make columns of it alone.
const manyAlike = 64

// Parts divides ascending records into parts, each with the place of its first record among them: if it
// can be, so that columns of most parts are made without looking at their cells.
func (b *Block) Parts(records []int32) iter.Seq2[int, []int32] {
	runs := &b.records
	if len(runs.list) < 2 || len(runs.list)*manyAlike > runs.count || b.quoted || b.longer() > 0 {
		return slices.All([][]int32{records})
	}
	return func(yield func(int, []int32) bool) {
		for at := 0; at < len(records); {
			_, next := runs.of(records[at])
			n, _ := slices.BinarySearch(records[at:], next)
			if !yield(at, records[at:at+n]) {
				return
			}
			at += n
		}
	}
}

// pairs sets the positions of the cells of field c in some records.
func (b *Block) pairs(dst []int32, c int32, records []int32) {
	if len(b.records.begins) > 0 {
		b.pairsOfEach(dst, c, records)
	} else {
		b.pairsOfRuns(dst, c, records)
	}
}

// strip takes the spaces around quotes off the first n cells of a column, and then does what unquote does, if it is to.
// Most have one space before the quotes or none around them.
func (b *Block) strip(dst *Column, n int, quotes bool) {
	data, bounds, stride, quote, simple := dst.Data, dst.Bounds, dst.Stride, b.lexer.quote, quotes && b.isSimple()
	pairs := dst.own(n)
	for i := range n {
		ends, to := bounds[i*stride:][:2], pairs[2*i:][:2]
		before, end := ends[0], ends[1]
		if end-before > 2 {
			first, second, last := data[before+1], data[before+2], data[end-1]
			switch {
			case first != ' ' && (first != quote || last != ' '):
			case first == ' ' && second == quote && last != ' ':
				before++
			default:
				before, end = b.withoutSpaces(before, end)
			}
		}
		if quotes && end-before > 2 && data[before+1] == quote && data[end-1] == quote && (simple || b.encloses(before+2, end-1)) {
			before, end = before+1, end-1
		}
		to[0], to[1] = before, end
	}
}

// own makes the bounds of a column n pairs in its own memory, and returns them. The caller sets them in order, from the
// bounds before, which may lie in the same memory.
func (c *Column) own(n int) []int32 {
	pairs := slices.Grow(c.copied[:0], 2*n)[:2*n]
	c.Bounds, c.Stride, c.copied = pairs, 2, pairs
	return pairs
}

// pairsOfRuns is pairs for records that are found by their runs.
func (b *Block) pairsOfRuns(dst []int32, c int32, records []int32) {
	longer := b.longer()
	for k := b.records.find(records); len(records) > 0; k++ {
		in, next := b.records.run(k)
		if records[0] >= next {
			continue
		}
		n := len(records)
		if records[n-1] >= next {
			for n = 1; records[n] < next; n++ {
			}
		}
		some, to, first, fields := records[:n], dst[:2*n], in.record, in.fields
		bounds := b.bounds[min(int(in.begin+c), len(b.bounds)):]
		switch {
		case c < fields-1 || c < fields && longer == 0 && !b.trimmed():
			for i, r := range some {
				ends := bounds[(r-first)*fields:][:2]
				to[2*i], to[2*i+1] = ends[0], ends[1]-longer
			}
		case c < fields:
			for i, r := range some {
				ends := bounds[(r-first)*fields:][:2]
				to[2*i], to[2*i+1] = ends[0], b.trim(ends[0]+1, ends[1])
			}
		default: // they are filled up
			for i := range some {
				to[2*i], to[2*i+1] = -1, 0
			}
		}
		records, dst = records[n:], dst[2*n:]
	}
}

// pairsOfEach is pairs for records that are listed one by one.
func (b *Block) pairsOfEach(dst []int32, c int32, records []int32) {
	plain, begins, bounds := b.longer() == 0 && !b.trimmed(), b.records.begins, b.bounds
	for i, r := range records {
		record, to := begins[r:][:2], dst[2*i:][:2]
		at := record[0] + c
		ends := bounds[min(int(at), len(bounds)-2):][:2]
		before, end := ends[0], ends[1]
		if !plain {
			end = b.trim(before+1, end)
		}
		has := (at - record[1]) >> 31 // no bits if it is filled up: a branch would often go the other way
		to[0], to[1] = before&has|^has, end&has
	}
}

// Values is Column, except that a cell is given without the quotes around it if the text
// between them is the text of the cell. Then numbers are as quick to read as in a file
// without quotes. The result belongs to the block, which makes it once for all who look at the same records.
func (b *Block) Values(dst *Column, c int, records []int32) {
	if !b.apart() && b.view(dst, c, records) && !dst.beginsWith(b.Quoting().quote, len(records)) {
		return
	}
	made := b.made.column(c, records)
	if made.Stride == 0 {
		b.asRead(made, c, records)
		switch n, quotes := len(records), made.beginsWith(b.lexer.quote, len(records)); {
		case b.apart():
			b.strip(made, n, quotes)
		case quotes:
			b.unquote(made, n)
		}
	}
	dst.Cells = made.Cells
}

// columns are those that were made of some records.
type columns struct {
	records []int32
	made    []Column // by field; the stride of those that were not made is 0
}

// column returns column c of some records.
func (m *columns) column(c int, records []int32) *Column {
	if !equalRecords(m.records, records) {
		m.records = append(m.records[:0], records...)
		m.forget()
	}
	if c >= len(m.made) {
		m.made = append(m.made, make([]Column, c+1-len(m.made))...)
	}
	return &m.made[c]
}

// equalRecords reports whether two lists of ascending records are equal.
func equalRecords(a, b []int32) bool {
	last := len(a) - 1
	if last < 0 || last != len(b)-1 || a[0] != b[0] || a[last] != b[last] {
		return last < 0 && len(b) == 0
	}
	return int(a[last]-a[0]) == last || slices.Equal(a, b)
}

func (m *columns) forget() {
	for c := range m.made {
		m.made[c].Stride = 0
	}
}

// unquote takes the quotes off the first n cells of a column, those whose text needs nothing else.
func (b *Block) unquote(dst *Column, n int) {
	data, bounds, stride, quote, simple := dst.Data, dst.Bounds, dst.Stride, b.lexer.quote, b.isSimple()
	pairs := dst.own(n)
	for i := range n {
		ends, to := bounds[i*stride:][:2], pairs[2*i:][:2]
		before, end := ends[0], ends[1]
		if n := end - before; n > 2 && data[before+1] == quote && data[end-1] == quote && (simple || b.encloses(before+2, end-1)) {
			before, end = before+1, end-1
		}
		to[0], to[1] = before, end
	}
}

// beginsWith reports whether the first of n cells that is not empty begins with a quote, perhaps behind spaces. If many
// are empty, it does not look on.
func (c *Column) beginsWith(quote byte, n int) bool {
	for i := range min(n, 64) {
		if cell := c.Cell(i); len(cell) > 0 {
			at := spaces(cell)
			return at < len(cell) && cell[at] == quote
		}
	}
	return false
}

// MostlyFull reports whether hardly any of the first of n cells is empty, or a word for null.
func (c *Column) MostlyFull(n int, null func(cell []byte) bool) bool {
	const first, few = 64, 4
	without := 0
	for i := range min(n, first) {
		if cell := c.Cell(i); len(cell) == 0 || isWord(cell, null) {
			without++
		}
	}
	return without < few
}

// Full makes dst those of the first n cells that are neither empty nor words for null, so that loops over many cells at
// once need not stop at others, and returns which they are, in the memory of at, and whether some cells are empty.
func (c *Column) Full(dst *Column, n int, at []int32, null func(cell []byte) bool) (full []int32, empty bool) {
	pairs, m, least := slices.Grow(dst.copied[:0], 2*n)[:2*n], 0, int32(2)
	at = slices.Grow(at[:0], n)[:n]
	data, bounds, stride := c.Data, c.Bounds, c.Stride
	for i := range n {
		ends, to := bounds[i*stride:][:2], pairs[2*m:][:2]
		before, end := ends[0], ends[1]
		to[0], to[1], at[m] = before, end, int32(i)
		least = min(least, end-before)
		n := int(uint32(1-(end-before)) >> 31) // 1 unless it is empty: a branch would often go the other way
		if data[before+1]-'0' > 9 && n > 0 && null(data[before+1:end]) {
			n = 0
		}
		m += n
	}
	dst.Data, dst.Bounds, dst.Stride, dst.copied = c.Data, pairs, 2, pairs
	return at[:m], least == 1
}

// isWord reports whether a cell, which is not empty, is a word for null. One that begins with a digit is taken for a value.
func isWord(cell []byte, null func(cell []byte) bool) bool { return cell[0]-'0' > 9 && null(cell) }

// encloses reports whether the text from begin to end, between quotes, has neither quotes nor escapes.
func (b *Block) encloses(begin, end int32) bool {
	if int(end) > b.size { // no word describes it
		return b.Quoting().encloses(b.data[begin:end])
	}
	for begin < end {
		i, at := begin/wordBytes, uint(begin)%wordBytes
		marks := b.words[i].quote
		if b.lexer.escapes {
			marks |= b.lexer.escapesIn[i]
		}
		next := (i + 1) * wordBytes
		if marks >>= at; next >= end {
			return marks<<(uint(begin-end)%wordBytes) == 0
		}
		if marks != 0 {
			return false
		}
		begin = next
	}
	return true
}

// encloses reports whether a text between quotes has neither quotes nor escapes.
func (q Quoting) encloses(text []byte) bool {
	return bytes.IndexByte(text, q.quote) < 0 && (!q.escapes || bytes.IndexByte(text, q.escape) < 0)
}

// doubled says whether a quote stands in a quoted cell of a block.
type doubled uint8

const (
	unknown doubled = iota
	never           // each quote begins or ends a cell
	perhaps
)

// isSimple reports whether each quote of the block begins or ends a cell, and no cell may have
// escapes. It finds that out when it is first asked.
func (b *Block) isSimple() bool {
	if b.undoubled == unknown {
		b.undoubled = perhaps
		if !b.walked && !b.lexer.escapes && len(b.tail) == 0 && b.undoubledQuotes() {
			b.undoubled = never
		}
	}
	return b.undoubled == never
}

// undoubledQuotes reports whether no quote in the words of a regular block follows a closing
// one.
func (b *Block) undoubledQuotes() bool {
	flip, closed := b.begin.flip(), uint64(0)
	for i := range b.words {
		w := &b.words[i]
		inside := w.inside ^ flip
		if (w.quote&^inside<<1|closed)&w.quote&inside != 0 {
			return false
		}
		closed = w.quote &^ inside >> 63
	}
	return true
}
