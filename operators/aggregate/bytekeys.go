package aggregate

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
)

// byteKeys are keys encoded as bytes, column by column. A null is 0. A word is its length in
// bytes without trailing zeros, plus one, and then these bytes (see packed). A Wide is 1 and
// sixteen bytes. A text is its length plus one and its bytes; a list likewise with its items.
//
// A key of at most shortKey bytes lies in the record, so that comparing it touches no other
// memory: its bytes, with shortMark and the length in the uppermost byte. A longer key lies in
// the arena; the record holds the reference and the length.
type byteKeys struct {
	arena   arena[byte]
	own     []byte // memory for data
	ownEnds []int32

	data   []byte   // the batch's keys: row i's is data[ends[i]:ends[i+1]]
	ends   []int32  // borrowed, or ownEnds
	rows   []uint64 // two words for each row: those of its record if the key is short
	hashes []uint64
	types  []columnar.Type
	kinds  []columnar.Kind
	key    [8 * byteKeyWords]byte // a short one

	touched byte // means nothing
}

const (
	byteKeyWords = 2
	shortKey     = 8*byteKeyWords - 1
	shortMark    = 1 << 63
	shortShift   = 56
	inlineKey    = 64 // the longest key that is compared without a call
)

func newByteKeys(types []columnar.Type, mem *memory) *byteKeys {
	k := &byteKeys{arena: arena[byte]{mem: mem}, types: types}
	for _, t := range types {
		k.kinds = append(k.kinds, t.Kind())
	}
	return k
}

func (*byteKeys) words() int { return byteKeyWords }

func (k *byteKeys) row(i int) []byte { return k.data[k.ends[i]:k.ends[i+1]] }

func (k *byteKeys) encode(cols []*columnar.Vector, rows int) []uint64 {
	room := len(k.key) // so that whole words can be read beyond the last key
	for _, v := range cols {
		room += mostKeyBytes(v, 0, rows)
	}
	k.own, k.ownEnds = slices.Grow(k.own[:0], room)[:room], slices.Grow(k.ownEnds[:0], rows+1)[:rows+1]
	k.data, k.ends = k.own, k.ownEnds
	at := 0
	for i := range rows {
		k.ends[i] = int32(at)
		for c, v := range cols {
			at = putKey(k.data, at, v, k.kinds[c], i)
		}
	}
	k.ends[rows] = int32(at)
	return k.hash(rows)
}

// encodeStored is encode for keys that are encoded already, in a column that stored returned.
func (k *byteKeys) encodeStored(v *columnar.Vector) []uint64 {
	k.data, k.ends = v.Data[:cap(v.Data)], v.Offsets
	return k.hash(v.Len)
}

// stored returns the keys of the batch as one column, which borrows them.
func (k *byteKeys) stored() columnar.Vector {
	rows := len(k.ends) - 1
	return columnar.Vector{Type: columnar.Bytes, Len: rows, Data: k.data[:k.ends[rows]], Offsets: k.ends}
}

// appendStored appends the keys of records to a column like that of stored.
func (k *byteKeys) appendStored(r records, out *columnar.Vector) {
	for _, ref := range r.refs {
		out.AppendBytes(k.bytes(r.pages.pair(ref, 0)))
	}
}

// bytes returns the key of a record. It is valid until the next call.
func (k *byteKeys) bytes(rec *[byteKeyWords]uint64) []byte {
	if rec[1]&shortMark == 0 {
		return k.arena.run(rec[0], rec[1])
	}
	binary.LittleEndian.PutUint64(k.key[:], rec[0])
	binary.LittleEndian.PutUint64(k.key[8:], rec[1])
	return k.key[:k.size(rec[:])]
}

// hash computes the words of short keys, and the hashes of all keys.
func (k *byteKeys) hash(rows int) []uint64 {
	k.hashes = slices.Grow(k.hashes[:0], rows)[:rows]
	k.rows = slices.Grow(k.rows[:0], byteKeyWords*rows)[:byteKeyWords*rows]
	start := int(k.ends[0])
	for i, end := range k.ends[1:] {
		words := k.rows[byteKeyWords*i:][:byteKeyWords]
		if n := int(end) - start; n <= shortKey {
			key := k.data[start:]
			if len(key) < len(k.key) {
				copy(k.key[:], key)
				key = k.key[:]
			}
			words[0], words[1] = shortWords(key[:len(k.key)], n)
			k.hashes[i] = hashPair(words[0], words[1])
		} else {
			words[0], words[1] = 0, 0 // no key has these
			k.hashes[i] = xxhash.Sum64(k.data[start:end])
		}
		start = int(end)
	}
	return k.hashes
}

