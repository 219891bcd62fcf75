package number

import (
	"bytes"
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Int128 is a 128-bit integer, the form of exact sums. It is Arrow's type, so that columns
// of them can be borrowed unchanged. It has methods to add and compare; the rest of its exact
// arithmetic is in this file.
type Int128 = decimal128.Num

// Product returns the exact product of two integers.
func Product(a, b int64) Int128 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return decimal128.New(int64(hi)-(a>>63)&b-(b>>63)&a, lo)
}

// Narrow returns n as an int64, and whether it fits.
func Narrow(n Int128) (int64, bool) {
	low := int64(n.LowBits())
	return low, n.HighBits() == low>>63
}

// IsDecimal reports whether n has at most the 38 digits of a decimal128.
func IsDecimal(n Int128) bool {
	limit := decimal128.GetScaleMultiplier(38)
	return n.Less(limit) && limit.Negate().Less(n)
}

// Mean returns the float64 nearest to sum / (count*unit), the mean of count values. sum is
// in units of 1/unit: unit is One for decimals, 1 for integers. Ties go to even. The mean is
// NaN if count is not positive.
func Mean(sum Int128, count, unit int64) float64 {
	if count <= 0 {
		return math.NaN()
	}
	if n := Product(count, unit); isFloat(sum) && isFloat(n) {
		return float64(int64(sum.LowBits())) / float64(int64(n.LowBits())) // as Quotient does, without a call
	}
	return Quotient(sum, Product(count, unit))
}

// Quotient returns the float64 nearest to n/d, ties to even; d must not be zero. If both
// are exact as float64, their division rounds once; otherwise the division is exact before
// it is rounded.
func Quotient(n, d Int128) float64 {
	if isFloat(n) && isFloat(d) {
		return float64(int64(n.LowBits())) / float64(int64(d.LowBits()))
	}
	f, _ := new(big.Rat).SetFrac(BigInt(n), BigInt(d)).Float64()
	return f
}

// isFloat reports whether every integer up to the magnitude of n is exact as a float64.
func isFloat(n Int128) bool {
	const exact = 1 << 53
	low, ok := Narrow(n)
	return ok && uint64(low+exact) <= 2*exact
}

// BigInt does what n.BigInt does, which is wrong for the least Int128.
func BigInt(n Int128) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(n.HighBits()), 64)
	return v.Add(v, new(big.Int).SetUint64(n.LowBits()))
}

// AppendDecimal appends n millionths in decimal notation without trailing
// zeros: "120153886644", "-4.5".
func AppendDecimal(dst []byte, n Int128) []byte {
	var buffer [40]byte
	digits := buffer[:0]
	if low, ok := Narrow(n); ok {
		digits = strconv.AppendInt(digits, low, 10)
	} else {
		digits = BigInt(n).Append(digits, 10)
	}
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	whole := max(0, len(digits)-Scale)
	if whole == 0 {
		dst = append(dst, '0')
	}
	dst = append(append(dst, digits[:whole]...), '.')
	dst = append(dst, "000000"[:Scale-len(digits[whole:])]...)
	dst = append(dst, digits[whole:]...)
	return bytes.TrimSuffix(bytes.TrimRight(dst, "0"), []byte{'.'})
}
