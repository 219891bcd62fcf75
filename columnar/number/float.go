package number

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// ParseFloat returns the float64 nearest to a number: digits with an optional sign,
// fraction and exponent, with ASCII space around it. ok is false, and f is 0, for anything
// else, including NaN and infinity, and for numbers that are too large.
//
// Like ParseInt, it may load bytes after the cell.
func ParseFloat(cell []byte) (f float64, ok bool) {
	if mantissa, places, ok := parsePlain(cell); ok && mantissa <= maxMantissa {
		// Both are exact as float64, so their quotient is rounded once and is correct
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

// ParseFortran is ParseFloat for exponents as Fortran writes them, 1.5D+00: without the point and the sign, a number with a
// D in it is a code.
func ParseFortran(cell []byte) (f float64, ok bool) {
	at := bytes.IndexAny(cell, "Dd")
	if at < 0 || at+1 == len(cell) || cell[at+1] != '+' && cell[at+1] != '-' || bytes.IndexByte(cell[:at], '.') < 0 {
		return 0, false
	}
	usual := bytes.Clone(cell)
	usual[at] = 'e'
	return ParseFloat(usual)
}

// ParseFloatCell is ParseAnyFloat and ParseFortran, for cells of files.
func ParseFloatCell(cell []byte) (f float64, ok bool) {
	if f, ok = ParseAnyFloat(cell); ok {
		return f, true
	}
	return ParseFortran(cell)
}

// ParseAnyFloat is ParseFloat, but takes NaN and infinities too, as AppendFloat writes them or as
// Infinity, in letters of any case.
func ParseAnyFloat(cell []byte) (f float64, ok bool) {
	if f, ok = ParseFloat(cell); ok {
		return f, true
	}
	switch name := strings.ToLower(string(trim(cell))); name {
	case "nan", "-nan", "+nan":
		return math.NaN(), true
	case "inf", "+inf", "infinity", "+infinity":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

// AppendFloat appends the shortest text that parses back to the same float, as people write it. As in
// JSON, only very large and very small numbers have an exponent. NaN and the infinities are nan, inf and
// -inf.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	form := byte('f')
	if abs := max(f, -f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(dst, f, form, -1, 64)
}

// maxMantissa is the bound up to which float64 represents every whole number exactly.
const maxMantissa = 1 << 53

// powersOfTen is indexed by the number of decimal places of a plain number. It is read only.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
