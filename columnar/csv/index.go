package csv

import (
	"math/bits"
	"slices"
)

// extractor writes base plus the position of each end outside quotes to dst. It returns
// how many ends there are, and how many of them end a record. flip has the bits in which
// word.inside must be inverted. dst has room for 64 positions per word and extractSlack
// more, which may be overwritten.
type extractor func(dst []int32, words []word, flip uint64, base int32) (ends, newlines int)

const (
	extractSlack = 16
	// extractWords is how many words an extractor gets at once, so that bounds need
	// not have room for one end per byte of a block.
	extractWords = 64
)

// extractPortable is the extractor without processor-specific code.
func extractPortable(dst []int32, words []word, flip uint64, base int32) (ends, newlines int) {
	for i := range words {
		w := &words[i]
		outside := ^(w.inside ^ flip)
		set := w.end & outside
		newlines += bits.OnesCount64(w.newline & outside)
		for at := base + int32(i*wordBytes); set != 0; set &= set - 1 {
			dst[ends] = at + int32(bits.TrailingZeros64(set))
			ends++
		}
	}
	return ends, newlines
}

// indexRegular finds the ends of fields and records in the words of a regular
// block.
func (b *Block) indexRegular(extract extractor, skipBlank bool) {
	flip, closed := b.begin.flip(), uint64(0)
	for i := 0; i < len(b.words); i += extractWords {
		words := b.words[i:min(i+extractWords, len(b.words))]
		n := len(b.bounds)
		if need := extractWords*wordBytes + extractSlack; cap(b.bounds)-n < need {
			likely := n * (len(b.words) - i) / max(1, i) // if it goes on like this
			b.bounds = slices.Grow(b.bounds, need+likely+likely/16)
		}
		var found bool
		found, closed = b.followedQuotes(words, i*wordBytes, flip, closed) // here, while the words are in the cache
		b.behind = b.behind || found
		find := func() (newlines int) {
			ends, newlines := extract(b.bounds[n:cap(b.bounds)], words, flip, int32(i*wordBytes))
			b.bounds = b.bounds[:n+ends]
			return newlines
		}
		known := b.blank > 0
		if known {
			words = b.withoutBlank(i, words, flip)
		}
		alike := b.addAlike(find())
		if !alike && skipBlank && !known {
			if words = b.withoutBlank(i, words, flip); b.blank > 0 {
				alike = b.addAlike(find())
			}
		}
		if !alike {
			b.addRecords(words, n, flip)
		}
	}
}

// withoutBlank returns the words from b.words[first] on without the line ends that a blank line follows, and counts
// these: what is left ends the record and the blank lines behind it. The result is valid until the next call.
func (b *Block) withoutBlank(first int, words []word, flip uint64) []word {
	joined := append(b.joined[:0], words...)
	for i := range joined {
		w, next := &joined[i], uint64(0)
		if after := first + i + 1; after < len(b.words) {
			next = b.words[after].newline
		}
		followed := w.newline & (w.newline>>1 | next<<63)
		for far := w.newline & (w.newline>>2 | next<<62) &^ followed; far != 0; far &= far - 1 {
			if at := bits.TrailingZeros64(far); b.data[(first+i)*wordBytes+at+1] == '\r' {
				followed |= 1 << at
			}
		}
		w.end, w.newline = w.end&^followed, w.newline&^followed
		b.blank += bits.OnesCount64(followed &^ (w.inside ^ flip))
	}
	b.joined = joined
	return joined
}

// addAlike adds the next records, of which so many end at the ends found so far, if all have as many fields
// as the record before them.
func (b *Block) addAlike(n int) bool {
	last := b.records.last()
	if n == 0 || last == nil {
		return n == 0
	}
	from, fields := int(b.records.end), int(last.fields)
	to := from + n*fields
	if to >= len(b.bounds) {
		return false
	}
	// There are as many newlines as ends that far apart: if all of these are newlines, no other end is.
	for i := from + fields; i <= to; i += fields {
		if c := b.data[b.bounds[i]]; c != '\n' && c != '\r' {
			return false
		}
	}
	b.records.repeat(n, int32(to))
	return true
}

// addRecords adds the records that end in some words, whose first end is bounds[n].
func (b *Block) addRecords(words []word, n int, flip uint64) {
	for i := range words {
		w := &words[i]
		outside := ^(w.inside ^ flip)
		ends := w.end & outside
		for newlines := w.newline & outside; newlines != 0; newlines &= newlines - 1 {
			below := newlines&-newlines - 1
			b.records.add(int32(n + bits.OnesCount64(ends&below)))
		}
		n += bits.OnesCount64(ends)
	}
}

// endRecords appends the field ends after the block, which are those of its last record.
func (b *Block) endRecords() {
	if len(b.tailBounds) > 0 {
		b.bounds = append(b.bounds, b.tailBounds...)
		b.records.add(int32(len(b.bounds) - 1))
	} else if b.records.end != noEnd {
		b.bounds = b.bounds[:b.records.end+1]
	}
}
