package csv

import (
	"encoding/binary"
	"math/bits"
)

// wordBytes is how many bytes a word describes.
const wordBytes = 64

// word describes 64 bytes: bit i of each mask describes byte i. The assembly depends on
// the layout.
type word struct {
	quote   uint64
	end     uint64 // delimiter or line end
	newline uint64 // line end: LF, or CR without LF after it
	inside  uint64 // an odd number of quotes precedes the next byte
}

// summary describes the bytes of a block, up to the last word added. The assembly
// depends on the layout.
//
// The block begins with a line, so that a quote may open a field at its beginning. A quote is
// irregular if the parity of the quotes before it says that it opens a field, but it is not at the
// beginning of a field. Both cases are tracked: index 0 if the block
// begins outside quotes, 1 if inside. The first quote in a file that parity misjudges is
// irregular: parity goes wrong only after a quote that is an ordinary byte, and the first
// such quote in its field follows an ordinary byte.
type summary struct {
	inside    uint64    // all bits set if the number of quotes is odd
	before    uint64    // 1 if a quote may open a field next
	irregular [2]uint64 // not 0 if a quote is irregular
	newlines  int64
	cr        uint64 // not 0 if there is a CR

	// These are inputs.
	delimiter uint64 // the byte that ends a field
	quote     uint64 // the byte that encloses fields
	quotable  uint64 // all bits set if fields may be quoted
	doubling  uint64 // all bits set if a quote may follow a closing one
}

// classifier describes the first 64*len(dst) bytes of src in dst and adds them to a
// summary. If the last byte is a CR, the byte after it decides whether it begins a CRLF,
// so src must have at least one byte more.
type classifier func(dst []word, src []byte, s *summary)

// classifyPortable is the classifier without processor-specific code.
func classifyPortable(dst []word, src []byte, s *summary) {
	for i := range dst {
		w, cr := describe(src[i*wordBytes:][:wordBytes+1], s)
		dst[i] = w
		s.add(&dst[i], cr)
	}
}

// add adds a word to the summary and sets the word's inside mask.
func (s *summary) add(w *word, cr uint64) {
	s.count(w, cr)
	s.place(w, 0)
}

// count is add without a look at where quotes stand.
func (s *summary) count(w *word, cr uint64) {
	w.inside = prefixXor(w.quote) ^ s.inside
	s.inside = uint64(int64(w.inside) >> 63)
	s.newlines += int64(bits.OnesCount64(w.newline))
	s.cr |= cr
}

// place looks whether the quotes of a word stand where they may: also where spaces before them begin a field. Its
// other masks are set.
func (s *summary) place(w *word, spaced uint64) {
	mayOpen := w.quote&s.doubling | w.end
	misplaced := w.quote &^ (mayOpen<<1 | s.before | spaced)
	s.irregular[0] |= misplaced & w.inside
	s.irregular[1] |= misplaced &^ w.inside
	s.before = mayOpen >> 63
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080

	lfs     = '\n' * lowBits
	crs     = '\r' * lowBits
	gather8 = 0x0102040810204080 // moves bit 0 of each byte into the top byte
)

// describe returns the word of the first 64 bytes of p, except its inside mask, and the
// positions of the CRs. Byte 65 is used only to recognise a CRLF.
func describe(p []byte, s *summary) (w word, cr uint64) {
	var lf uint64
	delimiters, quotes := s.delimiter*lowBits, s.quote*lowBits
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
	w.quote &= s.quotable
	w.newline = lf | cr&^lfAfter
	w.end |= w.newline
	return w, cr
}

// equal returns a bit for each byte of v that equals the byte of pattern; the first byte
// is the lowest bit. A byte of x is zero exactly when its high bit is clear and adding
// 0x7f to its low seven bits does not carry into the high bit.
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
	name     string // the instructions that they are for
	classify classifier
	extract  extractor
}

var portableKernels = kernels{name: "portable", classify: classifyPortable, extract: extractPortable}

// Kernels names the instructions of the processor that the inner loops use: AVX-512, AVX2, NEON, or
// portable if they are written in Go.
func Kernels() string { return newKernels(false).name }
