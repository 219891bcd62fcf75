package number

import (
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// checkNearest fails unless x is the float64 nearest to exact, ties to even,
// infinite from half a unit above the greatest float64 on.
func checkNearest(t rapid.TB, x float64, exact *big.Rat) {
	t.Helper()
	if math.IsNaN(x) {
		t.Fatalf("got NaN for %v", exact)
	}
	if math.IsInf(x, 0) {
		limit := power2(1024)
		limit.Sub(limit, power2(970))
		if new(big.Rat).Abs(exact).Cmp(limit) < 0 || x > 0 != (exact.Sign() > 0) {
			t.Fatalf("got %g for %v", x, exact)
		}
		return
	}
	own := distance(x, exact)
	for _, direction := range []int{-1, 1} {
		neighbour := math.Nextafter(x, math.Inf(direction))
		switch distance(neighbour, exact).Cmp(own) {
		case -1:
			t.Fatalf("got %g for %v, %g is nearer", x, exact, neighbour)
		case 0:
			if math.Float64bits(x)&1 == 1 {
				t.Fatalf("got %g for %v, the tie is not even", x, exact)
			}
		}
	}
}

func power2(n uint) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), n))
}

// distance is |x - exact|, with 2^1024 in the place of infinity.
func distance(x float64, exact *big.Rat) *big.Rat {
	v := new(big.Rat).SetFloat64(x)
	if v == nil {
		v = power2(1024)
		if x < 0 {
			v.Neg(v)
		}
	}
	return v.Abs(v.Sub(v, exact))
}
