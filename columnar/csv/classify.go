package csv

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// wordBytes is how many bytes a word describes.
const wordBytes = 64

// word describes 64 bytes, bit i the i-th of them. The assembly knows its
// layout.
type word struct {
	quote   uint64
	comma   uint64
	newline uint64 // LF, or CR without LF after it: once for each line end
	cr      uint64 // CR
}

// classifier describes the first 64*len(dst) bytes of src. Whether a CR at the
// end of a word has an LF after it is seen in the byte that follows, so src has
// at least one byte more.
type classifier func(dst []word, src []byte)

// classified describes data in dst, which is made long enough. There are 64
// bytes and one readable behind data, which are no part of it.
func classified(dst []word, data []byte, classify classifier) []word {
	n := (len(data) + wordBytes - 1) / wordBytes
	dst = slices.Grow(dst[:0], n)[:n]
	classify(dst, data[:n*wordBytes+1])
	return dst
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080

	quotes  = '"' * lowBits
	commas  = ',' * lowBits
	lfs     = '\n' * lowBits
	crs     = '\r' * lowBits
	gather8 = 0x0102040810204080 // moves bit 0 of each byte into the top byte
)

// classifyPortable is the classifier without processor-specific code.
func classifyPortable(dst []word, src []byte) {
	for i := range dst {
		p := src[i*wordBytes:][:wordBytes+1]
		var w word
		var lf uint64
		for j := 0; j < wordBytes; j += 8 {
			v := binary.LittleEndian.Uint64(p[j:])
			w.quote |= equal(v, quotes) << j
			w.comma |= equal(v, commas) << j
			lf |= equal(v, lfs) << j
			w.cr |= equal(v, crs) << j
		}
		lfAfter := lf >> 1
		if p[wordBytes] == '\n' {
			lfAfter |= 1 << 63
		}
		w.newline = lf | w.cr&^lfAfter
		dst[i] = w
	}
}

// equal returns a bit for each byte of v that equals the byte of pattern, the
// first byte lowest. A byte of x is zero exactly when adding 0x7f to its low
// seven bits does not carry into a high bit that was clear.
func equal(v, pattern uint64) uint64 {
	x := v ^ pattern
	zero := ^((x&^highBits + ^uint64(highBits)) | x) & highBits
	return (zero >> 7) * gather8 >> 56
}

// prefixXor returns, for each bit, the parity of the bits up to and including it.
func prefixXor(x uint64) uint64 {
	x ^= x << 1
	x ^= x << 2
	x ^= x << 4
	x ^= x << 8
	x ^= x << 16
	x ^= x << 32
	return x
}

func countNewlines(words []word) int64 {
	n := 0
	for i := range words {
		n += bits.OnesCount64(words[i].newline)
	}
	return int64(n)
}
