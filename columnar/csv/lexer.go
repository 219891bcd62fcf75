package csv

import (
	"bytes"
	"math/bits"
	"slices"
)

// lexer describes a block of whole lines in words, and sums them up. What a dialect has beyond
// one byte that ends fields and one that encloses them is decided here, word by word: from the
// masks of some more bytes, which the same classifier finds. Nothing of it continues over the end
// of a line but the parity of quotes, which is why blocks are of whole lines.
type lexer struct {
	*syntax
	classify classifier
	sum      summary

	found     [][]word                 // by pair of the syntax' other bytes: words in which they are quote and delimiter
	escapesIn []uint64                 // by word: where escapes are; of a syntax that has some
	escaping  uint64                   // 1 if the next byte is escaped
	held      [maxDelimiter - 1]uint64 // where the parts of a delimiter were in the previous word
	taken     uint64                   // the first bits of the next word that belong to a delimiter or cannot end one
	lineBegin uint64                   // 1 if the next byte begins a line
	begins    uint64                   // 1 if the next byte begins a field, or only spaces of it came before; of a syntax with such spaces
	within    bool                     // the next byte is in a comment
	verbatim  bool                     // comments are left as they are, for a walk
}

// reset prepares the lexer for a block.
func (l *lexer) reset(x *syntax, classify classifier) {
	*l = lexer{syntax: x, classify: classify, sum: x.newSummary(), found: l.found, escapesIn: l.escapesIn[:0], lineBegin: 1, begins: 1}
}

// rest describes data in dst, whose existing words are already done. At least 65 more bytes must
// be readable after data. They are not part of it.
func (l *lexer) rest(dst []word, data []byte) []word {
	dst = l.upTo(dst, len(data)/wordBytes, data)
	full, rest := len(dst), len(data)%wordBytes
	if rest == 0 {
		return dst
	}
	dst = slices.Grow(dst, 1)[:full+1]
	l.take(dst[full:], data[full*wordBytes:][:wordBytes+1], ^uint64(0)>>(wordBytes-rest))
	return dst
}

// upTo extends dst to n words. One byte after them must be readable.
func (l *lexer) upTo(dst []word, n int, data []byte) []word {
	done := len(dst)
	if n <= done {
		return dst
	}
	dst = slices.Grow(dst, n-done)[:n]
	if fresh, src := dst[done:], data[done*wordBytes:n*wordBytes+1]; l.simple() {
		l.classify(fresh, src, &l.sum)
	} else {
		for i := 0; i < len(fresh); i += extractWords {
			l.take(fresh[i:min(i+extractWords, len(fresh))], src[i*wordBytes:], ^uint64(0))
		}
	}
	return dst
}

// take describes at most extractWords words. Of the last one, only the bits in valid count.
func (l *lexer) take(dst []word, src []byte, valid uint64) {
	if valid == ^uint64(0) && l.isQuiet(src[:len(dst)*wordBytes]) {
		l.takeQuiet(dst, src)
		return
	}
	raw := l.newSummary()
	l.classify(dst, src, &raw)
	last := &dst[len(dst)-1]
	last.quote, last.end, last.newline = last.quote&valid, last.end&valid, last.newline&valid
	l.sum.cr |= raw.cr
	l.findOthers(src, len(dst))
	for i := range dst {
		w, valid := &dst[i], valid
		if i < len(dst)-1 {
			valid = ^uint64(0)
		}
		if l.escapes {
			escapes := l.mask(i, l.escapeAt)
			l.escapesIn = append(l.escapesIn, escapes)
			w.quote &^= l.escaped(escapes)
		}
		if len(l.delimiter) > 1 {
			w.end = l.delimiters(w.end&^w.newline, i) | w.newline
		}
		if l.comments {
			l.leaveOut(w, l.mask(i, l.commentAt)&valid)
		}
		l.sum.count(w, 0)
		if l.spaced {
			l.placeSpaced(w, l.mask(i, l.spaceAt))
			continue
		}
		l.sum.place(w, 0)
	}
}

// placeSpaced is summary.place where fields may begin with spaces.
func (l *lexer) placeSpaced(w *word, spaces uint64) {
	// A run of spaces at the beginning of a field carries, in the addition, up to the byte after it.
	behind, carry := bits.Add64((w.end<<1|l.begins)&spaces, spaces, 0)
	l.sum.place(w, behind&^spaces)
	l.begins = w.end>>63 | carry
	l.sum.before |= l.begins
}

// isQuiet reports whether the next bytes have no escapes, comments and spaces of which a classifier knows nothing.
func (l *lexer) isQuiet(src []byte) bool {
	return l.escaping == 0 && !l.within && (!l.spaced || bytes.IndexByte(src, ' ') < 0) &&
		(!l.escapes || bytes.IndexByte(src, l.escape) < 0) && (!l.comments || bytes.IndexByte(src, l.comment) < 0)
}

