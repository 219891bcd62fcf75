package number

import (
	"math"
	"strconv"
)

// ParseFloat returns the float64 nearest to a number: digits with an optional sign,
// fraction and exponent, with ASCII space around it. ok is false for anything else,
// NaN and infinity among it, and for what is too large; the value is 0 then.
func ParseFloat(cell []byte) (f float64, ok bool) {
	cell = trim(cell)
	if f, ok := parseShortFloat(cell); ok {
		return f, true
	}
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

// powersOfTen are those that float64 has exactly. It is read only.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// parseShortFloat reads numbers as most are: digits and no exponent, which without their
// point are a whole number that float64 has. Divided by a power of ten it is rounded
// once, as it should be (Clinger, "How to read floating point numbers accurately", 1990).
func parseShortFloat(cell []byte) (f float64, ok bool) {
	negative := false
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		negative, cell = cell[0] == '-', cell[1:]
	}
	if len(cell) >= len(powersOfTen) { // so that mantissas do not overflow
		return 0, false
	}
	mantissa, point, digits := uint64(0), len(cell), 0
	for i, c := range cell {
		switch digit := c - '0'; {
		case digit <= 9:
			mantissa = mantissa*10 + uint64(digit)
			digits++
		case c == '.' && point == len(cell):
			point = i + 1
		default:
			return 0, false
		}
	}
	if digits == 0 || mantissa > 1<<53 {
		return 0, false
	}
	f = float64(mantissa) / powersOfTen[len(cell)-point]
	if negative {
		f = -f
	}
	return f, true
}
