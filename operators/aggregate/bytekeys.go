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
// A short key, one byte less than width words at most, lies in the record, so that comparing it
// touches no other memory: its bytes, zeros, and shortMark and the length in the uppermost byte. A
// longer key lies in the arena; the record begins with the reference and ends with the length. The
// first keys decide on the width.
type byteKeys struct {
	arena   arena[byte]
	width   int    // of a record's key
	decided bool   // on the width
	own     []byte // memory for data
	ownEnds []int32

	data   []byte   // the batch's keys: row i's is data[ends[i]:ends[i+1]]
	ends   []int32  // borrowed, or ownEnds
	rows   []uint64 // width words for each row: those of its record if the key is short
	hashes []uint64
	types  []columnar.Type
	kinds  []columnar.Kind
	key    [8 * mostWidth]byte // a short one

	touched uint64 // means nothing
}

const (
	leastWidth = 2
	mostWidth  = 8
	shortMark  = 1 << 63
	shortShift = 56
)

func newByteKeys(types []columnar.Type, mem *memory) *byteKeys {
	k := &byteKeys{arena: arena[byte]{mem: mem}, width: leastWidth, types: types}
	for _, t := range types {
		k.kinds = append(k.kinds, t.Kind())
	}
	return k
}

func (k *byteKeys) words() int { return k.width }

func (k *byteKeys) row(i int) []byte { return k.data[k.ends[i]:k.ends[i+1]] }

func (k *byteKeys) encode(cols []*columnar.Vector, rows int) []uint64 {
	room := len(k.key) // so that whole words can be read beyond the last key
	for _, v := range cols {
		room += mostKeyBytes(v, 0, rows)
	}
	k.own, k.ownEnds = slices.Grow(k.own[:0], room)[:room], slices.Grow(k.ownEnds[:0], rows+1)[:rows+1]
	k.data, k.ends = k.own, k.ownEnds
	at := 0
	if len(cols) == 1 && k.kinds[0] == columnar.KindBytes {
		at = k.encodeTexts(cols[0], rows)
	} else {
		for i := range rows {
			k.ends[i] = int32(at)
			for c, v := range cols {
				at = putKey(k.data, at, v, k.kinds[c], i)
			}
		}
	}
	k.ends[rows] = int32(at)
	return k.hash(rows)
}

// encodeTexts encodes keys that are the texts of one column, without the last end.
func (k *byteKeys) encodeTexts(v *columnar.Vector, rows int) (end int) {
	dst, at, begin := k.data, 0, int(v.Offsets[0])
	for i, offset := range v.Offsets[1 : rows+1] {
		k.ends[i] = int32(at)
		if v.Valid != nil && !v.Valid[i] {
			dst[at] = 0
			at++
		} else {
			at = putText(dst, at, v.Data, begin, int(offset))
		}
		begin = int(offset)
	}
	return at
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
		out.Lend(k.bytes(r.pages.rest(ref, 0)))
	}
}

// bytes returns the key of a record. It is valid until the next call.
func (k *byteKeys) bytes(rec []uint64) []byte {
	last := rec[k.width-1]
	if last&shortMark == 0 {
		return k.arena.run(rec[0], last)
	}
	for i, word := range rec[:k.width] {
		binary.LittleEndian.PutUint64(k.key[8*i:], word)
	}
	return k.key[:k.size(rec)]
}

// decide makes records as wide as most keys of the batch need, if few need more than they can be.
func (k *byteKeys) decide(rows int) {
	const most = 8 // one in so many keys may need more
	var wanted [mostWidth + 2]int
	for i, end := range k.ends[1 : rows+1] {
		wanted[min((end-k.ends[i])/8+1, mostWidth+1)]++
	}
	width, longer := mostWidth, wanted[mostWidth+1]
	if k.width, k.decided = leastWidth, rows > 0; longer > rows/most {
		return
	}
	for ; width > leastWidth && longer+wanted[width] <= rows/most; width-- {
		longer += wanted[width]
	}
	k.width = width
}

// hash computes the words of short keys, and the hashes of all keys. A hash depends on the bytes of a key alone.
func (k *byteKeys) hash(rows int) []uint64 {
	if !k.decided {
		k.decide(rows)
	}
	k.hashes = slices.Grow(k.hashes[:0], rows)[:rows]
	k.rows = slices.Grow(k.rows[:0], k.width*rows)[:k.width*rows]
	start, most := int(k.ends[0]), 8*k.width-1
	for i, end := range k.ends[1:] {
		n, key := int(end)-start, k.data[start:]
		words := k.rows[k.width*i:][:k.width]
		switch {
		case n > len(k.key):
			clear(words) // no key has these
			k.hashes[i] = xxhash.Sum64(key[:n])
		default:
			if len(key) < len(k.key) {
				copy(k.key[:], key)
				key = k.key[:]
			}
			if n <= most {
				k.hashes[i] = shortWords(words, (*[8 * mostWidth]byte)(key), n)
			} else {
				var all [mostWidth]uint64
				k.hashes[i] = shortWords(all[:], (*[8 * mostWidth]byte)(key), n)
				clear(words)
			}
		}
		start = int(end)
	}
	return k.hashes
}

