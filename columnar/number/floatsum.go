package number

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

const (
	limbBits = 32
	// numLimbs covers the 2098 bits from the least to the greatest float64, and 78 more
	// for the carries of many additions and for the sign.
	numLimbs = 68
	// LeastExponent is the exponent of the least positive float64, and of the lowest bit
	// of a FloatSum.
	LeastExponent = -1074
	// maxPending keeps every limb well within an int64: an addition changes it
	// by less than 1<<limbBits.
	maxPending = 1 << 30
)

// FloatSum is an exact sum of float64 values: a fixed-point number wide enough for all of
// them. No addition rounds, so the order and grouping of the additions do not change the
// result. It is the long accumulator of Kulisch with delayed carries, as in Neal, "Fast
// exact summation using small and large superaccumulators", 2015.
//
// With infinities or NaN among the values, the sum is the one of IEEE 754, which does not
// depend on their order. A sum of zero is +0.
//
// The zero value is the empty sum. A FloatSum can hold more than 2^64 additions of the
// greatest float64. It has some 550 bytes and no pointers, and may be copied. It is not
// safe for concurrent use.
type FloatSum struct {
	// limbs[i] counts units of 2^(LeastExponent + i*limbBits). Except for the last, its
	// magnitude is at most (pending+1) * 1<<limbBits.
	limbs   [numLimbs]int64
	pending int
	special special
}

// special is the set of added values that are not finite.
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

// AddSum adds o, which does not change and may be s itself.
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

// carry normalises all limbs except the last to the range 0 to 1<<limbBits - 1, so that
// equal sums have equal limbs. The last limb has the sign.
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

// magnitude returns the absolute value of s, carried, and whether s is negative.
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

// Float64 returns the float64 nearest to the sum, ties to even; it overflows to infinity.
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
	// The conversion rounds to 53 bits, once: if it drops any bits, the result is far
	// above the subnormal numbers, and Ldexp is exact or overflows.
	x := math.Ldexp(float64(window), exponent)
	if negative {
		return -x
	}
	return x
}

// Exact returns the exact sum as n units of 2^LeastExponent, the least positive float64.
// ok is false for infinities and NaN.
func (s *FloatSum) Exact() (n *big.Int, ok bool) {
	m, negative := s.magnitude()
	var bytes [numLimbs*limbBits/8 + 4]byte
	for i, limb := range m.limbs {
		// The four bytes before those of this limb are overwritten by the next one.
		binary.BigEndian.PutUint64(bytes[len(bytes)-8-i*limbBits/8:], uint64(limb))
	}
	n = new(big.Int).SetBytes(bytes[:])
	if negative {
		n.Neg(n)
	}
	return n, s.special == 0
}

// window returns the 64 bits of a magnitude from bit low on, and the exponent of the lowest
// of them. The lowest bit is sticky: it is also set if any bit below it is, so that the
// window rounds as the whole magnitude would. The caller chooses low so that the window
// contains the highest bit.
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
