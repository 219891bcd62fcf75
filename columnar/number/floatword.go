package number

import (
	"cmp"
	"math"
)

// FloatBits are the bits of a float, the same for all that is not a number, and for both
// zeros: floats are one key of a group where these are equal.
func FloatBits(f float64) uint64 {
	if f != f {
		f = math.NaN()
	}
	return math.Float64bits(f + 0)
}

// FloatWord is a word for a float. Words order as the floats do, what is not a number above
// all, and floats with equal FloatBits have one.
func FloatWord(f float64) uint64 {
	bits := FloatBits(f)
	if bits&signBit != 0 {
		return ^bits
	}
	return bits | signBit
}

// CompareFloats is -1, 0 or 1 as x stands before, with or behind y in the order of FloatWord.
func CompareFloats(x, y float64) int { return cmp.Compare(FloatWord(x), FloatWord(y)) }

// FloatOfWord is the float that FloatWord made a word of, or one with equal FloatBits.
func FloatOfWord(w uint64) float64 {
	if w&signBit != 0 {
		return math.Float64frombits(w &^ signBit)
	}
	return math.Float64frombits(^w)
}