// shortWords fills the words of a key of n bytes, which other keys follow in memory, and returns its hash: the sum of the
// products of pairs of words, folded, less what pairs of zeros have.
func shortWords(words []uint64, key *[8 * mostWidth]byte, n int) (hash uint64) {
	own := (*[8 * mostWidth]byte)(firstBytes[len(key)-n:])
	for i := 0; i < len(words); i += 2 {
		first := binary.LittleEndian.Uint64(key[8*i:]) & binary.LittleEndian.Uint64(own[8*i:])
		words[i] = first
		second := uint64(0)
		if i+1 < len(words) {
			second = binary.LittleEndian.Uint64(key[8*i+8:]) & binary.LittleEndian.Uint64(own[8*i+8:])
			words[i+1] = second
		}
		hash += bits.RotateLeft64(folded(first, second)-foldedZeros, i)
	}
	words[len(words)-1] |= shortMark | uint64(n)<<shortShift
	return hash
}

// firstBytes has, from the place that is n before its middle, n bytes of ones and then zeros. It is read only.
var firstBytes = func() (all [16 * mostWidth]byte) {
	for i := range len(all) / 2 {
		all[i] = 0xff
	}
	return all
}()

// Two constants of wyhash, and what folded makes of zeros.
const (
	firstMix    = 0xa0761d6478bd642f
	secondMix   = 0xe7037ed1a0b428db
	foldedZeros = firstMix*secondMix>>64 ^ firstMix*secondMix&(1<<64-1)
)

// folded mixes two words as wyhash does.
func folded(first, second uint64) uint64 {
	high, low := bits.Mul64(first^firstMix, second^secondMix)
	return high ^ low
}

// touch loads the beginnings of the long keys of records, so that they are in the cache when they are compared.
func (k *byteKeys) touch(t *table, refs []uint32) {
	for _, ref := range refs {
		if ref == nowhere {
			continue
		}
		if rec := t.pages.rest(ref, 0); rec[k.width-1]&shortMark == 0 {
			k.touched += uint64(k.arena.from(rec[0])[0])
		}
	}
}

func (k *byteKeys) same(rec []uint64, row int) bool {
	return k.sameWords(rec, row) || k.sameLong(rec, row)
}

// sameLong reports whether the key of a record is a long one, and that of a row.
func (k *byteKeys) sameLong(rec []uint64, row int) bool {
	key, last := k.row(row), rec[k.width-1]
	return uint64(len(key)) == last && bytes.Equal(k.arena.run(rec[0], last), key)
}

// sameWords reports whether a record has the words of a row.
func (k *byteKeys) sameWords(rec []uint64, row int) bool {
	words := k.rows[k.width*row:][:k.width]
	differ := uint64(0)
	for i, word := range rec[:len(words)] {
		differ |= word ^ words[i]
	}
	return differ == 0
}

func (k *byteKeys) put(rec []uint64, row int) {
	words := k.rows[k.width*row:][:k.width]
	if copy(rec, words); words[k.width-1] != 0 {
		return
	}
	key := k.row(row)
	ref, kept := k.arena.alloc(len(key))
	copy(kept, key)
	rec[0], rec[k.width-1] = ref, uint64(len(key))
}

func (k *byteKeys) decode(r records, out []*columnar.Vector) {
	for _, ref := range r.refs {
		key := k.bytes(r.pages.rest(ref, 0))
		for c, v := range out {
			if v == nil {
				key = skipKey(key, k.types[c])
			} else {
				key = decodeKey(key, v)
			}
		}
	}
}

func (k *byteKeys) size(rec []uint64) int {
	last := rec[k.width-1]
	if last&shortMark != 0 {
		return int(last &^ shortMark >> shortShift)
	}
	return int(last)
}

func (k *byteKeys) reset() { k.arena.reset() }

func (k *byteKeys) free() {
	k.arena.free()
	k.decided = false
}

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
		return putText(dst, at, v.Data, int(v.Offsets[i]), int(v.Offsets[i+1]))
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

// putText writes the text from position lo of data up to hi, as putKey does.
func putText(dst []byte, at int, data []byte, lo, hi int) int {
	n := hi - lo
	if n <= textWord && lo+textWord <= len(data) && at+1+textWord <= len(dst) {
		dst[at] = byte(n + 1)
		*(*[textWord]byte)(dst[at+1:]) = *(*[textWord]byte)(data[lo:]) // quicker than to copy n bytes
		return at + 1 + n
	}
	at += putCount(dst[at:], n)
	return at + copy(dst[at:], data[lo:hi])
}

// textWord is how many bytes putText writes at once.
const textWord = 16

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
		v.Lend(key[header:end])
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
