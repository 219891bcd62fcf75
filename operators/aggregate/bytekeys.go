package aggregate

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
)

// byteKeys are keys as bytes. For each column there is 0 for a null, or 1 and the value:
// eight bytes of a number, sixteen of a Wide, a count and the items of a list; a text is
// its length plus one and its bytes. A key of at most shortKey bytes lies in the record, so
// that no more memory is looked at to compare it: the bytes, and in the uppermost of them
// shortMark and the length. A longer one lies in the arena; the record holds the reference
// and the length.
type byteKeys struct {
	arena  arena[byte]
	data   []byte // the batch's keys
	ends   []int
	rows   []uint64 // two words for each, those of a record if the key is short
	hashes []uint64
	key    [8 * byteKeyWords]byte // a short one
}

const (
	byteKeyWords = 2
	shortKey     = 8*byteKeyWords - 1
	shortMark    = 1 << 63
	shortShift   = 56
)

func (*byteKeys) words() int { return byteKeyWords }

func (k *byteKeys) row(i int) []byte {
	if i == 0 {
		return k.data[:k.ends[0]]
	}
	return k.data[k.ends[i-1]:k.ends[i]]
}

func (k *byteKeys) encode(cols []*columnar.Vector, rows int) []uint64 {
	k.data, k.ends = k.data[:0], slices.Grow(k.ends[:0], rows)[:rows]
	for i := range rows {
		for _, v := range cols {
			k.data = appendKey(k.data, v, i)
		}
		k.ends[i] = len(k.data)
	}
	k.hashes = slices.Grow(k.hashes[:0], rows)[:rows]
	k.rows = slices.Grow(k.rows[:0], byteKeyWords*rows)[:byteKeyWords*rows]
	k.data = slices.Grow(k.data, len(k.key)) // so that words can be read behind the last key
	start := 0
	for i, end := range k.ends {
		words := k.rows[byteKeyWords*i:][:byteKeyWords]
		if n := end - start; n <= shortKey {
			words[0], words[1] = shortWords(k.data[start:start+len(k.key)], n)
			k.hashes[i] = hashPair(words[0], words[1])
		} else {
			words[0], words[1] = 0, 0 // no key's
			k.hashes[i] = xxhash.Sum64(k.data[start:end])
		}
		start = end
	}
	return k.hashes
}

// shortWords are the words of a key of n bytes, which others follow.
func shortWords(key []byte, n int) (first, second uint64) {
	first, second = binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])
	if n < 8 {
		first, second = first&(1<<(8*n)-1), 0
	}
	second &= 1<<(8*max(n-8, 0)) - 1
	return first, second | shortMark | uint64(n)<<shortShift
}

func (k *byteKeys) same(rec []uint64, row int) bool {
	if rec[1]&shortMark != 0 {
		return rec[0] == k.rows[byteKeyWords*row] && rec[1] == k.rows[byteKeyWords*row+1]
	}
	return bytes.Equal(k.arena.run(rec[0], rec[1]), k.row(row))
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
		rec := r.pages.pair(ref, 0)
		var key []byte
		if rec[1]&shortMark != 0 {
			binary.LittleEndian.PutUint64(k.key[:], rec[0])
			binary.LittleEndian.PutUint64(k.key[8:], rec[1])
			key = k.key[:]
		} else {
			key = k.arena.run(rec[0], rec[1])
		}
		for _, v := range out {
			key = decodeKey(key, v)
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

func appendKey(dst []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 0)
	}
	if v.Type.Kind() == columnar.KindBytes {
		b := v.Bytes(i)
		return append(binary.AppendUvarint(dst, uint64(len(b))+1), b...)
	}
	dst = append(dst, 1)
	switch v.Type.Kind() {
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
	if key[0] == 0 {
		v.AppendNull()
		return key[1:]
	}
	if v.Type.Kind() == columnar.KindBytes {
		n, header := binary.Uvarint(key)
		end := uint64(header) + n - 1
		v.AppendBytes(key[header:end])
		return key[end:]
	}
	key = key[1:]
	switch v.Type.Kind() {
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