// takeQuiet is take for words in which a classifier finds quotes and line ends, and the fields but
// for delimiters of several bytes.
func (l *lexer) takeQuiet(dst []word, src []byte) {
	before, irregular := l.sum.before, l.sum.irregular
	l.classify(dst, src, &l.sum)
	if l.escapes {
		l.escapesIn = append(l.escapesIn, make([]uint64, len(dst))...)
	}
	last := &dst[len(dst)-1]
	if len(l.delimiter) > 1 {
		l.sum.before, l.sum.irregular = before, irregular
		l.findOthers(src, len(dst))
		for i := range dst {
			w := &dst[i]
			w.end = l.delimiters(w.end&^w.newline, i) | w.newline
			l.sum.place(w, 0)
		}
	}
	l.lineBegin, l.begins = last.newline>>63, last.end>>63
}

// mask returns where in word i the given one of the other bytes is.
func (l *lexer) mask(i, other int) uint64 {
	w := &l.found[other/2][i]
	if other%2 == 0 {
		return w.quote
	}
	return w.end &^ w.newline
}

// findOthers finds the other bytes that matter in the first n words of src.
func (l *lexer) findOthers(src []byte, n int) {
	for i := 0; i < len(l.others); i += 2 {
		if len(l.found) <= i/2 {
			l.found = append(l.found, make([]word, extractWords))
		}
		s := summary{quote: uint64(l.others[i]), delimiter: uint64(l.others[min(i+1, len(l.others)-1)]), quotable: ^uint64(0)}
		l.classify(l.found[i/2][:n], src, &s)
	}
}

// escaped returns which bytes of a word are escaped, given where it has escapes: those after an
// odd number of them. Within quotes, which have no escape right before them, that is exact;
// elsewhere such a quote is within a field, where it means nothing anyway.
func (l *lexer) escaped(escapes uint64) uint64 {
	const odd = 0xAAAAAAAAAAAAAAAA
	before := l.escaping
	if escapes == 0 {
		l.escaping = 0
		return before
	}
	// A run of escapes that are not escaped themselves carries, in the subtraction, up to the byte
	// after it.
	begins := escapes &^ before
	next := begins<<1 | odd
	codes := (next - begins) ^ odd
	l.escaping = codes & escapes >> 63
	return codes ^ (escapes | before)
}

// delimiters returns where in word i delimiters of several bytes end, given where their last byte
// is. Of two that overlap the first counts.
func (l *lexer) delimiters(last uint64, i int) uint64 {
	n, ends, near := len(l.delimiter), last, uint64(0)
	for j := range n - 1 {
		part := last
		if at := l.syntax.parts[j]; at != lastByte {
			part = l.mask(i, at)
		}
		ends &= part<<(j+1) | l.held[j]>>(63-j)
		l.held[j] = part
	}
	ends &^= l.taken
	for j := 1; j < n; j++ {
		near |= ends << j
	}
	if ends&near != 0 {
		ends = withoutOverlaps(ends, n)
	}
	l.taken = 0
	if behind := bits.Len64(ends) + n - 1 - wordBytes; behind > 0 {
		l.taken = 1<<behind - 1
	}
	return ends
}

// withoutOverlaps drops from ends those less than n bits after one that remains.
func withoutOverlaps(ends uint64, n int) uint64 {
	kept := uint64(0)
	for ends != 0 {
		end := ends & -ends
		kept |= end
		ends &^= end<<n - end
	}
	return kept
}

// leaveOut clears the bytes of comment lines but their line ends, if the block begins outside
// quotes. marks is where the byte is that begins comments. If the block begins within quotes, all
// lines that begin with that byte are irregular.
func (l *lexer) leaveOut(w *word, marks uint64) {
	begins := w.newline<<1 | l.lineBegin
	l.lineBegin = w.newline >> 63
	if marks &= begins; marks == 0 && !l.within || l.verbatim {
		return
	}
	l.sum.irregular[1] |= marks
	for at := 0; ; {
		if !l.within {
			if marks &= ^uint64(0) << at; marks == 0 {
				return
			}
			at = bits.TrailingZeros64(marks)
			marks &= marks - 1
			before := w.quote & (1<<at - 1)
			if (bits.OnesCount64(before)&1 != 0) != (l.sum.inside != 0) {
				continue
			}
		}
		end := next(w.newline, at, wordBytes)
		line := ^uint64(0) << at & (1<<end - 1)
		w.quote, w.end = w.quote&^line, w.end&^line
		if l.within = end == wordBytes; l.within {
			return
		}
		at = end
	}
}
