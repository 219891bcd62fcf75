package number

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// ShortSum is an exact sum of float64 values of common magnitudes, in 24 bytes instead of
// the 550 or so of a FloatSum: a 192-bit integer in units of 2^shortExponent. It accepts
// zero, every value of a magnitude from 2^-78 to 2^60, and other values whose bits all lie
// in its range. To add anything else, the caller moves the sum to a FloatSum.
//
// The lowest word comes first. The highest is stored with its sign bit flipped, which does
// not affect addition: it is zero in the zero value, the sum of no values, and at least
// shortLeast in any other sum. Values of the highest word in between are not sums and
// accept no additions; callers that keep sums may use them as marks.
type ShortSum [3]uint64

const (
	shortExponent = -130
	// shortLow is how many bytes of a FloatSum are below the lowest byte of a ShortSum.
	shortLow = (shortExponent - LeastExponent) / 8
	// shortLeast is the least value of the highest word of a sum. The greatest is its
	// bitwise complement: sums and values use one bit less than the words have, so that an
	// overflow shows as two equal top bits.
	shortLeast = 1 << 62
	shortBits  = 190
	signBit    = 1 << 63
)

// Add adds x and reports whether it could; otherwise the sum is unchanged.
func (s *ShortSum) Add(x float64) bool {
	const fraction, bias = 1<<52 - 1, 1075 + shortExponent
	b := math.Float64bits(x)
	mantissa, shift := b&fraction|(fraction+1), int(b>>52&0x7FF)-bias
	if shift < 0 {
		if mantissa, shift = lowered(x, mantissa, shift); shift < 0 {
			return false
		}
	}
	if shift > shortBits-53 {
		return false
	}
	sign := uint64(int64(b) >> 63) // all ones for a negative value, whose complement is added
	low, high := mantissa<<(shift&63)^sign, mantissa>>1>>(^shift&63)^sign
	lo, mid, hi, carry := s[0], s[1], s.begun(), sign&1
	switch shift >> 6 {
	case 0:
		lo, carry = bits.Add64(lo, low, carry)
		mid, carry = bits.Add64(mid, high, carry)
		hi += sign + carry
	case 1: // some bits above the point and some below
		mid, carry = bits.Add64(mid, low, carry)
		hi += high + carry
	default:
		hi += low + carry
	}
	return s.set(lo, mid, hi)
}

// AddWhole is Add for a whole number between -2^60 and 2^60, whose bits are all in the
// highest word.
func (s *ShortSum) AddWhole(n int64) bool {
	const point = -shortExponent - 128
	hi := s.begun() + uint64(n)<<point
	if (hi^hi<<1)>>63 == 0 {
		return false
	}
	s[2] = hi
	return true
}

// AddProduct adds the exact product x·y and reports whether it could; otherwise the sum is
// unchanged. It refuses products near the ends of the range, and factors that are zero,
// subnormal, infinite or NaN; the caller must add these in another way.
func (s *ShortSum) AddProduct(x, y float64) bool {
	const fraction, exponent, bias = 1<<52 - 1, 0x7FF, 2*1075 + shortExponent
	a, b := math.Float64bits(x), math.Float64bits(y)
	ea, eb := a>>52&exponent, b>>52&exponent
	shift := ea + eb - bias // wraps to a large number if the exponents are too small
	if shift > shortBits-2*53 || ea-1 >= exponent-1 || eb-1 >= exponent-1 {
		return false
	}
	high, low := bits.Mul64(a&fraction|(fraction+1), b&fraction|(fraction+1))
	back := ^shift & 63
	w0, w1, w2 := low<<(shift&63), high<<(shift&63)|low>>1>>back, high>>1>>back
	if shift > 63 {
		w0, w1, w2 = 0, w0, w1
	}
	sign := uint64(int64(a^b) >> 63)
	lo, carry := bits.Add64(s[0], w0^sign, sign&1)
	mid, carry := bits.Add64(s[1], w1^sign, carry)
	return s.set(lo, mid, s.begun()+(w2^sign)+carry)
}

// lowered shifts the mantissa of a small value down to the unit. The shift stays negative
// if the value has bits below the unit.
func lowered(x float64, mantissa uint64, shift int) (uint64, int) {
	switch {
	case x == 0:
		return 0, 0
	case math.Abs(x) >= 0x1p-1022 && bits.TrailingZeros64(mantissa) >= -shift:
		return mantissa >> uint(-shift), 0
	}
	return mantissa, shift
}

// begun returns the highest word to add to: that of zero if the sum is empty.
func (s *ShortSum) begun() uint64 {
	if s[2] == 0 {
		return signBit
	}
	return s[2]
}

// set stores the words as the sum and reports whether they are one; on overflow it
// changes nothing.
func (s *ShortSum) set(lo, mid, hi uint64) bool {
	if (hi^hi<<1)>>63 == 0 {
		return false
	}
	s[0], s[1], s[2] = lo, mid, hi
	return true
}

// AddShort adds o and reports whether it could; otherwise the sum is unchanged.
func (s *ShortSum) AddShort(o *ShortSum) bool {
	switch {
	case o[2] == 0:
		return true
	case s[2] != 0 && s[2] < shortLeast: // a mark, which a large o could turn into a sum
		return false
	}
	lo, carry := bits.Add64(s[0], o[0], 0)
	mid, carry := bits.Add64(s[1], o[1], carry)
	return s.set(lo, mid, s.begun()+(o[2]^signBit)+carry)
}

// Empty reports whether nothing was added.
func (s *ShortSum) Empty() bool { return s[2] == 0 }

