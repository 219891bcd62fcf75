package aggregate

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
)

// keyCodec turns the key columns of rows into what a table keeps, and back. One
// of the two forms is set.
type keyCodec struct {
	fixed   *fixedKeys
	varying *varyingKeys
}

// newKeyCodec returns the fixed form for columns of one word each, none of which
// may hold a null, and the varying form for all others.
func newKeyCodec(types []columnar.Type, nullable bool) keyCodec {
	oneWord := !nullable
	for _, t := range types {
		switch t {
		case columnar.Int, columnar.Decimal, columnar.Float, columnar.Bool:
		default:
			oneWord = false
		}
	}
	if oneWord {
		return keyCodec{fixed: &fixedKeys{cols: types}}
	}
	return keyCodec{varying: &varyingKeys{cols: types}}
}

// words returns the words of a record that hold the key.
func (k keyCodec) words() int {
	if k.fixed != nil {
		return len(k.fixed.cols)
	}
	return arenaWords
}

// encode prepares the keys of a batch for lookup, and returns the bytes they
// would take in an arena.
func (k keyCodec) encode(keys []*columnar.Vector, rows int) int64 {
	if k.fixed != nil {
		k.fixed.encode(keys, rows)
		return 0
	}
	k.varying.encode(keys, rows)
	return int64(len(k.varying.data))
}

// decode appends the key of a record to columns.
func (k keyCodec) decode(t *table, rec []uint64, out []*columnar.Vector) {
	if k.fixed != nil {
		for c, v := range out {
			appendWord(v, rec[c])
		}
		return
	}
	k.varying.decode(t.arena.bytes(rec), out)
}

// fixedKeys holds keys row by row, a word for each column.
type fixedKeys struct {
	cols []columnar.Type
	rows []uint64
}

func (k *fixedKeys) encode(keys []*columnar.Vector, rows int) {
	w := len(k.cols)
	k.rows = slices.Grow(k.rows[:0], rows*w)[:rows*w]
	for c, v := range keys {
		switch v.Type {
		case columnar.Int, columnar.Decimal:
			for i, n := range v.Ints[:rows] {
				k.rows[i*w+c] = uint64(n)
			}
		default:
			for i := range rows {
				k.rows[i*w+c] = wordOf(v, i)
			}
		}
	}
}

// wordOf returns a value of a one-word type; the two zeros of Float are one.
func wordOf(v *columnar.Vector, i int) uint64 {
	switch v.Type {
	case columnar.Float:
		return math.Float64bits(v.Floats[i] + 0)
	case columnar.Bool:
		if v.Bools[i] {
			return 1
		}
		return 0
	}
	return uint64(v.Ints[i])
}

func appendWord(v *columnar.Vector, w uint64) {
	switch v.Type {
	case columnar.Float:
		v.AppendFloat(math.Float64frombits(w))
	case columnar.Bool:
		v.AppendBool(w == 1)
	default:
		v.AppendInt(int64(w))
	}
}

// varyingKeys holds keys as bytes: for each column 0 for a null, or 1 and the
// value: eight bytes of a number, sixteen of a Wide, a length and the bytes of a
// text, a count and the items of a list.
type varyingKeys struct {
	cols []columnar.Type
	data []byte
	ends []int
}

func (k *varyingKeys) row(i int) []byte {
	if i == 0 {
		return k.data[:k.ends[0]]
	}
	return k.data[k.ends[i-1]:k.ends[i]]
}

func (k *varyingKeys) encode(keys []*columnar.Vector, rows int) {
	k.data, k.ends = k.data[:0], slices.Grow(k.ends[:0], rows)[:rows]
	for i := range rows {
		for _, v := range keys {
			k.data = appendKey(k.data, v, i)
		}
		k.ends[i] = len(k.data)
	}
}

func appendKey(dst []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	switch v.Type {
	case columnar.Text, columnar.FloatSum:
		b := v.Bytes(i)
		return append(binary.LittleEndian.AppendUint32(dst, uint32(len(b))), b...)
	case columnar.Wide:
		dst = binary.LittleEndian.AppendUint64(dst, v.Wides[i].LowBits())
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Wides[i].HighBits()))
	case columnar.TextList, columnar.IntList:
		lo, hi := int(v.Offsets[i]), int(v.Offsets[i+1])
		dst = binary.LittleEndian.AppendUint32(dst, uint32(hi-lo))
		for j := lo; j < hi; j++ {
			dst = appendKey(dst, v.Child, j)
		}
		return dst
	}
	return binary.LittleEndian.AppendUint64(dst, wordOf(v, i))
}

func (k *varyingKeys) decode(key []byte, out []*columnar.Vector) {
	for _, v := range out {
		key = decodeKey(key, v)
	}
}

// decodeKey appends the first value of an encoded key and returns the rest.
func decodeKey(key []byte, v *columnar.Vector) []byte {
	null := key[0] == 0
	key = key[1:]
	if null {
		v.AppendNull()
		return key
	}
	switch v.Type {
	case columnar.Text, columnar.FloatSum:
		n := binary.LittleEndian.Uint32(key)
		v.AppendBytes(key[4 : 4+n])
		return key[4+n:]
	case columnar.Wide:
		v.AppendWide(decimal128.New(int64(binary.LittleEndian.Uint64(key[8:])), binary.LittleEndian.Uint64(key)))
		return key[16:]
	case columnar.TextList, columnar.IntList:
		n := binary.LittleEndian.Uint32(key)
		key = key[4:]
		for range n {
			key = decodeKey(key, v.Child)
		}
		v.EndList()
		return key
	}
	appendWord(v, binary.LittleEndian.Uint64(key))
	return key[8:]
}
