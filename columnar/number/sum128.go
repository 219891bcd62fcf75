package number

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// Sum128 is an exact sum of scaled integers (see Scale), in two's complement:
// the value is Hi*2^64 + Lo, over 10^Scale. The zero value is the empty sum.
// No order or grouping of the additions changes it. It takes more than 2^64
// additions of an int64 to overflow one.
type Sum128 struct {
	Hi int64
	Lo uint64
}

// Add adds the scaled integer v. On overflow ok is false and s is as before.
func (s *Sum128) Add(v int64) (ok bool) {
	lo, carry := bits.Add64(s.Lo, uint64(v), 0)
	hi := s.Hi + v>>63 + int64(carry)
	if (s.Hi^hi)&(v^hi) < 0 { // both operands have the sign that hi has not
		return false
	}
	s.Hi, s.Lo = hi, lo
	return true
}

// AddSum adds o. On overflow ok is false and s is as before.
func (s *Sum128) AddSum(o Sum128) (ok bool) {
	lo, carry := bits.Add64(s.Lo, o.Lo, 0)
	hi := s.Hi + o.Hi + int64(carry)
	if (s.Hi^hi)&(o.Hi^hi) < 0 {
		return false
	}
	s.Hi, s.Lo = hi, lo
	return true
}

// Cmp is -1, 0 or +1 as s is less than, equal to or greater than o.
func (s Sum128) Cmp(o Sum128) int {
	switch {
	case s == o:
		return 0
	case s.Hi < o.Hi, s.Hi == o.Hi && s.Lo < o.Lo:
		return -1
	default:
		return 1
	}
}

// IsNeg says whether s is less than zero.
func (s Sum128) IsNeg() bool { return s.Hi < 0 }

// Neg is -s; ok is false for the least Sum128, which has no counterpart.
func (s Sum128) Neg() (n Sum128, ok bool) {
	n = s.wrappedNeg()
	return n, s.Hi != math.MinInt64 || s.Lo != 0
}

// wrappedNeg is -s modulo 2^128.
func (s Sum128) wrappedNeg() Sum128 {
	lo, borrow := bits.Sub64(0, s.Lo, 0)
	return Sum128{Hi: -s.Hi - int64(borrow), Lo: lo}
}

// Bytes is s as an Arrow decimal128 with Scale decimal places holds it: 16
// bytes in two's complement, the lowest first. A decimal128 column has at most
// 38 digits, which sums of up to 10^19 scaled integers do.
func (s Sum128) Bytes() (b [16]byte) {
	binary.LittleEndian.PutUint64(b[:8], s.Lo)
	binary.LittleEndian.PutUint64(b[8:], uint64(s.Hi))
	return b
}

// Sum128FromBytes is the inverse of Bytes.
func Sum128FromBytes(b [16]byte) Sum128 {
	return Sum128{
		Hi: int64(binary.LittleEndian.Uint64(b[8:])),
		Lo: binary.LittleEndian.Uint64(b[:8]),
	}
}

// Mean is the float64 nearest to the mean of count values of which s is the
// sum in parts of which unit make one: One for decimals, 1 for integers. Ties go
// to even. It is NaN if count is not positive.
func (s Sum128) Mean(count, unit int64) float64 {
	const exact = 1 << 53 // float64 holds every whole number up to here
	if count <= 0 {
		return math.NaN()
	}
	if s.Hi == int64(s.Lo)>>63 && -exact <= int64(s.Lo) && int64(s.Lo) <= exact && count <= exact/unit {
		// IEEE 754 division rounds the exact quotient once.
		return float64(int64(s.Lo)) / float64(count*unit)
	}
	divisor := new(big.Int).Mul(big.NewInt(count), big.NewInt(unit))
	mean, _ := new(big.Rat).SetFrac(s.big(), divisor).Float64()
	return mean
}

func (s Sum128) big() *big.Int {
	v := new(big.Int).Lsh(big.NewInt(s.Hi), 64)
	return v.Add(v, new(big.Int).SetUint64(s.Lo))
}
