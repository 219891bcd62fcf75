package aggregate_test

import (
	"math/big"

	"analyzer/columnar"
)

// exactSum sums values as fractions; scale is how many parts make one.
func exactSum(v *columnar.Vector, some []int) (sum *big.Rat, scale int64) {
	sum, scale = new(big.Rat), 1
	for _, i := range some {
		switch v.Type {
		case columnar.Float:
			sum.Add(sum, new(big.Rat).SetFloat64(v.Floats[i]))
		case columnar.Decimal, columnar.Int:
			sum.Add(sum, new(big.Rat).SetInt64(v.Ints[i]))
		}
	}
	if v.Type == columnar.Decimal {
		scale = 1_000_000
	}
	return sum, scale
}

func ratQuo(r *big.Rat, n int64) *big.Rat { return new(big.Rat).Quo(r, new(big.Rat).SetInt64(n)) }

func ratFloat(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
