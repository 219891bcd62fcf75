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
func (b *Block) indexRegular(extract extractor) {
	flip, newlines, closed := b.begin.flip(), 0, uint64(0)
	for i := 0; i < len(b.words); i += extractWords {
		words := b.words[i:min(i+extractWords, len(b.words))]
		n := len(b.bounds)
		if need := extractWords*wordBytes + extractSlack; cap(b.bounds)-n < need {
			b.bounds = slices.Grow(b.bounds, max(need, n))
		}
		var found bool
		found, closed = b.followedQuotes(words, i*wordBytes, flip, closed) // here, while the words are in the cache
		b.behind = b.behind || found
		ends, lines := extract(b.bounds[n:cap(b.bounds)], words, flip, int32(i*wordBytes))
		b.bounds = b.bounds[:n+ends]
		newlines += lines
	}
	if !b.findStride(flip, newlines) {
		b.findRows(flip)
	}
}

// findRows finds the ends that end records.
func (b *Block) findRows(flip uint64) {
	n := 1 // bounds[0] is not an end
	for i := range b.words {
		w := &b.words[i]
		outside := ^(w.inside ^ flip)
		ends := w.end & outside
		for newlines := w.newline & outside; newlines != 0; newlines &= newlines - 1 {
			below := newlines&-newlines - 1
			b.rows = append(b.rows, int32(n+bits.OnesCount64(ends&below)))
		}
		n += bits.OnesCount64(ends)
	}
}

// findStride checks whether all records that end in the block have as many fields as the
// first. If so, it sets first, stride and count, and rows is not needed. newlines is the
// number of ends that end a record.
func (b *Block) findStride(flip uint64, newlines int) bool {
	first, second := b.firstNewlines(flip)
	begin, stride, count := 0, first, newlines
	if b.begin.Inside {
		begin, stride, count = first, second-first, newlines-1
	}
	if count < 1 || begin+count*stride >= len(b.bounds) {
		return false
	}
	// There are as many newlines as ends a stride apart: if all of these are newlines, no
	// other end is.
	for i := begin + stride; i <= begin+count*stride; i += stride {
		if c := b.data[b.bounds[i]]; c != '\n' && c != '\r' {
			return false
		}
	}
	b.first, b.stride, b.count = int32(begin), int32(stride), count
	return true
}

// firstNewlines returns the indexes in bounds of the first two ends that end records, or
// 0 for a missing one.
func (b *Block) firstNewlines(flip uint64) (first, second int) {
	n := 1
	for i := range b.words {
		w := &b.words[i]
		outside := ^(w.inside ^ flip)
		ends := w.end & outside
		for newlines := w.newline & outside; newlines != 0; newlines &= newlines - 1 {
			below := newlines&-newlines - 1
			place := n + bits.OnesCount64(ends&below)
			if first > 0 {
				return first, place
			}
			first = place
		}
		n += bits.OnesCount64(ends)
	}
	return first, 0
}

// endRecords appends the field ends after the block and counts the records.
func (b *Block) endRecords() {
	tail := len(b.tailBounds) > 0
	b.bounds = append(b.bounds, b.tailBounds...)
	if b.stride > 0 {
		last := int(b.first + int32(b.count)*b.stride)
		switch {
		case !tail:
			b.bounds = b.bounds[:last+1]
			return
		case len(b.bounds) == last+int(b.stride)+1:
			b.count++
			return
		}
		b.writeRows()
	}
	if tail {
		b.rows = append(b.rows, int32(len(b.bounds)-1))
	} else if len(b.rows) > 0 {
		b.bounds = b.bounds[:b.rows[len(b.rows)-1]+1]
	}
	b.count = max(0, len(b.rows)-1)
	if b.count == 1 {
		b.first, b.stride = b.rows[0], b.rows[1]-b.rows[0]
	}
}

// writeRows replaces stride by an explicit list of where each record begins.
func (b *Block) writeRows() {
	b.rows = b.rows[:0]
	for r := range int32(b.count + 1) {
		b.rows = append(b.rows, b.first+r*b.stride)
	}
	b.stride = 0
}
