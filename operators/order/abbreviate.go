package order

import (
	"slices"

	"analyzer/columnar"
)

// abbreviate makes words of the values of the first key. Where two words differ
// they order as the rows do; where they do not, the rows must be compared.
//
// Nyberg, Barclay, Cvetanovic, Gray, Lomet: AlphaSort, a cache-sensitive parallel
// external sort. VLDB Journal 4, 1995, calls them key-prefixes.
type abbreviate struct{ key Key }

// nullWord is after all values in both directions.
const nullWord = 1<<64 - 1

// words returns the words of rows in dst's memory.
func (a abbreviate) words(dst []uint64, rows columnar.Rows) []uint64 {
	dst = slices.Grow(dst[:0], rows.Len)[:rows.Len]
	if len(rows.Cols) == 0 {
		clear(dst)
		return dst
	}
	v := rows.Cols[a.key.Column]
	valueWords(dst, v)
	if a.key.Desc {
		for i := range dst {
			dst[i] = ^dst[i]
		}
	}
	if v.Valid != nil {
		for i := range dst {
			if !v.Valid[i] {
				dst[i] = nullWord
			}
		}
	}
	return dst
}

func valueWords(dst []uint64, v *columnar.Vector) {
	switch v.Type.Kind() {
	case columnar.KindInt64:
		for i, n := range v.Ints[:len(dst)] {
			dst[i] = uint64(n) ^ signBit
		}
	case columnar.KindFloat64:
		for i, f := range v.Floats[:len(dst)] {
			dst[i] = floatWord(f)
		}
	default:
		for i := range dst {
			if !v.IsNull(i) {
				dst[i] = valueWord(v, i, 0)
			}
		}
	}
}