// shortWords returns the words of a key of n bytes. Other keys follow it in memory.
func shortWords(key []byte, n int) (first, second uint64) {
	first, second = binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])
	if n < 8 {
		first, second = first&(1<<(8*n)-1), 0
	}
	second &= 1<<(8*max(n-8, 0)) - 1
	return first, second | shortMark | uint64(n)<<shortShift
}

func (k *byteKeys) same(rec []uint64, row int) bool {
	return k.equal((*[byteKeyWords]uint64)(rec), row)
}

// touch loads the beginnings of the long keys of records, so that they are in the cache when they are compared.
func (k *byteKeys) touch(recs [][byteKeyWords]uint64) {
	for _, rec := range recs {
		if rec[1]&shortMark == 0 && rec[1] != 0 {
			k.touched ^= k.arena.slabs[rec[0]>>32][uint32(rec[0])]
		}
	}
}

// equal reports whether the key of a record equals that of a row.
func (k *byteKeys) equal(rec *[byteKeyWords]uint64, row int) bool {
	if rec[1]&shortMark != 0 {
		return rec[0] == k.rows[byteKeyWords*row] && rec[1] == k.rows[byteKeyWords*row+1]
	}
	key := k.row(row)
	if uint64(len(key)) != rec[1] {
		return false
	}
	kept := k.arena.run(rec[0], rec[1])
	if n := len(key); n > shortKey && n <= inlineKey {
		for i := 0; i < n-8; i += 8 {
			if binary.LittleEndian.Uint64(key[i:]) != binary.LittleEndian.Uint64(kept[i:]) {
				return false
			}
		}
		return binary.LittleEndian.Uint64(key[n-8:]) == binary.LittleEndian.Uint64(kept[n-8:])
	}
	return bytes.Equal(kept, key)
}

func (k *byteKeys) put(rec []uint64, row int) {
	if words := k.rows[byteKeyWords*row:]; words[1] != 0 {
		rec[0], rec[1] = words[0], words[1]
		return
	}
	key := k.row(row)
	ref, kept := k.arena.alloc(len(key))
	copy(kept, key)
	rec[0], rec[1] = ref, uint64(len(key))
}

func (k *byteKeys) decode(r records, out []*columnar.Vector) {
	for _, ref := range r.refs {
		key := k.bytes(r.pages.pair(ref, 0))
		for c, v := range out {
			if v == nil {
				key = skipKey(key, k.types[c])
			} else {
				key = decodeKey(key, v)
			}
		}
	}
}

func (*byteKeys) size(rec []uint64) int {
	if rec[1]&shortMark != 0 {
		return int(rec[1] &^ shortMark >> shortShift)
	}
	return int(rec[1])
}

func (k *byteKeys) reset() { k.arena.reset() }
func (k *byteKeys) free()  { k.arena.free() }

// mostKeyBytes returns the most bytes that values lo to hi take in keys.
func mostKeyBytes(v *columnar.Vector, lo, hi int) int {
	const most = 1 + 8
	switch n := hi - lo; v.Type.Kind() {
	case columnar.KindInt128:
		return n * (1 + 16)
	case columnar.KindBytes:
		return n*most + int(v.Offsets[hi]-v.Offsets[lo])
	case columnar.KindList:
		return n*most + mostKeyBytes(v.Child, int(v.Offsets[lo]), int(v.Offsets[hi]))
	default:
		return n * most
	}
}

