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
	end     uint64 // delimiter or line end
	newline uint64 // line end: LF, or CR without LF after it
	inside  uint64 // an odd number of quotes stands before the next byte
}

// summary is what is known of the bytes of a block after some of its words. The
// assembly knows its layout.
//
// A quote is irregular if it opens a field, going by the number of quotes before
// it, without standing at a field's beginning. Which quotes open is taken both
// ways: index 0 if the block begins outside quotes, 1 if inside. The first quote
// in a file that the number of quotes misjudges is irregular: the number goes
// wrong only behind a quote that is an ordinary byte, and the first of those in
// its field stands behind an ordinary byte.
type summary struct {
	inside    uint64    // all bits set if the number of quotes is odd
	before    uint64    // 1 if a quote may open a field next
	irregular [2]uint64 // not 0 if a quote stands irregularly
	newlines  int64
	cr        uint64 // not 0 if there is a CR
	delimiter uint64 // the byte that ends a field; it is given, not found
}

// newSummary is what is known before the first word.
func (o *Options) newSummary() summary { return summary{before: 1, delimiter: uint64(o.delimiter)} }

// classifier describes the first 64*len(dst) bytes of src and adds them to a
// summary. Whether a CR at the end of a word has an LF after it is seen in the
// byte that follows, so src has at least one byte more.
type classifier func(dst []word, src []byte, s *summary)

// classified describes data in dst, of which the words there are already done,
// and adds it to s. There are 64 bytes and one readable behind data, which are no
// part of it, and no line end.
func classified(dst []word, data []byte, classify classifier, s *summary) []word {
	dst = classifyUpTo(dst, len(data)/wordBytes, data, classify, s)
	full, rest := len(dst), len(data)%wordBytes
	if rest == 0 {
		return dst
	}
	w, cr := describe(data[full*wordBytes:][:wordBytes+1], s.delimiter)
	s.add(&w, cr)
	return append(dst, w)
}

// classifyUpTo makes dst n words long. There is one byte more readable.
func classifyUpTo(dst []word, n int, data []byte, classify classifier, s *summary) []word {
	done := len(dst)
	if n <= done {
		return dst
	}
	dst = slices.Grow(dst, n-done)[:n]
	classify(dst[done:], data[done*wordBytes:n*wordBytes+1], s)
	return dst
}

// classifyPortable is the classifier without processor-specific code.
func classifyPortable(dst []word, src []byte, s *summary) {
	for i := range dst {
		w, cr := describe(src[i*wordBytes:][:wordBytes+1], s.delimiter)
		dst[i] = w
		s.add(&dst[i], cr)
	}
}

// add takes a word into the summary and completes it.
func (s *summary) add(w *word, cr uint64) {
	w.inside = prefixXor(w.quote) ^ s.inside
	s.inside = uint64(int64(w.inside) >> 63)
	mayOpen := w.quote | w.end
	misplaced := w.quote &^ (mayOpen<<1 | s.before)
	s.irregular[0] |= misplaced & w.inside
	s.irregular[1] |= misplaced &^ w.inside
	s.before = mayOpen >> 63
	s.newlines += int64(bits.OnesCount64(w.newline))
	s.cr |= cr
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080

	quotes  = '"' * lowBits
	lfs     = '\n' * lowBits
	crs     = '\r' * lowBits
	gather8 = 0x0102040810204080 // moves bit 0 of each byte into the top byte
)

// describe makes the word of the first 64 bytes of p but for inside, and says
// where the CRs are. The last of the 65 bytes is only looked at.
func describe(p []byte, delimiter uint64) (w word, cr uint64) {
	var lf uint64
	delimiters := delimiter * lowBits
	p = p[:wordBytes+1]
	for j := 0; j < wordBytes; j += 8 {
		v := binary.LittleEndian.Uint64(p[j:])
		w.quote |= equal(v, quotes) << j
		w.end |= equal(v, delimiters) << j
		lf |= equal(v, lfs) << j
		cr |= equal(v, crs) << j
	}
	lfAfter := lf >> 1
	if p[wordBytes] == '\n' {
		lfAfter |= 1 << 63
	}
	w.newline = lf | cr&^lfAfter
	w.end |= w.newline
	return w, cr
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

// kernels are the inner loops, in the form that suits the processor.
type kernels struct {
	classify classifier
	extract  extractor
}

var portableKernels = kernels{classify: classifyPortable, extract: extractPortable}
