package aggregate

import (
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
)

// maskBits is the most columns whose nulls fit into one word.
const maskBits = 64

// wordKeys are keys of one word for each column. Where there are nulls, one
// more word is a mask: bit c says that column c is null, and then its word is
// zero.
type wordKeys struct {
	cols   int
	masked bool
	rows   []uint64 // the batch's keys, row by row: borrowed, or in own
	own    []uint64
	hashes []uint64
}

func (k *wordKeys) words() int {
	if k.masked {
		return k.cols + 1
	}
	return k.cols
}

func (k *wordKeys) encode(cols []*columnar.Vector, rows int) []uint64 {
	if len(cols) == 1 && !k.masked && cols[0].Ints != nil {
		// A key of one integer is its own word and its own hash.
		k.rows = arrow.Uint64Traits.CastFromBytes(arrow.Int64Traits.CastToBytes(cols[0].Ints[:rows]))
		return k.rows
	}
	w := k.words()
	k.own = slices.Grow(k.own[:0], rows*w)[:rows*w]
	k.rows = k.own
	for c, v := range cols {
		switch {
		case v.Valid != nil:
			k.encodeValid(c, v, rows)
		case v.Ints != nil:
			for i, n := range v.Ints[:rows] {
				k.own[i*w+c] = uint64(n)
			}
		default:
			for i := range rows {
				k.own[i*w+c] = wordOf(v, i)
			}
		}
	}
	if k.masked {
		k.encodeMask(cols, rows)
	}
	k.hash(rows)
	return k.hashes
}

func (k *wordKeys) encodeValid(c int, v *columnar.Vector, rows int) {
	w := k.words()
	for i := range rows {
		k.own[i*w+c] = 0
		if v.Valid[i] {
			k.own[i*w+c] = wordOf(v, i)
		}
	}
}

func (k *wordKeys) encodeMask(cols []*columnar.Vector, rows int) {
	w := k.words()
	for i := range rows {
		k.own[i*w+k.cols] = 0
	}
	for c, v := range cols {
		for i, ok := range v.Valid {
			if !ok && i < rows {
				k.own[i*w+k.cols] |= 1 << c
			}
		}
	}
}

// hashFactor spreads a word over the upper bits: 2^64 divided by the golden
// ratio.
const hashFactor = 0x9E3779B97F4A7C15

// hash computes hashes to which columnar.Rehash is still to be applied. A mask
// without nulls does not change them.
func (k *wordKeys) hash(rows int) {
	k.hashes = slices.Grow(k.hashes[:0], rows)[:rows]
	w := k.words()
	switch w {
	case 0:
		clear(k.hashes)
	case 1:
		copy(k.hashes, k.rows)
	case 2:
		for i := range k.hashes {
			k.hashes[i] = hashPair(k.rows[2*i], k.rows[2*i+1])
		}
	default:
		for i := range k.hashes {
			h := k.rows[i*w+w-1]
			for c := w - 2; c >= 0; c-- {
				h = bits.RotateLeft64(h*hashFactor, 31) ^ k.rows[i*w+c]
			}
			k.hashes[i] = h
		}
	}
}

func hashPair(first, second uint64) uint64 {
	return bits.RotateLeft64(second*hashFactor, 31) ^ first
}

func (k *wordKeys) same(rec []uint64, row int) bool {
	w := k.words()
	return slices.Equal(rec[:w], k.rows[row*w:row*w+w])
}

func (k *wordKeys) put(rec []uint64, row int) {
	w := k.words()
	copy(rec, k.rows[row*w:row*w+w])
}

func (k *wordKeys) decode(r records, out []*columnar.Vector) {
	for c, v := range out {
		switch {
		case v == nil:
		case k.masked:
			for _, ref := range r.refs {
				if rec := r.pages.rest(ref, 0); rec[k.cols]>>c&1 != 0 {
					v.AppendNull()
				} else {
					appendWord(v, rec[c])
				}
			}
		case v.Ints != nil || v.Type.Kind() == columnar.KindInt64:
			appendInts(v, records{pages: r.pages, refs: r.refs, at: c})
		default:
			for _, ref := range r.refs {
				appendWord(v, *r.pages.word(ref, c))
			}
		}
	}
}

func (*wordKeys) size([]uint64) int { return 0 }
func (*wordKeys) reset()            {}
func (*wordKeys) free()             {}