// putKey writes a value at a position of dst, where there must be room for it, and returns the
// position after it. It may overwrite bytes beyond that.
func putKey(dst []byte, at int, v *columnar.Vector, kind columnar.Kind, i int) int {
	if v.Valid != nil && !v.Valid[i] {
		dst[at] = 0
		return at + 1
	}
	switch kind {
	case columnar.KindInt64:
		return putPacked(dst, at, packed(kind, uint64(v.Ints[i])))
	case columnar.KindBytes:
		text := v.Data[v.Offsets[i]:v.Offsets[i+1]]
		at += putCount(dst[at:], len(text))
		return at + copy(dst[at:], text)
	case columnar.KindInt128:
		dst[at] = 1
		binary.LittleEndian.PutUint64(dst[at+1:], v.Wides[i].LowBits())
		binary.LittleEndian.PutUint64(dst[at+9:], uint64(v.Wides[i].HighBits()))
		return at + 17
	case columnar.KindList:
		lo, hi := int(v.Offsets[i]), int(v.Offsets[i+1])
		at += putCount(dst[at:], hi-lo)
		for j := lo; j < hi; j++ {
			at = putKey(dst, at, v.Child, v.Child.Type.Kind(), j)
		}
		return at
	default:
		return putPacked(dst, at, packed(kind, wordOf(v, i)))
	}
}

func putCount(dst []byte, n int) int {
	if n < 0x7f {
		dst[0] = byte(n + 1)
		return 1
	}
	return binary.PutUvarint(dst, uint64(n)+1)
}

// packed transforms the word of a common value, an integer that is not large or a float with
// few digits, so that its upper bytes are zero. unpacked is the inverse.
func packed(kind columnar.Kind, w uint64) uint64 {
	switch kind {
	case columnar.KindInt64:
		return w<<1 ^ uint64(int64(w)>>63)
	case columnar.KindFloat64:
		return bits.ReverseBytes64(w)
	default:
		return w
	}
}

func unpacked(kind columnar.Kind, w uint64) uint64 {
	switch kind {
	case columnar.KindInt64:
		return w>>1 ^ -(w & 1)
	case columnar.KindFloat64:
		return bits.ReverseBytes64(w)
	default:
		return w
	}
}

func putPacked(dst []byte, at int, w uint64) int {
	n := (bits.Len64(w) + 7) / 8
	dst[at] = byte(1 + n)
	binary.LittleEndian.PutUint64(dst[at+1:], w)
	return at + 1 + n
}

// takePacked returns the word that a key begins with, and the rest.
func takePacked(key []byte) (w uint64, rest []byte) {
	n := int(key[0]) - 1
	if len(key) > 8 {
		return binary.LittleEndian.Uint64(key[1:]) & (1<<(8*n) - 1), key[1+n:]
	}
	for i := n; i > 0; i-- {
		w = w<<8 | uint64(key[i])
	}
	return w, key[1+n:]
}

// skipKey returns the rest of an encoded key after its first value.
func skipKey(key []byte, t columnar.Type) []byte {
	if key[0] == 0 {
		return key[1:]
	}
	switch t.Kind() {
	case columnar.KindBytes:
		n, header := binary.Uvarint(key)
		return key[uint64(header)+n-1:]
	case columnar.KindInt128:
		return key[17:]
	case columnar.KindList:
		n, header := binary.Uvarint(key)
		key = key[header:]
		for range n - 1 {
			key = skipKey(key, t.Item())
		}
		return key
	default:
		return key[key[0]:]
	}
}

// decodeKey appends the first value of an encoded key and returns the rest.
func decodeKey(key []byte, v *columnar.Vector) []byte {
	if key[0] == 0 {
		v.AppendNull()
		return key[1:]
	}
	switch kind := v.Type.Kind(); kind {
	case columnar.KindBytes:
		n, header := binary.Uvarint(key)
		end := uint64(header) + n - 1
		v.AppendBytes(key[header:end])
		return key[end:]
	case columnar.KindInt128:
		key = key[1:]
		v.AppendWide(decimal128.New(int64(binary.LittleEndian.Uint64(key[8:])), binary.LittleEndian.Uint64(key)))
		return key[16:]
	case columnar.KindList:
		n, header := binary.Uvarint(key)
		key = key[header:]
		for range n - 1 {
			key = decodeKey(key, v.Child)
		}
		v.EndList()
		return key
	default:
		w, rest := takePacked(key)
		appendWord(v, unpacked(kind, w))
		return rest
	}
}
