package number

import (
	"encoding/binary"
	"math"
)

const (
	// Scale is the number of decimal places of a scaled integer.
	Scale = 6
	// One is the scaled integer that stands for 1.
	One = 1_000_000
	// DecimalDigits is how many digits before the point a scaled integer holds, whatever they are.
	DecimalDigits = 12
	// ExactDigits is how many digits a whole number may have to be exact as a float, whatever they are.
	ExactDigits = 15
)

// pow10[n] is 10 to the power n.
var pow10 = [...]int64{1, 10, 100, 1_000, 10_000, 100_000, One, 10_000_000, 100_000_000}

// IsFloat reports whether a whole number is exact as a float.
func IsFloat(v int64) bool { return int64(float64(v)) == v && v != math.MaxInt64 }

// ParseDecimal parses a decimal number as the integer value*10^Scale: digits with an
// optional sign, fraction and exponent (-4.5, .5, 12., 1e-3, 1E+5), with ASCII space
// around it. Further decimal places are rounded half to even, exactly. ok is false for
// anything else, including NaN and infinity, and if the rounded result is outside the
// range of int64.
//
// Like ParseInt, it may load bytes after the cell.
func ParseDecimal(cell []byte) (scaled int64, ok bool) {
	if len(cell) == 3 && cap(cell) >= 4 {
		// Fast path for ratings like 4.5: after the XOR, the bytes are at most 9, 0 and 9.
		x := binary.LittleEndian.Uint32(cell[:4])&0xFFFFFF ^ ('0' | '.'<<8 | '0'<<16)
		if (x+0x767F76|x)&0x808080 == 0 {
			return int64(x&0xF*10+x>>16) * (One / 10), true
		}
	}
	mantissa, places, ok := parsePlain(cell)
	if !ok || places > Scale || mantissa >= math.MaxInt64/One {
		return parseScaled(cell, Scale, true)
	}
	scaled = mantissa * pow10[Scale-places]
	if cell[0] == '-' {
		return -scaled, true
	}
	return scaled, true
}

// ParseRounded parses what ParseDecimal accepts, as the integer nearest to
// value*10^places. Ties go away from zero, as in casts of text.
func ParseRounded(cell []byte, places int64) (n int64, ok bool) {
	return parseScaled(cell, places, false)
}

// decimal is a decimal number in parts: whole.fraction * 10^exponent. whole and fraction
// are digits only.
type decimal struct {
	negative        bool
	whole, fraction []byte
	exponent        int64
}

// parseScaled parses a number of any length and form as an integer of so many places, rounded or exact.
func parseScaled(cell []byte, places int64, exact bool) (n int64, ok bool) {
	d, ok := splitDecimal(trim(cell))
	if !ok {
		return 0, false
	}
	u, ok := d.scaled(places, exact)
	if !ok {
		return 0, false
	}
	return signed(u, d.negative)
}

func splitDecimal(cell []byte) (d decimal, ok bool) {
	d.negative, cell = cutSign(cell)
	n := countDigits(cell)
	d.whole, cell = cell[:n], cell[n:]
	if len(cell) > 0 && cell[0] == '.' {
		n = countDigits(cell[1:])
		d.fraction, cell = cell[1:1+n], cell[1+n:]
	}
	if len(d.whole)+len(d.fraction) == 0 {
		return d, false
	}
	if len(cell) > 0 && cell[0]|0x20 == 'e' {
		d.exponent, cell, ok = cutExponent(cell[1:])
		if !ok {
			return d, false
		}
	}
	return d, len(cell) == 0
}

// cutExponent parses the exponent after the e and returns the rest. Once the exponent
// reaches 1<<50, it ignores further digits, so that the exponent cannot overflow: no cell
// has enough digits to make up for it.
func cutExponent(cell []byte) (exponent int64, rest []byte, ok bool) {
	negative, cell := cutSign(cell)
	n := countDigits(cell)
	for _, c := range cell[:n] {
		if exponent < 1<<50 {
			exponent = exponent*10 + int64(c-'0')
		}
	}
	if negative {
		exponent = -exponent
	}
	return exponent, cell[n:], n > 0
}

// digit returns digit i of whole followed by fraction, 0 after their end.
func (d *decimal) digit(i int64) uint64 {
	if i < int64(len(d.whole)) {
		return uint64(d.whole[i] - '0')
	}
	if i -= int64(len(d.whole)); i < int64(len(d.fraction)) {
		return uint64(d.fraction[i] - '0')
	}
	return 0
}

// scaled returns the magnitude of d*10^places, rounded half to even or half up. ok is
// false if it does not fit in 64 bits.
func (d *decimal) scaled(places int64, toEven bool) (u uint64, ok bool) {
	count := int64(len(d.whole) + len(d.fraction))
	first := int64(0)
	for first < count && d.digit(first) == 0 {
		first++
	}
	// Digits before unit form the integer, the others its fraction.
	unit := int64(len(d.whole)) + d.exponent + places
	if first == count || first > unit {
		return 0, true // less than one tenth
	}
	for i := first; i < unit; i++ {
		if u > math.MaxUint64/10-1 {
			return 0, false
		}
		u = u*10 + d.digit(i)
	}
	if d.digit(unit) >= 5 && (!toEven || d.roundsUp(u, unit, count)) {
		u++
	}
	return u, true
}

// roundsUp reports whether the fraction that begins at digit unit is more than one half,
// or exactly one half and u is odd.
func (d *decimal) roundsUp(u uint64, unit, count int64) bool {
	if tenths := d.digit(unit); tenths != 5 {
		return tenths > 5
	}
	for i := unit + 1; i < count; i++ {
		if d.digit(i) != 0 {
			return true
		}
	}
	return u&1 == 1
}
