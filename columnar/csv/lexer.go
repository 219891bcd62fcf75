package csv

import (
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

	found     [][]word // by pair of other bytes: words in which these are quote and delimiter
	escaping  uint64   // 1 if the next byte is escaped
	parts     [maxDelimiter - 1]uint64
	taken     uint64 // the first bits of the next word that belong to a delimiter or cannot end one
	lineBegin uint64 // 1 if the next byte begins a line
	within    bool   // the next byte is in a comment
	verbatim  bool   // comments are left as they are, for a walk
}

// reset prepares the lexer for a block.
func (l *lexer) reset(x *syntax, classify classifier) {
	*l = lexer{syntax: x, classify: classify, sum: x.newSummary(), found: l.found, lineBegin: 1}
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
	raw := l.newSummary()
	l.classify(dst, src, &raw)
	last := &dst[len(dst)-1]
	last.quote, last.end, last.newline = last.quote&valid, last.end&valid, last.newline&valid
	l.sum.cr |= raw.cr
	others := l.others(src, len(dst))
	for i := range dst {
		w, byteAt, valid := &dst[i], 0, valid
		if i < len(dst)-1 {
			valid = ^uint64(0)
		}
		if l.escapes {
			w.quote &^= l.escaped(others.mask(i, byteAt))
			byteAt++
		}
		if len(l.delimiter) > 1 {
			w.end = l.delimiters(w.end&^w.newline, others, i, byteAt) | w.newline
			byteAt += len(l.delimiter) - 1
		}
		if l.comments {
			l.leaveOut(w, others.mask(i, byteAt)&valid)
		}
		l.sum.add(w, 0)
	}
}

// masks has masks of the bytes that a classifier does not know, two in each row of words.
type masks [][]word

// mask returns where in word i byte number j is.
func (m masks) mask(i, j int) uint64 {
	if w := &m[j/2][i]; j%2 == 0 {
		return w.quote
	} else {
		return w.end &^ w.newline
	}
}

// others finds the other bytes that matter: the escape, the delimiter up to its last byte, and
// the byte of comments.
func (l *lexer) others(src []byte, n int) masks {
	var bytes [maxDelimiter + 1]byte
	all := bytes[:0]
	if l.escapes {
		all = append(all, l.escape)
	}
	all = append(all, l.delimiter[:len(l.delimiter)-1]...)
	if l.comments {
		all = append(all, l.comment)
	}
	for i := 0; i < len(all); i += 2 {
		if len(l.found) <= i/2 {
			l.found = append(l.found, make([]word, extractWords))
		}
		s := summary{quote: uint64(all[i]), delimiter: uint64(all[min(i+1, len(all)-1)]), quotable: ^uint64(0)}
		l.classify(l.found[i/2][:n], src, &s)
	}
	return l.found
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

// delimiters returns where delimiters of several bytes end, given where their last byte is.
// Of two that overlap the first counts.
func (l *lexer) delimiters(ends uint64, others masks, i, at int) uint64 {
	n := len(l.delimiter)
	for j := range n - 1 { // the byte that is j+1 before the last one
		part := others.mask(i, at+n-2-j)
		ends &= part<<(j+1) | l.parts[j]>>(63-j)
		l.parts[j] = part
	}
	ends &^= l.taken
	l.taken = 0
	if ends == 0 {
		return 0
	}
	near := ends << 1
	for j := 2; j < n; j++ {
		near |= ends << j
	}
	if ends&near != 0 {
		ends = withoutOverlaps(ends, n)
	}
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
