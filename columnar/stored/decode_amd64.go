package stored

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

// asciiGroups converts groups of characters of ASCII at the beginning of src, as far as there is room,
// and returns how many characters. low is as in ascii16.
func asciiGroups(dst, src []byte, low uint64) (n int) {
	const group = 32 // characters
	groups := min(len(dst)/group, len(src)/(2*group))
	if groups == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	return group * ascii16AVX2(&dst[0], &src[0], groups, ^low, uint64(bits.TrailingZeros64(low)))
}

// ascii16AVX2 converts groups of 32 characters until one has a bit of other, and returns how many it has
// converted. The bits of the characters begin at shift.
//
//go:noescape
func ascii16AVX2(dst, src *byte, groups int, other, shift uint64) (done int)