// AddTo adds the sum to a FloatSum.
func (s *ShortSum) AddTo(f *FloatSum) {
	const from, shift = (shortExponent - LeastExponent) / limbBits, (shortExponent - LeastExponent) % limbBits
	m, negative := s.magnitude()
	for i := range 2 * len(m) {
		half := int64(m[i/2] >> (i % 2 * limbBits) & (1<<limbBits - 1))
		if negative {
			half = -half
		}
		f.limbs[from+i] += half % (1 << (limbBits - shift)) << shift
		f.limbs[from+i+1] += half / (1 << (limbBits - shift))
	}
	if f.pending++; f.pending == maxPending {
		f.carry()
	}
}

// magnitude returns the absolute value of the sum, without the flipped bit, and whether the
// sum is negative.
func (s *ShortSum) magnitude() (m [3]uint64, negative bool) {
	m = [3]uint64{s[0], s[1], s.begun() ^ signBit}
	if m[2]>>63 == 0 {
		return m, false
	}
	borrow := uint64(0)
	for i, word := range m {
		m[i], borrow = bits.Sub64(0, word, borrow)
	}
	return m, true
}

// Float64 returns the float64 nearest to the sum, ties to even.
func (s *ShortSum) Float64() float64 {
	m, negative := s.magnitude()
	top := len(m) - 1
	for top > 0 && m[top] == 0 {
		top--
	}
	// The highest 64 bits round as the whole would, if the lowest of them is also set when
	// any bit below is. No sum is small enough for the multiplication to round as well.
	window, exponent := m[top], shortExponent+64*top
	if up := bits.LeadingZeros64(window); top > 0 {
		next := m[top-1]
		window = window<<up | next>>(64-up)
		exponent -= up
		below := next << up
		if top > 1 {
			below |= m[0]
		}
		if below != 0 {
			window |= 1
		}
	}
	x := float64(window) * math.Float64frombits(uint64(1023+exponent)<<52)
	if negative {
		return -x
	}
	return x
}

// AppendBinary appends the same encoding as FloatSum.AppendBinary does for the same sum.
func (s *ShortSum) AppendBinary(dst []byte) []byte {
	m, negative := s.magnitude()
	low, high := 0, 8*len(m)
	for i := len(m) - 1; i >= 0 && m[i] == 0; i-- {
		high = 8 * i
	}
	if high == 0 {
		return append(dst, kindZero)
	}
	high -= bits.LeadingZeros64(m[high/8-1]) / 8
	for m[low/8] == 0 {
		low += 8
	}
	low += bits.TrailingZeros64(m[low/8]) / 8
	kind := byte(kindPositive)
	if negative {
		kind = kindNegative
	}
	var buffer [len(m) * 8]byte
	for i, word := range m {
		binary.LittleEndian.PutUint64(buffer[8*i:], word)
	}
	dst = binary.LittleEndian.AppendUint16(append(dst, kind), uint16(shortLow+low))
	return append(dst, buffer[low:high]...)
}

// AppendSum appends the same encoding as FloatSum.AppendBinary does for the sum of x alone.
func AppendSum(dst []byte, x float64) []byte {
	const fraction, bias = 1<<52 - 1, 1075 + LeastExponent
	b := math.Float64bits(x)
	exponent := int(b >> 52 & 0x7FF)
	if exponent == 0 || exponent == 0x7FF { // zero, subnormal, infinite or NaN
		var sum FloatSum
		sum.Add(x)
		dst, _ = sum.AppendBinary(dst) // the error is always nil
		return dst
	}
	at := exponent - bias // position of the mantissa's lowest bit in the magnitude
	word := (b&fraction | (fraction + 1)) << (at & 7)
	zeros := bits.TrailingZeros64(word) / 8
	word >>= 8 * zeros
	low := at/8 + zeros
	kind := byte(kindPositive + b>>63*(kindNegative-kindPositive))
	var buffer [headerBytes + 8]byte
	buffer[0], buffer[1], buffer[2] = kind, byte(low), byte(low>>8)
	binary.LittleEndian.PutUint64(buffer[headerBytes:], word)
	return append(dst, buffer[:headerBytes+(bits.Len64(word)+7)/8]...)
}

// UnmarshalBinary sets s to the sum that AppendBinary encoded as data, which it does not
// keep, and reports whether it could. Otherwise s is unchanged: data is a sum that a
// ShortSum cannot hold, or not a sum at all. FloatSum.UnmarshalBinary tells which.
func (s *ShortSum) UnmarshalBinary(data []byte) bool {
	if len(data) == 1 && data[0] == kindZero {
		*s = ShortSum{2: signBit}
		return true
	}
	if len(data) <= headerBytes || data[0] != kindPositive && data[0] != kindNegative {
		return false
	}
	low := int(binary.LittleEndian.Uint16(data[1:])) - shortLow
	magnitude := data[headerBytes:]
	var buffer [len(s) * 8]byte
	if low < 0 || low+len(magnitude) > len(buffer) || magnitude[0] == 0 || magnitude[len(magnitude)-1] == 0 {
		return false
	}
	copy(buffer[low:], magnitude)
	if binary.LittleEndian.Uint64(buffer[8*(len(s)-1):]) > shortLeast {
		return false // the magnitude reaches the sign bit
	}
	sign := uint64(0)
	if data[0] == kindNegative {
		sign = math.MaxUint64
	}
	var m [len(s)]uint64
	carry := sign & 1
	for i := range m {
		m[i], carry = bits.Add64(binary.LittleEndian.Uint64(buffer[8*i:])^sign, 0, carry)
	}
	return s.set(m[0], m[1], m[2]^signBit)
}
