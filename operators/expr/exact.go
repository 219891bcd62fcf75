package expr

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// addInt is a+b, and whether it is an int64.
func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

// subInt is a-b, and whether it is an int64.
func subInt(a, b int64) (int64, bool) {
	d := a - b
	return d, (a^b)&(a^d) >= 0
}

// mulDecimal is the product of two Decimals, rounded to millionths, half away
// from zero, and whether it is a Decimal.
func mulDecimal(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi > decimalOne/2 {
		return 0, false // more than 2^63 millionths
	}
	n, rest := bits.Div64(hi, lo, decimalOne)
	if rest >= decimalOne/2 {
		n++
	}
	if (a < 0) != (b < 0) {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// mul128 is the product of two int64s in two's complement.
func mul128(a, b int64) (hi int64, lo uint64) {
	h, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(h) - (a>>63)&b - (b>>63)&a, lo
}

// exactInts is the number up to which every integer is a float64.
const exactInts = 1 << 53

// quotient is the float64 nearest to n·scale/d, for d other than zero and a
// scale of 1 or decimalOne. The quotient of two numbers that are float64s is
// rounded once by the division; others are divided exactly.
func quotient(n, scale, d int64) float64 {
	if limit := exactInts / scale; n <= limit && n >= -limit && d <= exactInts && d >= -exactInts {
		return float64(n*scale) / float64(d)
	}
	return quotientWide(mulWide(n, scale), decimal128.FromI64(d))
}

// quotientWide is the float64 nearest to n/d, for d other than zero.
func quotientWide(n, d decimal128.Num) float64 {
	if a, ok := exactFloat(n); ok {
		if b, ok := exactFloat(d); ok {
			return a / b
		}
	}
	f, _ := new(big.Rat).SetFrac(bigInt(n), bigInt(d)).Float64()
	return f
}

func exactFloat(w decimal128.Num) (float64, bool) {
	n := int64(w.LowBits())
	if w.HighBits() != n>>63 || n > exactInts || n < -exactInts {
		return 0, false
	}
	return float64(n), true
}

// bigInt is w.BigInt, which is wrong for the least 128-bit number.
func bigInt(w decimal128.Num) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(w.HighBits()), 64)
	return n.Add(n, new(big.Int).SetUint64(w.LowBits()))
}

func wideOne() decimal128.Num { return decimal128.FromI64(decimalOne) }

// mulWide is the exact product of two int64s.
func mulWide(a, b int64) decimal128.Num {
	hi, lo := mul128(a, b)
	return decimal128.New(hi, lo)
}

// mulInt is a·b, and whether it is an int64.
func mulInt(a, b int64) (int64, bool) {
	hi, lo := mul128(a, b)
	n := int64(lo)
	return n, hi == n>>63
}

// isFinite is false for infinities and for what is not a number.
func isFinite(f float64) bool { return f-f == 0 && !math.IsNaN(f) }

// fitsWide reports whether a sum has at most the 38 digits of a Wide.
func fitsWide(s decimal128.Num) bool {
	limit := decimal128.GetScaleMultiplier(38)
	return s.Less(limit) && limit.Negate().Less(s)
}
