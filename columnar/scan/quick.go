package scan

import (
	"encoding/binary"
	"math/bits"

	"analyzer/columnar/number"
)

// The common forms of numbers, eight bytes at a time. What these functions do not
// take is left to package number, with which they agree on what they take. Eight
// bytes may be read at p whatever the length n of the cell.

const (
	zeros = 0x3030303030303030
	tops  = 0x8080808080808080
	ones  = 0x0101010101010101
	dots  = '.' * ones
)

// quickInt returns the number that stands in the n bytes at p if they are 1 to 8
// digits, or 2 to 8 bytes of which the first is a minus and the others are digits.
func quickInt(p []byte, n int) (int64, bool) {
	v, ok := quickDigits(p, n)
	if ok || n < 2 || p[0] != '-' {
		return v, ok
	}
	if n > 8 {
		return 0, false
	}
	v, ok = eightDigits(digits(binary.LittleEndian.Uint64(p)>>8, n-1))
	return -v, ok
}

// quickDigits returns the number that stands in the n bytes at p if they are 1 to 8
// digits. It is small enough to be inlined.
func quickDigits(p []byte, n int) (int64, bool) {
	if uint(n-1) >= 8 {
		return 0, false
	}
	return eightDigits(digits(binary.LittleEndian.Uint64(p), n))
}

// quickDecimal returns the number that stands in the n bytes at p, in millionths,
// if they are 1 to 8 digits or 2 to 7 digits with a point between.
func quickDecimal(p []byte, n int) (int64, bool) {
	if uint(n-1) >= 8 {
		return 0, false
	}
	word := binary.LittleEndian.Uint64(p)
	if v, ok := tenths(word, n); ok {
		return v, true
	}
	// The lowest top bit set is that of the first point.
	x := word ^ dots
	points := (x - ones) &^ x & tops & (1<<(8*n) - 1)
	if points == 0 {
		v, ok := eightDigits(digits(word, n))
		return v * number.One, ok
	}
	whole := bits.TrailingZeros64(points) / 8
	fraction := n - whole - 1
	if whole == 0 || fraction == 0 {
		return 0, false
	}
	low := word & (1<<(8*whole) - 1)
	high := word >> (8 * (whole + 1)) << (8 * whole)
	v, ok := eightDigits(digits(low|high, n-1))
	return v * powers[fraction], ok
}

// tenths returns the number that the lowest n bytes of a word stand for, in millionths,
// if they are like 4.5, of which ratings have millions: no byte is over 9, 0, 9.
func tenths(word uint64, n int) (int64, bool) {
	x := (word ^ '0' ^ '.'<<8 ^ '0'<<16) & 0xFFFFFF
	return int64(x&0xF*10+x>>16) * (number.One / 10), n == 3 && (x+0x767F76|x)&0x808080 == 0
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
