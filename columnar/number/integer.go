package number

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// ParseInt parses a whole number: digits with an optional sign, optionally followed by the
// point and zeros that some programs write (862.0, 12.), with ASCII space around it. ok is
// false for anything else and for numbers outside the range of int64.
//
// It may load, and ignore, up to eight bytes after the cell that are within its capacity;
// no goroutine may write them meanwhile.
func ParseInt(cell []byte) (v int64, ok bool) {
	if n := len(cell); uint(n-1) < 8 && cap(cell) >= 8 {
		word := binary.LittleEndian.Uint64(cell[:8])
		if notDigits(word)<<(-8*n&63) == 0 {
			return parse8(word, n), true
		}
	}
	v, places, ok := parsePlain(cell)
	for ; places > 0 && v%10 == 0; places-- {
		v /= 10
	}
	switch {
	case !ok || places > 0:
		return parseAnyInt(cell)
	case cell[0] == '-':
		return -v, true
	}
	return v, true
}

// parsePlain parses the usual form of a number: up to 16 digits, optionally after a minus
// and with a point between two of them. The absolute value is mantissa/10^places.
func parsePlain(cell []byte) (mantissa int64, places int, ok bool) {
	n := len(cell)
	if n == 0 || cap(cell) < n+8 {
		return 0, 0, false
	}
	p := cell[:n+8]
	if p[0] == '-' {
		n, p = n-1, p[1:]
	}
	word := binary.LittleEndian.Uint64(p)
	point := bits.TrailingZeros64(notDigits(word)) / 8 // number of leading digits; 8 if all bytes are digits
	if n <= point {
		return parse8(word, n), 0, n > 0
	}
	if point == 8 || n > 9 {
		return parsePlain16(p, n, point)
	}
	places = n - point - 1
	if point == 0 || places == 0 || p[point] != '.' {
		return 0, 0, false
	}
	word = withoutByte(word, binary.LittleEndian.Uint64(p[1:]), point)
	return parse8(word, n-1), places, notDigits(word)<<(-8*(n-1)&63) == 0
}

// parsePlain16 is parsePlain for the first n bytes of p, 9 or more, without the minus. point
// is the number of leading digits, where 8 means 8 or more.
func parsePlain16(p []byte, n, point int) (mantissa int64, places int, ok bool) {
	if n > 17 {
		return 0, 0, false
	}
	first, second, digits := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:]), n
	if point == 8 {
		point += bits.TrailingZeros64(notDigits(second)) / 8
	}
	if point < n {
		places = n - point - 1
		if point == 0 || places == 0 || p[point] != '.' {
			return 0, 0, false
		}
		digits--
		next := binary.LittleEndian.Uint64(p[9:])
		if point < 8 {
			first, second = withoutByte(first, binary.LittleEndian.Uint64(p[1:]), point), next
		} else {
			second = withoutByte(second, next, point-8)
		}
	}
	digits -= 8
	if uint(digits-1) >= 8 {
		return 0, 0, false
	}
	ok = notDigits(first)|notDigits(second)<<(-8*digits&63) == 0
	return parse8(first, 8)*pow10[digits] + parse8(second, digits), places, ok
}

// withoutByte returns word without byte i. later is the word that begins one byte after it.
func withoutByte(word, later uint64, i int) uint64 {
	before := uint64(1)<<(8*i&63) - 1
	return word&before | later&^before
}

// notDigits returns a word with the top bit set of each byte that is not a digit.
func notDigits(word uint64) uint64 {
	word ^= zeros
	return (word + 0x7676767676767676 | word) & 0x8080808080808080
}

const zeros = 0x3030303030303030

// parse8 returns the number in the lowest n bytes of a word, 1 to 8 digits, the first digit
// in the lowest byte. It combines digits into pairs, pairs into fours, and these into the
// number (Lemire, "Quickly parsing eight digits", 2018).
func parse8(word uint64, n int) int64 {
	word = (word ^ zeros) << (-8 * n & 63)
	word = word*10 + word>>8
	word = (word&0x000000FF000000FF)*0x000F424000000064 + (word>>16&0x000000FF000000FF)*0x0000271000000001
	return int64(word >> 32)
}

// parseAnyInt is ParseInt for any length and form.
func parseAnyInt(cell []byte) (v int64, ok bool) {
	negative, cell := cutSign(trim(cell))
	digits := countDigits(cell)
	if digits == 0 || !isZeroFraction(cell[digits:]) {
		return 0, false
	}
	u, ok := parseUint(cell[:digits])
	if !ok {
		return 0, false
	}
	return signed(u, negative)
}

// parseUint returns the number that digits represent, at least up to 1<<63; ok is false if
// it is too large.
func parseUint(digits []byte) (u uint64, ok bool) {
	for len(digits) >= 8 && u < 1e11 {
		u = u*1e8 + uint64(parse8(binary.LittleEndian.Uint64(digits), 8))
		digits = digits[8:]
	}
	for _, c := range digits {
		if u > math.MaxUint64/10-1 {
			return 0, false
		}
		u = u*10 + uint64(c-'0')
	}
	return u, true
}

// signed applies the sign to a magnitude; ok is false if int64 cannot hold the result.
func signed(u uint64, negative bool) (v int64, ok bool) {
	if negative {
		return -int64(u), u <= 1<<63
	}
	return int64(u), u < 1<<63
}

// isZeroFraction reports whether rest is empty, or a point followed only by zeros.
func isZeroFraction(rest []byte) bool {
	if len(rest) == 0 {
		return true
	}
	for _, c := range rest[1:] {
		if c != '0' {
			return false
		}
	}
	return rest[0] == '.'
}

// ParseHuge parses a whole number of 128 bits: what ParseInt takes, or more digits with an optional
// sign and ASCII space around them.
func ParseHuge(cell []byte) (n Int128, ok bool) {
	if v, ok := ParseInt(cell); ok {
		return decimal128.FromI64(v), true
	}
	text := trim(cell)
	digits := bytes.TrimLeft(text, "+-")
	if leading := len(text) - len(digits); leading > 1 || len(digits) == 0 || len(bytes.Trim(digits, "0123456789")) > 0 {
		return n, false
	}
	return Parse128(text, 0)
}
