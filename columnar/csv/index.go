package csv

import (
	"math/bits"
	"slices"
)

// index finds the field and record ends of a regular block. It is given the
// slices of a framer and returns them longer.
func index(words []word, state state, bounds, rows []int32) ([]int32, []int32) {
	var inside uint64
	if state == inQuoted {
		inside = ^uint64(0)
	}
	for i := range words {
		w := &words[i]
		mask := inside
		if w.quote != 0 {
			mask ^= prefixXor(w.quote)
			inside = uint64(int64(mask) >> 63)
		}
		ends := (w.comma | w.newline) &^ mask
		if ends == 0 {
			continue
		}
		n := len(bounds)
		for newlines := w.newline &^ mask; newlines != 0; newlines &= newlines - 1 {
			below := newlines&-newlines - 1
			rows = append(rows, int32(n+bits.OnesCount64(ends&below)))
		}
		if cap(bounds)-n < wordBytes {
			bounds = slices.Grow(bounds, max(wordBytes, n))
		}
		bounds = appendBits(bounds, ends, int32(i*wordBytes))
	}
	return bounds, rows
}

// appendBits appends base plus the position of each bit of set. There is room
// for 64.
func appendBits(dst []int32, set uint64, base int32) []int32 {
	n := bits.OnesCount64(set)
	out := dst[len(dst) : len(dst)+wordBytes]
	for len(out) >= 8 && set != 0 {
		for j := range 8 {
			out[j] = base + int32(bits.TrailingZeros64(set))
			set &= set - 1
		}
		out = out[8:]
	}
	return dst[:len(dst)+n]
}
