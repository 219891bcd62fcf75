package order

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// nullWord returns the word of a null: before or after all values, in both directions.
func (k key) nullWord() uint64 {
	if k.nullsFirst {
		return 0
	}
	return 1<<64 - 1
}

// Words returns a function that makes words of a key's values, in dst's memory. Where two words
// differ, they order as the key orders the rows.
func Words(schema columnar.Schema, by Key) (func(dst []uint64, rows columnar.Rows) []uint64, error) {
	keys, err := keysOf(schema, []Key{by})
	o := total{keys: keys}
	return o.words, err
}

// words makes words of the values of the first key, in dst's memory. Where two words differ,
// they order as the rows do; where they are equal, the rows must be compared.
//
// Nyberg, Barclay, Cvetanovic, Gray, Lomet: AlphaSort, a cache-sensitive parallel
// external sort. VLDB Journal 4, 1995, calls them key-prefixes.
func (o *total) words(dst []uint64, rows columnar.Rows) []uint64 {
	if len(rows.Cols) == 0 {
		dst = slices.Grow(dst[:0], rows.Len)[:rows.Len]
		clear(dst)
		return dst
	}
	return o.keys[0].words(dst, rows.Cols[o.keys[0].at])
}

// words makes words of the values of a key.
func (k key) words(dst []uint64, v *columnar.Vector) []uint64 {
	dst = slices.Grow(dst[:0], v.Len)[:v.Len]
	valueWords(dst, v)
	if k.desc {
		for i := range dst {
			dst[i] = ^dst[i]
		}
	}
	if v.Valid != nil {
		null := k.nullWord()
		for i := range dst {
			if !v.Valid[i] {
				dst[i] = null
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
			dst[i] = number.FloatWord(f)
		}
	default:
		for i := range dst {
			if !v.IsNull(i) {
				dst[i] = valueWord(v, i, 0)
			}
		}
	}
}

// part is a part of the sort keys from which a word can be made: a key and, for text, how many
// of its bytes to skip.
type part struct{ key, skip int }

// mostSkip is how many bytes of equal texts are turned into words. Texts that share a longer
// prefix are mostly equal, and faster to compare as a whole.
const mostSkip = 64

// after returns the part to continue with for rows whose words of a part are equal, and false
// if the words do not tell. What all texts go on with is skipped.
func (s *sorter) after(run []entry, at part) (part, bool) {
	column := s.order.keys[at.key].at
	nulls, longer, shortest, longest := 0, 0, 1<<31, 0
	var shared []byte // what all texts so far have behind the word
	for k, e := range run {
		v, i := s.rows.Value(column, e.id)
		if v.IsNull(i) {
			nulls++
			continue
		}
		switch v.Type.Kind() {
		case columnar.KindList, columnar.KindInt128:
			return part{}, false
		case columnar.KindBytes:
			text := v.Bytes(i)
			shortest, longest = min(shortest, len(text)), max(longest, len(text))
			if len(text) > at.skip+8 {
				longer++
			}
			if rest := text[min(at.skip+8, len(text)):]; k == 0 {
				shared = rest
			} else if len(shared) > 0 {
				shared = shared[:commonPrefix(shared, rest)]
			}
		}
	}
	switch {
	case nulls > 0 && nulls < len(run):
		return part{}, false
	case longer > 0:
		return part{key: at.key, skip: at.skip + 8 + len(shared)}, at.skip < mostSkip
	case longest > shortest:
		return part{}, false // zero bytes in the texts are ambiguous: short words are padded with them
	}
	return part{key: at.key + 1}, true
}

// commonPrefix returns how many bytes two texts begin with alike.
func commonPrefix(a, b []byte) int {
	n, at := min(len(a), len(b)), 0
	for ; at+8 <= n; at += 8 {
		if differ := binary.LittleEndian.Uint64(a[at:]) ^ binary.LittleEndian.Uint64(b[at:]); differ != 0 {
			return at + bits.TrailingZeros64(differ)/8
		}
	}
	for at < n && a[at] == b[at] {
		at++
	}
	return at
}

// word returns the word of a part of a row.
func (s *sorter) word(id uint32, at part) uint64 {
	key := s.order.keys[at.key]
	v, i := s.rows.Value(key.at, id)
	if v.IsNull(i) {
		return key.nullWord()
	}
	if at.key >= s.order.zeros {
		if v.Type == columnar.FloatList {
			return 0 // lists are compared as a whole
		}
		return zeroWord(v.Floats[i])
	}
	w := valueWord(v, i, at.skip)
	if key.desc {
		return ^w
	}
	return w
}

func valueWord(v *columnar.Vector, i, skip int) uint64 {
	switch v.Type.Kind() {
	case columnar.KindInt64:
		return uint64(v.Ints[i]) ^ signBit
	case columnar.KindFloat64:
		return number.FloatWord(v.Floats[i])
	case columnar.KindBool:
		return boolWord(v.Bools[i])
	case columnar.KindInt128:
		return uint64(v.Wides[i].HighBits()) ^ signBit
	case columnar.KindBytes:
		b := v.Bytes(i)
		return columnar.TextWord(b[min(skip, len(b)):])
	}
	return listWord(v, i)
}

// listWord returns the word of a list's first item.
func listWord(v *columnar.Vector, i int) uint64 {
	at := int(v.Offsets[i])
	switch {
	case at == int(v.Offsets[i+1]):
		return 0
	case v.Child.IsNull(at):
		return key{}.nullWord()
	}
	return valueWord(v.Child, at, 0)
}
