package scan

import (
	"math/bits"

	"analyzer/columnar/number"
)

// The commonest forms of numbers, eight bytes at a time, in functions that are small enough
// to be inlined. What they do not take is left to package number, with which they agree on
// what they take.

const (
	zeros = 0x3030303030303030
	tops  = 0x8080808080808080
)

// quickDigits returns the number that stands in the lowest n bytes of a word if they are 1
// to 8 digits.
func quickDigits(word uint64, n int) (int64, bool) {
	if uint(n-1) >= 8 {
		return 0, false
	}
	return eightDigits(digits(word, n))
}

// tenths returns the number that the lowest three bytes of a word stand for, in millionths,
// if they are like 4.5, of which ratings have millions: no byte is over 9, 0, 9.
func tenths(word uint64) (int64, bool) {
	x := (word ^ '0' ^ '.'<<8 ^ '0'<<16) & 0xFFFFFF
	return int64(x&0xF*10+x>>16) * (number.One / 10), (x+0x767F76|x)&0x808080 == 0
}

// pointOf returns behind how many digits the point stands in a word, 8 if it has only
// digits; ok is false if what stands there is something else, or at the beginning.
func pointOf(word uint64) (point int, ok bool) {
	x := word ^ zeros
	point = bits.TrailingZeros64((x+0x7676767676767676|x)&tops) &^ 7
	return point / 8, point > 0 && byte(word>>point) == '.'
}

// withoutPoint returns the digits of a number, given the words that begin with its first
// byte and with its second.
func withoutPoint(word, next uint64, point int) uint64 {
	before := uint64(1)<<(8*point&63) - 1
	return word&before | next&^before
}

// powers[n] is 10 to the power number.Scale-n.
var powers = [...]int64{1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1}

// digits returns the lowest n bytes of a word, 1 to 8, behind zeros, each as far from
// the character 0 as eightDigits takes it.
func digits(word uint64, n int) uint64 { return (word ^ zeros) << (-8 * n & 63) }

// eightDigits returns the number that eight digits stand for, the first in the
// lowest byte: pairs are joined to hundreds, those to ten thousands, those to the
// whole (Lemire, "Quickly parsing eight digits", 2018).
func eightDigits(word uint64) (v int64, ok bool) {
	ok = (word+0x7676767676767676|word)&tops == 0 // no byte is over 9
	word = word*10 + word>>8
	word = (word&0x000000FF000000FF)*0x000F424000000064 + (word>>16&0x000000FF000000FF)*0x0000271000000001
	return int64(word >> 32), ok
}
