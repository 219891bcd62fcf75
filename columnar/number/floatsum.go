package number

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

const (
	limbBits = 32
	// numLimbs covers the 2098 bits from the least to the greatest float64 and
	// 78 more for sums of many and for the sign.
	numLimbs = 68
	// LeastExponent is the exponent of the least positive float64, and of the
	// lowest bit of a FloatSum.
	LeastExponent = -1074
	// maxPending keeps every limb well within an int64: an addition changes it
	// by less than 1<<limbBits.
	maxPending = 1 << 30
)

// FloatSum is an exact sum of float64 values. It is a fixed-point number wide
// enough for all of them, so that no addition rounds and no order or grouping
// of the additions changes the result (the long accumulator of Kulisch; its
// carries are put off as in Neal, "Fast exact summation using small and large
// superaccumulators", 2015).
//
// Once infinities or NaN have been added the sum is what IEEE 754 makes of them
// in any order. A sum of zero is +0.
//
// The zero value is the empty sum. It holds 2^64 additions of the greatest
// float64 and more. A FloatSum has some 550 bytes and no pointers; it may be
// copied. It is not safe for concurrent use.
type FloatSum struct {
	// limbs[i] counts units of 2^(LeastExponent + i*limbBits). At most
	// pending+1 times 1<<limbBits in magnitude, save for the last.
	limbs   [numLimbs]int64
	pending int
	special special
}

// special is the set of the values added that are no finite numbers.
type special uint8

const (
	posInf special = 1 << iota
	negInf
	notNumber
)

// Add adds x.
func (s *FloatSum) Add(x float64) {
	const fraction = 1<<52 - 1
	b := math.Float64bits(x)
	mantissa := b & fraction
	exponent := uint(b >> 52 & 0x7FF)
	switch exponent {
	case 0x7FF:
		s.addSpecial(x)
		return
	case 0: // subnormal, in the units of exponent 1
	default:
		mantissa |= fraction + 1
		exponent--
	}
	// x is mantissa * 2^(LeastExponent + exponent).
	i, shift := exponent/limbBits, exponent%limbBits
	low, high := mantissa<<shift, mantissa>>(64-shift)
	sign := int64(b) >> 63
	s.limbs[i] += int64(low&(1<<limbBits-1)) ^ sign - sign
	s.limbs[i+1] += int64(low>>limbBits) ^ sign - sign
	s.limbs[i+2] += int64(high) ^ sign - sign
	if s.pending++; s.pending == maxPending {
		s.carry()
	}
}

func (s *FloatSum) addSpecial(x float64) {
	switch {
	case math.IsInf(x, 1):
		s.special |= posInf
	case math.IsInf(x, -1):
		s.special |= negInf
	default:
		s.special |= notNumber
	}
}

// AddSum adds what was added to o, which stays as it is and may be s itself.
func (s *FloatSum) AddSum(o *FloatSum) {
	carried := *o
	carried.carry()
	s.special |= carried.special
	for i, limb := range carried.limbs {
		s.limbs[i] += limb
	}
	if s.pending++; s.pending == maxPending {
		s.carry()
	}
}

// carry brings all limbs but the last into the range from 0 to 1<<limbBits - 1,
// which makes equal sums equal limbs. The last one has the sign.
func (s *FloatSum) carry() {
	carry := int64(0)
	for i := range numLimbs - 1 {
		limb := s.limbs[i] + carry
		carry = limb >> limbBits
		s.limbs[i] = limb & (1<<limbBits - 1)
	}
	s.limbs[numLimbs-1] += carry
	s.pending = 0
}

// magnitude is the absolute value of s, carried, and its sign.
func (s *FloatSum) magnitude() (m FloatSum, negative bool) {
	m = *s
	m.carry()
	if m.limbs[numLimbs-1] >= 0 {
		return m, false
	}
	for i := range m.limbs {
		m.limbs[i] = -m.limbs[i]
	}
	m.carry()
	return m, true
}

// Float64 is the float64 nearest to the sum, ties to even; beyond the greatest
// it is infinite.
func (s *FloatSum) Float64() float64 {
	if s.special != 0 {
		return s.special.float64()
	}
	m, negative := s.magnitude()
	top := numLimbs - 1
	for top > 0 && m.limbs[top] == 0 {
		top--
	}
	length := top*limbBits + bits.Len64(uint64(m.limbs[top]))
	window, exponent := m.window(max(0, length-64))
	// The conversion rounds to 53 bits, once: if it drops any, the result is
	// far above the subnormal numbers, and Ldexp is exact or overflows.
	x := math.Ldexp(float64(window), exponent)
	if negative {
		return -x
	}
	return x
}

// Exact returns the sum without rounding it: n units of 2^LeastExponent, the least
// positive float64. ok is false for infinities and NaN.
func (s *FloatSum) Exact() (n *big.Int, ok bool) {
	m, negative := s.magnitude()
	var bytes [numLimbs*limbBits/8 + 4]byte
	for i, limb := range m.limbs {
		// What comes before the four bytes of a limb is overwritten by the next.
		binary.BigEndian.PutUint64(bytes[len(bytes)-8-i*limbBits/8:], uint64(limb))
	}
	n = new(big.Int).SetBytes(bytes[:])
	if negative {
		n.Neg(n)
	}
	return n, s.special == 0
}

// window is the 64 bits of a magnitude from bit low on and the exponent of the
// lowest of them. That one is set if any bit below is, so that the window rounds
// as the whole would; the caller puts the highest bit of the magnitude into it.
func (s *FloatSum) window(low int) (window uint64, exponent int) {
	i, shift := low/limbBits, low%limbBits
	window = uint64(s.limbs[i]) >> shift
	for j, limb := range s.limbs[i+1 : min(i+3, numLimbs)] {
		window |= uint64(limb) << ((j+1)*limbBits - shift)
	}
	below := s.limbs[i] & (1<<shift - 1)
	for _, limb := range s.limbs[:i] {
		below |= limb
	}
	if below != 0 {
		window |= 1
	}
	return window, LeastExponent + low
}

func (s special) float64() float64 {
	switch s {
	case posInf:
		return math.Inf(1)
	case negInf:
		return math.Inf(-1)
	default:
		return math.NaN()
	}
}
