package number

import (
	"cmp"
	"math"
)

// FloatBits returns the bits of a float, with one value for every NaN and one for both zeros.
// Floats belong to one group exactly if their FloatBits are equal.
func FloatBits(f float64) uint64 {
	if f != f {
		f = math.NaN()
	}
	return math.Float64bits(f + 0)
}

// FloatWord returns a word that orders as the float does, with NaN above all numbers. Floats
// with equal FloatBits have equal words.
func FloatWord(f float64) uint64 {
	bits := FloatBits(f)
	if bits&signBit != 0 {
		return ^bits
	}
	return bits | signBit
}

// CompareFloats returns -1, 0 or 1 if x is before, equal to or after y in the order of
// FloatWord.
func CompareFloats(x, y float64) int { return cmp.Compare(FloatWord(x), FloatWord(y)) }

// FloatOfWord is the inverse of FloatWord: it returns the float, or one with equal FloatBits.
func FloatOfWord(w uint64) float64 {
	if w&signBit != 0 {
		return math.Float64frombits(w &^ signBit)
	}
	return math.Float64frombits(^w)
}
