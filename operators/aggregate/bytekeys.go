package aggregate

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
)

// byteKeys are keys as bytes in an arena; a record holds the reference and the
// length. For each column there is 0 for a null, or 1 and the value: eight bytes
// of a number, sixteen of a Wide, a length and the bytes of a text, a count and
// the items of a list.
type byteKeys struct {
	arena  arena[byte]
	data   []byte // the batch's keys
	ends   []int
	hashes []uint64
}

func (*byteKeys) words() int { return 2 }

func (k *byteKeys) row(i int) []byte {
	if i == 0 {
		return k.data[:k.ends[0]]
	}
	return k.data[k.ends[i-1]:k.ends[i]]
}

func (k *byteKeys) encode(cols []*columnar.Vector, rows int) []uint64 {
	k.data, k.ends = k.data[:0], slices.Grow(k.ends[:0], rows)[:rows]
	k.hashes = slices.Grow(k.hashes[:0], rows)[:rows]
	for i := range rows {
		start := len(k.data)
		for _, v := range cols {
			k.data = appendKey(k.data, v, i)
		}
		k.ends[i] = len(k.data)
		k.hashes[i] = xxhash.Sum64(k.data[start:])
	}
	return k.hashes
}

func (k *byteKeys) same(rec []uint64, row int) bool {
	return bytes.Equal(k.key(rec), k.row(row))
}

func (k *byteKeys) put(rec []uint64, row int) {
	key := k.row(row)
	ref, kept := k.arena.alloc(len(key))
	copy(kept, key)
	rec[0], rec[1] = ref, uint64(len(key))
}

// key returns the key of a record.
func (k *byteKeys) key(rec []uint64) []byte { return k.arena.run(rec[0], rec[1]) }

func (k *byteKeys) decode(r records, out []*columnar.Vector) {
	for _, ref := range r.refs {
		rec := r.pages.rest(ref, 0)
		key := k.key(rec)
		for _, v := range out {
			key = decodeKey(key, v)
		}
	}
}

func (*byteKeys) size(rec []uint64) int { return int(rec[1]) }
func (k *byteKeys) reset()              { k.arena.reset() }
func (k *byteKeys) free()               { k.arena.free() }

func appendKey(dst []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	switch v.Type.Kind() {
	case columnar.KindBytes:
		b := v.Bytes(i)
		return append(binary.LittleEndian.AppendUint32(dst, uint32(len(b))), b...)
	case columnar.KindInt128:
		dst = binary.LittleEndian.AppendUint64(dst, v.Wides[i].LowBits())
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Wides[i].HighBits()))
	case columnar.KindList:
		lo, hi := int(v.Offsets[i]), int(v.Offsets[i+1])
		dst = binary.LittleEndian.AppendUint32(dst, uint32(hi-lo))
		for j := lo; j < hi; j++ {
			dst = appendKey(dst, v.Child, j)
		}
		return dst
	}
	return binary.LittleEndian.AppendUint64(dst, wordOf(v, i))
}

// decodeKey appends the first value of an encoded key and returns the rest.
func decodeKey(key []byte, v *columnar.Vector) []byte {
	null := key[0] == 0
	key = key[1:]
	if null {
		v.AppendNull()
		return key
	}
	switch v.Type.Kind() {
	case columnar.KindBytes:
		n := binary.LittleEndian.Uint32(key)
		v.AppendBytes(key[4 : 4+n])
		return key[4+n:]
	case columnar.KindInt128:
		v.AppendWide(decimal128.New(int64(binary.LittleEndian.Uint64(key[8:])), binary.LittleEndian.Uint64(key)))
		return key[16:]
	case columnar.KindList:
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
