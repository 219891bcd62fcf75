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
	const upper = 0x4B3B4CA85A86C47A // the upper word of 10^38
	if hi := n.HighBits(); hi < upper && hi > -upper {
		return true
	}
	return isDecimal(n)
}

func isDecimal(n Int128) bool { return HasDigits(n, MaxPlaces) }

// HasDigits reports whether n has at most so many digits, of which there are up to 38.
func HasDigits(n Int128, digits int) bool {
	limit := Power128(digits)
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
func AppendDecimal(dst []byte, n Int128) []byte { return AppendScaled(dst, n, Scale) }

// AppendScaled is AppendDecimal for n in units of 10^-places, of which there are at most MaxPlaces.
func AppendScaled(dst []byte, n Int128, places int) []byte {
	var buffer [40]byte
	digits := appendInt128(buffer[:0], n)
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if places == 0 {
		return append(dst, digits...)
	}
	whole := max(0, len(digits)-places)
	if whole == 0 {
		dst = append(dst, '0')
	}
	const zeros = "00000000000000000000000000000000000000"
	dst = append(append(dst, digits[:whole]...), '.')
	dst = append(dst, zeros[:places-len(digits[whole:])]...)
	dst = append(dst, digits[whole:]...)
	return bytes.TrimSuffix(bytes.TrimRight(dst, "0"), []byte{'.'})
}

// appendInt128 appends n as strconv.AppendInt does.
func appendInt128(dst []byte, n Int128) []byte {
	if low, ok := Narrow(n); ok {
		return strconv.AppendInt(dst, low, 10)
	}
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	const part, digits = 1e19, 19
	upper, lower := divided(magnitude(n), [2]uint64{part})
	if upper == [2]uint64{} {
		return strconv.AppendUint(dst, lower[0], 10)
	}
	if upper[1] > 0 || upper[0] >= part {
		first, rest := divided(upper, [2]uint64{part})
		dst = appendPadded(strconv.AppendUint(dst, first[0], 10), rest[0], digits)
	} else {
		dst = strconv.AppendUint(dst, upper[0], 10)
	}
	return appendPadded(dst, lower[0], digits)
}

// appendPadded appends n with so many digits, of which the first may be zeros.
func appendPadded(dst []byte, n uint64, digits int) []byte {
	end := len(dst) + digits
	dst = append(dst, "0000000000000000000"[:digits]...)
	for i := end - 1; n > 0; i-- {
		dst[i] = byte('0' + n%10)
		n /= 10
	}
	return dst
}
