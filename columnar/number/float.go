package number

import (
	"math"
	"strconv"
)

// ParseFloat returns the float64 nearest to a number: digits with an optional sign,
// fraction and exponent, with ASCII space around it. ok is false for anything else,
// NaN and infinity among it, and for what is too large; the value is 0 then.
//
// It loads what ParseInt loads.
func ParseFloat(cell []byte) (f float64, ok bool) {
	if mantissa, places, ok := parsePlain(cell); ok && mantissa <= maxMantissa {
		// Both have a float64, so that their quotient is rounded once, as it should be
		// (Clinger, "How to read floating point numbers accurately", 1990).
		f = float64(mantissa) / powersOfTen[places]
		if cell[0] == '-' {
			f = -f
		}
		return f, true
	}
	cell = trim(cell)
	for _, c := range cell {
		if c-'0' > 9 && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(cell), 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// maxMantissa is how far float64 has all whole numbers.
const maxMantissa = 1 << 53

// powersOfTen are by how many places plain numbers can have. It is read only.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
