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
