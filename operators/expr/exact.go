package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar/number"
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

func addFloat(a, b float64) (float64, bool) { return ofFloats(a+b, a, b) }
func subFloat(a, b float64) (float64, bool) { return ofFloats(a-b, a, b) }
func mulFloat(a, b float64) (float64, bool) { return ofFloats(a*b, a, b) }

// ofFloats returns the result of an operation on a and b, and whether it fits: it must be finite
// if a and b are. Infinities and NaN, which Parquet files can hold, propagate.
func ofFloats(result, a, b float64) (float64, bool) {
	return result, isFinite(result) || !isFinite(a) || !isFinite(b)
}

// exactInts is the number up to which float64 represents every integer.
const exactInts = 1 << 53

// quotient is the float64 nearest to n·scale/d, for d other than zero and a scale of 1 or
// decimalOne. If float64 represents both numbers exactly, the division rounds once; others
// are divided exactly.
func quotient(n, scale, d int64) float64 {
	if limit := exactInts / scale; n <= limit && n >= -limit && d <= exactInts && d >= -exactInts {
		return float64(n*scale) / float64(d)
	}
	return number.Quotient(number.Product(n, scale), decimal128.FromI64(d))
}

// mulInt is a·b, and whether it is an int64.
func mulInt(a, b int64) (int64, bool) {
	return number.Narrow(number.Product(a, b))
}

// isFinite is false for infinities and NaN. It subtracts nothing from f, since some processors
// do that together with the multiplication that f comes from, and without rounding between.
func isFinite(f float64) bool { return math.Abs(f) <= math.MaxFloat64 }

// addWide is x+y, and whether it has at most 38 digits.
func addWide(x, y number.Int128) (number.Int128, bool) {
	s, ok := number.Add128(x, y)
	return s, ok && number.IsDecimal(s)
}

// areDecimals reports whether all numbers have at most 38 digits. It is a loop of its
// own, since the sum and the test together are too much for the compiler to inline.
func areDecimals(all []number.Int128) bool {
	for _, n := range all {
		if !number.IsDecimal(n) {
			return false
		}
	}
	return true
}
