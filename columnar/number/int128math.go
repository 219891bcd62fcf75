package number

import (
	"bytes"
	"math"
	"math/big"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// MaxPlaces is the largest number of decimal places, and of digits, of a decimal128.
const MaxPlaces = 38

// Power128 is 10 to the power n, which is 0 to MaxPlaces.
func Power128(n int) Int128 { return decimal128.GetScaleMultiplier(n) }

// Add128 returns a+b, and whether it fits.
func Add128(a, b Int128) (Int128, bool) {
	lo, carry := bits.Add64(a.LowBits(), b.LowBits(), 0)
	x, y := a.HighBits(), b.HighBits()
	hi := x + y + int64(carry)
	return decimal128.New(hi, lo), (x^hi)&(y^hi) >= 0
}

// Sub128 returns a-b, and whether it fits.
func Sub128(a, b Int128) (Int128, bool) {
	lo, borrow := bits.Sub64(a.LowBits(), b.LowBits(), 0)
	x, y := a.HighBits(), b.HighBits()
	hi := x - y - int64(borrow)
	return decimal128.New(hi, lo), (x^y)&(x^hi) >= 0
}

// Mul128 returns a·b, and whether it fits.
func Mul128(a, b Int128) (Int128, bool) {
	x, okX := Narrow(a)
	y, okY := Narrow(b)
	if okX && okY {
		return Product(x, y), true
	}
	m, n := magnitude(a), magnitude(b)
	if m[1] != 0 && n[1] != 0 {
		return Int128{}, false
	}
	hi, lo := bits.Mul64(m[0], n[0])
	over, cross := bits.Mul64(m[1], n[0])
	if n[1] != 0 {
		over, cross = bits.Mul64(m[0], n[1])
	}
	hi, carry := bits.Add64(hi, cross, 0)
	p, ok := signed128([2]uint64{lo, hi}, a.Sign()*b.Sign() < 0)
	return p, ok && over == 0 && carry == 0
}

// magnitude is the absolute value of n, the lower word first.
func magnitude(n Int128) [2]uint64 {
	lo, hi := n.LowBits(), uint64(n.HighBits())
	if int64(hi) < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	return [2]uint64{lo, hi}
}

// signed128 is a magnitude with a sign, and whether it fits.
func signed128(m [2]uint64, negative bool) (Int128, bool) {
	lo, hi := m[0], m[1]
	if !negative {
		return decimal128.New(int64(hi), lo), int64(hi) >= 0
	}
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(0, hi, borrow)
	return decimal128.New(int64(hi), lo), int64(hi) < 0 || hi == 0 && lo == 0
}

// QuoRem128 divides n by d, which is not zero, and rounds toward zero; the rest has the sign of
// n. The quotient does not fit if the least Int128 is divided by -1; ok is then false.
func QuoRem128(n, d Int128) (quotient, rest Int128, ok bool) {
	x, okX := Narrow(n)
	y, okY := Narrow(d)
	if okX && okY && y != -1 {
		return decimal128.FromI64(x / y), decimal128.FromI64(x % y), true
	}
	q, r := divided(magnitude(n), magnitude(d))
	quotient, ok = signed128(q, n.Sign()*d.Sign() < 0)
	rest, _ = signed128(r, n.Sign() < 0)
	return quotient, rest, ok
}

// divided divides magnitudes (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, with
// digits of 64 bits, of which the quotient of a divisor of two has only one).
func divided(n, d [2]uint64) (quotient, rest [2]uint64) {
	if d[1] == 0 {
		quotient[1] = n[1] / d[0]
		quotient[0], rest[0] = bits.Div64(n[1]%d[0], n[0], d[0])
		return quotient, rest
	}
	shift := bits.LeadingZeros64(d[1])
	top := d[1]<<shift | d[0]>>1>>(63-shift)
	q, _ := bits.Div64(n[1]>>1, n[1]<<63|n[0]>>1, top)
	q = q >> (63 - shift)
	if q > 0 {
		q-- // at most one too small now, and never too large
	}
	hi, lo := bits.Mul64(q, d[0])
	hi += q * d[1]
	lo, borrow := bits.Sub64(n[0], lo, 0)
	hi, _ = bits.Sub64(n[1], hi, borrow)
	if hi > d[1] || hi == d[1] && lo >= d[0] {
		q++
		lo, borrow = bits.Sub64(lo, d[0], 0)
		hi, _ = bits.Sub64(hi, d[1], borrow)
	}
	return [2]uint64{q}, [2]uint64{lo, hi}
}

// Rescale128 returns n units of 10^-from in units of 10^-to, rounded half away from zero, and
// whether that fits. Both are 0 to MaxPlaces.
func Rescale128(n Int128, from, to int) (Int128, bool) {
	if from <= to {
		return Mul128(n, Power128(to-from))
	}
	return RoundTo128(n, Power128(from-to))
}

// RoundTo128 divides n by a positive unit, and rounds half away from zero.
func RoundTo128(n, unit Int128) (Int128, bool) {
	q, r, ok := QuoRem128(n, unit)
	m, u := magnitude(r), magnitude(unit)
	lo, borrow := bits.Sub64(u[0], m[0], 0)
	hi, _ := bits.Sub64(u[1], m[1], borrow)
	if m[1] < hi || m[1] == hi && m[0] < lo {
		return q, ok
	}
	return Add128(q, decimal128.FromI64(int64(n.Sign())))
}

// Interpolate returns what lies a part of the way from one float to another.
func Interpolate(from, to, part float64) float64 {
	switch way := to - from; {
	case part == 0 || from == to:
		return from
	case math.IsInf(way, 0): // of infinite values, or of finite ones that are further apart than any is large
		return float64(from*(1-part)) + float64(to*part)
	default:
		return from + float64(way*part)
	}
}

// Interpolate128 returns what lies so many millionths of the way from a to b, in units with so many places more, of
// which there are at most six; halves are rounded away from zero. It fits where the greater of the two fits
// with so many places more.
func Interpolate128(a, b Int128, millionths int64, more int) Int128 {
	low, step := BigInt(a), BigInt(b)
	step.Sub(step, low).Mul(step, big.NewInt(millionths))
	sum := low.Add(low.Mul(low, big.NewInt(One)), step)
	unit := BigInt(Power128(Scale - more))
	half := new(big.Int).Rsh(unit, 1)
	if sum.Sign() < 0 {
		half.Neg(half)
	}
	n, _ := Int128OfBig(sum.Add(sum, half).Quo(sum, unit))
	return n
}

// Compare128 compares a units of 10^-p with b units of 10^-q, as cmp.Compare does.
func Compare128(a Int128, p int, b Int128, q int) int {
	if p > q {
		return -Compare128(b, q, a, p)
	}
	if scaled, ok := Rescale128(a, p, q); ok {
		return scaled.Cmp(b)
	}
	return a.Sign() // of which the multiple is beyond every b
}

// Whole128 is a whole number as an Int128; ok is false if it does not fit or is not finite.
func Whole128(f float64) (n Int128, ok bool) {
	m := math.Abs(f)
	if !(m <= 0x1p127) {
		return n, false
	}
	hi := uint64(m / 0x1p64)
	return signed128([2]uint64{uint64(m - float64(float64(hi)*0x1p64)), hi}, f < 0)
}

// Float128 is the float64 nearest to n units of 10^-places, ties to even.
func Float128(n Int128, places int) float64 { return Quotient(n, Power128(places)) }

// Int128OfBig returns n as an Int128, and whether it fits.
func Int128OfBig(n *big.Int) (Int128, bool) {
	if n.BitLen() > 128 {
		return Int128{}, false
	}
	m := new(big.Int).Abs(n)
	low := new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return signed128([2]uint64{low, m.Rsh(m, 64).Uint64()}, n.Sign() < 0)
}

// Quotient128 is Quotient of n units of 10^-p and d units of 10^-q.
func Quotient128(n Int128, p int, d Int128, q int) float64 {
	x, okX := Mul128(n, Power128(max(q-p, 0)))
	y, okY := Mul128(d, Power128(max(p-q, 0)))
	if okX && okY {
		return Quotient(x, y)
	}
	exact := new(big.Rat).SetFrac(BigInt(n), BigInt(d))
	exact.Mul(exact, new(big.Rat).SetFrac(BigInt(Power128(q)), BigInt(Power128(p))))
	f, _ := exact.Float64()
	return f
}

// Parse128 parses what ParseDecimal accepts, as the integer nearest to value*10^places. Ties go
// away from zero.
func Parse128(cell []byte, places int) (n Int128, ok bool) {
	if n, ok := short128(cell, places); ok {
		return n, true
	}
	return any128(cell, places)
}

// short128 is Parse128 for the common form: up to 18 digits, of which none is beyond the places, with a minus and
// a point among them or not. ok is false for all others.
func short128(cell []byte, places int) (n Int128, ok bool) {
	const most = 18
	text := bytes.TrimPrefix(cell, []byte{'-'})
	if len(text) == 0 || len(text) > most+1 || text[0] == '.' || text[len(text)-1] == '.' {
		return n, false
	}
	value, point := int64(0), len(text)-1
	for i, c := range text {
		switch digit := c - '0'; {
		case digit <= 9:
			value = value*10 + int64(digit)
		case c == '.' && point == len(text)-1:
			point = i
		default:
			return n, false
		}
	}
	missing := places - (len(text) - 1 - point)
	if missing < 0 || missing > most || len(text) > most && point == len(text)-1 {
		return n, false
	}
	if len(text) < len(cell) {
		value = -value
	}
	return Product(value, int64(Power128(missing).LowBits())), true
}

// any128 is Parse128 for any form.
func any128(cell []byte, places int) (n Int128, ok bool) {
	d, ok := splitDecimal(trim(cell))
	if !ok {
		return n, false
	}
	count := int64(len(d.whole) + len(d.fraction))
	first := int64(0)
	for first < count && d.digit(first) == 0 {
		first++
	}
	unit := int64(len(d.whole)) + d.exponent + int64(places)
	if first == count || first > unit {
		return n, true // less than one tenth
	}
	if unit-first > MaxPlaces+1 {
		return n, false
	}
	var m [2]uint64
	for i := first; i < unit; i++ {
		if m, ok = timesTen(m, d.digit(i)); !ok {
			return n, false
		}
	}
	if d.digit(unit) >= 5 {
		if m[0]++; m[0] == 0 {
			m[1]++
		}
	}
	return signed128(m, d.negative)
}

// timesTen returns 10·m plus a digit, and whether that fits.
func timesTen(m [2]uint64, digit uint64) ([2]uint64, bool) {
	hi, lo := bits.Mul64(m[0], 10)
	over, upper := bits.Mul64(m[1], 10)
	lo, carry := bits.Add64(lo, digit, 0)
	hi, carry = bits.Add64(hi, upper, carry)
	return [2]uint64{lo, hi}, over == 0 && carry == 0
}
