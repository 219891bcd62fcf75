package csv

import (
	"bytes"
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
	pairs := slices.Grow(c.copied[:0], 2*n)[:2*n]
	c.Data, c.Bounds, c.Stride, c.copied = data[:len(data)+number.Behind], pairs, 2, pairs
	return pairs
}

// Column makes dst the cells of field c in some records, in ascending order. It reuses
// the memory of dst where it must copy positions.
func (b *Block) Column(dst *Column, c int, records []int32) {
	dst.Data = b.data[:len(b.data)+number.Behind]
	// A CR may follow the last field of a record, and an end be longer than a byte.
	plain := b.longer() == 0 && c < int(b.stride) && (!b.returns || c < int(b.stride)-1)
	if plain && len(records) == b.count {
		dst.Bounds, dst.Stride = b.bounds[int(b.first)+c:], int(b.stride)
		return
	}
	pairs := slices.Grow(dst.copied[:0], 2*len(records))[:2*len(records)]
	dst.Bounds, dst.Stride, dst.copied = pairs, 2, pairs
	switch {
	case len(records) == 0:
	case plain || c < int(b.stride)-1:
		bounds, longer := b.bounds[int(b.first)+c:], b.longer()
		for i, r := range records {
			copy(pairs[2*i:][:2], bounds[r*b.stride:][:2])
			pairs[2*i+1] -= longer
		}
	case b.stride > 0:
		for i, r := range records {
			pairs[2*i], pairs[2*i+1] = b.cell(int(r), c)
		}
	default:
		b.pairs(pairs, int32(c), records)
	}
}

// pairs is Column for a block whose records have various numbers of fields.
func (b *Block) pairs(dst []int32, c int32, records []int32) {
	longer := b.longer()
	for i, r := range records {
		at, end := b.rows[r]+c, b.rows[r+1]
		switch to := dst[2*i:][:2]; {
		case at+1 < end:
			to[0], to[1] = b.bounds[at], b.bounds[at+1]-longer
		case at < end:
			to[0], to[1] = b.bounds[at], b.trim(b.bounds[at]+1, b.bounds[at+1])
		default: // it is filled up
			to[0], to[1] = -1, 0
		}
	}
}

// Values is Column, except that a cell is given without the quotes around it if the text
// between them is the text of the cell. Then numbers are as quick to read as in a file
// without quotes.
func (b *Block) Values(dst *Column, c int, records []int32) {
	b.Column(dst, c, records)
	q := b.Quoting()
	if !dst.beginsWith(q.quote, len(records)) {
		return
	}
	simple := b.isSimple()
	bounds, stride, data := dst.Bounds, dst.Stride, dst.Data
	pairs := dst.copied
	if stride != 2 || len(pairs) == 0 || &pairs[0] != &bounds[0] {
		pairs = slices.Grow(pairs[:0], 2*len(records))[:2*len(records)]
	}
	for i := range records {
		before, end := bounds[i*stride], bounds[i*stride+1]
		if n := end - before; n > 2 && data[before+1] == q.quote && data[end-1] == q.quote && (simple || q.encloses(data[before+2:end-1])) {
			before, end = before+1, end-1
		}
		pairs[2*i], pairs[2*i+1] = before, end
	}
	dst.Bounds, dst.Stride, dst.copied = pairs, 2, pairs
}

// beginsWith reports whether the first of n cells that is not empty begins with a byte. If many are
// empty, it does not look on.
func (c *Column) beginsWith(quote byte, n int) bool {
	for i := range min(n, 64) {
		if cell := c.Cell(i); len(cell) > 0 {
			return cell[0] == quote
		}
	}
	return false
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
