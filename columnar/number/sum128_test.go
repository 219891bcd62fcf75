package number

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sumOf is the Sum128 with the value of v, which must be in range.
func sumOf(v *big.Int) Sum128 {
	low := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64))
	return Sum128{Hi: new(big.Int).Rsh(v, 64).Int64(), Lo: low.Uint64()}
}

func inRange(v *big.Int) bool {
	limit := new(big.Int).Lsh(big.NewInt(1), 127)
	return v.Cmp(limit) < 0 && v.Cmp(new(big.Int).Neg(limit)) >= 0
}

// sums draws sums of every size, those next to powers of two more often.
func sums() *rapid.Generator[Sum128] {
	return rapid.Custom(func(t *rapid.T) Sum128 {
		near := new(big.Int).Lsh(big.NewInt(1), rapid.UintRange(0, 126).Draw(t, "power"))
		near.Add(near, big.NewInt(rapid.Int64Range(-3, 3).Draw(t, "off")))
		any := Sum128{rapid.Int64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")}
		return rapid.SampledFrom([]Sum128{
			any, sumOf(near), sumOf(near.Neg(near)),
			{any.Hi >> 63, any.Lo},
			{Hi: math.MinInt64},
			{Hi: math.MaxInt64, Lo: math.MaxUint64},
		}).Draw(t, "sum")
	})
}

func TestSum128AgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, v := sums().Draw(t, "a"), sums().Draw(t, "b"), rapid.Int64().Draw(t, "v")
		if sumOf(a.big()) != a {
			t.Fatalf("%v: big is %v", a, a.big())
		}
		check := func(op string, got Sum128, ok bool, want *big.Int) {
			t.Helper()
			if ok != inRange(want) || ok && got != sumOf(want) {
				t.Fatalf("%s: %#v, %v; want %v", op, got, ok, want)
			}
		}
		sum := a
		ok := sum.AddSum(b)
		check("AddSum", sum, ok, new(big.Int).Add(a.big(), b.big()))
		if !ok && sum != a {
			t.Fatalf("AddSum left %v", sum)
		}
		sum = a
		ok = sum.Add(v)
		check("Add", sum, ok, new(big.Int).Add(a.big(), big.NewInt(v)))
		if !ok && sum != a {
			t.Fatalf("Add left %v", sum)
		}
		negative, ok := a.Neg()
		check("Neg", negative, ok, new(big.Int).Neg(a.big()))
		if a.IsNeg() != (a.big().Sign() < 0) {
			t.Fatalf("%v: IsNeg %v", a, a.IsNeg())
		}
		if got, want := a.Cmp(b), a.big().Cmp(b.big()); got != want || b.Cmp(a) != -want || a.Cmp(a) != 0 {
			t.Fatalf("Cmp(%v, %v) = %d, want %d", a, b, got, want)
		}
	})
}

func TestSum128Overflow(t *testing.T) {
	greatest, least := Sum128{math.MaxInt64, math.MaxUint64}, Sum128{Hi: math.MinInt64}
	for _, v := range []int64{1, 1 << 62, math.MaxInt64} {
		for _, sum := range []Sum128{greatest, {greatest.Hi, -uint64(v)}} {
			if before := sum; sum.Add(v) || sum != before {
				t.Errorf("%v plus %d is %v", before, v, sum)
			}
		}
		for _, sum := range []Sum128{least, {least.Hi, uint64(v) - 1}} {
			if before := sum; sum.Add(-v) || sum != before {
				t.Errorf("%v minus %d is %v", before, v, sum)
			}
		}
	}
	for _, sum := range []Sum128{greatest, least} {
		if before := sum; sum.AddSum(sum) || sum != before {
			t.Errorf("twice %v is %v", before, sum)
		}
	}
	if sum := (Sum128{greatest.Hi, math.MaxUint64 - 1<<62 + 1}); !sum.Add(1<<62-1) || sum != greatest {
		t.Errorf("the greatest sum is %v", sum)
	}
}

func TestSum128Bytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := sums().Draw(t, "a")
		b := a.Bytes()
		if got := Sum128FromBytes(b); got != a {
			t.Fatalf("%v came back as %v", a, got)
		}
		slices.Reverse(b[:])
		unsigned := a.big()
		if unsigned.Sign() < 0 {
			unsigned.Add(unsigned, new(big.Int).Lsh(big.NewInt(1), 128))
		}
		if want := unsigned.FillBytes(make([]byte, 16)); !slices.Equal(b[:], want) {
			t.Fatalf("%v: big-endian bytes %x, want %x", a, b, want)
		}
	})
}

func TestSum128String(t *testing.T) {
	for want, sum := range map[string]Sum128{
		"0":            {},
		"120153886644": {Lo: 120153886644 * One},
		"4.5":          {Lo: 4_500_000},
		"0.000001":     {Lo: 1},
		"0.1":          {Lo: 100_000},
		"-0.000001":    {Hi: -1, Lo: math.MaxUint64},
		"1000000":      {Lo: One * One},
		"170141183460469231731687303715884.105727":  {Hi: math.MaxInt64, Lo: math.MaxUint64},
		"-170141183460469231731687303715884.105728": {Hi: math.MinInt64},
		"10000000000000":        {Lo: 1e19},
		"100000000000000":       {Hi: 5, Lo: 1e20 - 5<<64},
		"18446744073709.551616": {Hi: 1},
	} {
		if got := sum.String(); got != want {
			t.Errorf("%#v: got %q, want %q", sum, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := sums().Draw(t, "a")
		want := new(big.Rat).SetFrac(a.big(), big.NewInt(One)).FloatString(Scale)
		want = strings.TrimSuffix(strings.TrimRight(want, "0"), ".")
		if got := string(a.AppendDecimal([]byte("sum "))); got != "sum "+want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestMean(t *testing.T) {
	check := func(t rapid.TB, sum Sum128, count int64) {
		t.Helper()
		divisor := new(big.Int).Mul(big.NewInt(count), big.NewInt(One))
		checkNearest(t, sum.Mean(count, One), new(big.Rat).SetFrac(sum.big(), divisor))
	}
	rapid.Check(t, func(t *rapid.T) {
		count := 1 + rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "count")>>rapid.IntRange(0, 62).Draw(t, "shift")
		check(t, sums().Draw(t, "sum"), count)
	})
	for _, lo := range []int64{1<<53 - 1, 1 << 53, 1<<53 + 1, -1 << 53, -1<<53 - 1} {
		for _, count := range []int64{1, 3, 1 << 53 / One, 1<<53/One + 1, math.MaxInt64 / One, math.MaxInt64} {
			check(t, Sum128{lo >> 63, uint64(lo)}, count)
		}
	}
	if got := (Sum128{Lo: 9_000_000}).Mean(2, One); got != 4.5 {
		t.Errorf("mean of 9 over 2 is %v", got)
	}
	for _, count := range []int64{0, -1, math.MinInt64} {
		if got := (Sum128{Lo: 1}).Mean(count, One); !math.IsNaN(got) {
			t.Errorf("mean over %d is %v", count, got)
		}
	}
}
