package number

import (
	"encoding/binary"
	"math"
)

// maxDigits is how many digits an int64 can hold whatever they are.
const maxDigits = 18

// ParseInt reads a whole number: digits with an optional sign, and the decimal
// point and zeros that some programs put behind (862.0, 12.), with ASCII space
// around it. ok is false for anything else and outside the range of int64.
//
// It may load, and ignore, up to seven bytes behind the cell that are within
// its capacity; nobody may write them meanwhile.
func ParseInt(cell []byte) (v int64, ok bool) {
	if n := len(cell); uint(n-1) < 8 && cap(cell) >= 8 {
		const zeros = 0x3030303030303030
		word := binary.LittleEndian.Uint64(cell[:8])
		// The cell moves to the high bytes, behind leading zeros.
		word = word<<(64-8*n) | zeros>>(8*n)
		if v, ok := parse8(word); ok {
			return v, true
		}
	}
	return parseLongInt(cell)
}

// parseLongInt is ParseInt for digits of which int64 can hold any, without sign
// and space.
func parseLongInt(cell []byte) (v int64, ok bool) {
	if uint(len(cell)-1) >= maxDigits {
		return parseAnyInt(cell)
	}
	for i, c := range cell {
		d := c - '0'
		if d > 9 {
			if i > 0 && isZeroFraction(cell[i:]) {
				return v, true
			}
			return parseAnyInt(cell)
		}
		v = v*10 + int64(d)
	}
	return v, true
}

// parse8 is the number that eight digits stand for, the first in the lowest
// byte: pairs are joined to hundreds, those to ten thousands, those to the
// whole (Lemire, "Quickly parsing eight digits", 2018).
func parse8(word uint64) (v int64, ok bool) {
	const tops = 0x8080808080808080
	word ^= 0x3030303030303030
	if (word+0x7676767676767676|word)&tops != 0 { // a byte over 9
		return 0, false
	}
	word = word*10 + word>>8
	word = (word&0x000000FF000000FF)*0x000F424000000064 + (word>>16&0x000000FF000000FF)*0x0000271000000001
	return int64(word >> 32), true
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

// parseUint is the number that digits stand for, if it is at most 1<<63.
func parseUint(digits []byte) (u uint64, ok bool) {
	for _, c := range digits {
		if u > math.MaxUint64/10-1 {
			return 0, false
		}
		u = u*10 + uint64(c-'0')
	}
	return u, true
}

// signed gives a magnitude its sign; ok is false if int64 cannot hold it.
func signed(u uint64, negative bool) (v int64, ok bool) {
	if negative {
		return -int64(u), u <= 1<<63
	}
	return int64(u), u < 1<<63
}

// isZeroFraction says whether rest is empty or a point and zeros.
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
