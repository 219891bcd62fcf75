package number

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"pgregory.net/rapid"
)

// sumOf is the Int128 with the value of v, which must be in range.
func sumOf(v *big.Int) Int128 {
	low := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64))
	return decimal128.New(new(big.Int).Rsh(v, 64).Int64(), low.Uint64())
}

// sums draws sums of every size, those next to powers of two more often.
func sums() *rapid.Generator[Int128] {
	return rapid.Custom(func(t *rapid.T) Int128 {
		near := new(big.Int).Lsh(big.NewInt(1), rapid.UintRange(0, 126).Draw(t, "power"))
		near.Add(near, big.NewInt(rapid.Int64Range(-3, 3).Draw(t, "off")))
		any := decimal128.New(rapid.Int64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo"))
		return rapid.SampledFrom([]Int128{
			any, sumOf(near), sumOf(near.Neg(near)),
			decimal128.New(any.HighBits()>>63, any.LowBits()),
			decimal128.New(math.MinInt64, 0),
			decimal128.New(math.MaxInt64, math.MaxUint64),
		}).Draw(t, "sum")
	})
}

func TestInt128AgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := sums().Draw(t, "n")
		if sumOf(BigInt(n)) != n {
			t.Fatalf("%v: big is %v", n, BigInt(n))
		}
		low, ok := Narrow(n)
		if want := BigInt(n); ok != want.IsInt64() || ok && low != want.Int64() {
			t.Fatalf("Narrow(%v) = %d, %v", want, low, ok)
		}
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil)
		if got, want := IsDecimal(n), BigInt(n).CmpAbs(limit) < 0; got != want {
			t.Fatalf("IsDecimal(%v) = %v", BigInt(n), got)
		}
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		if got, want := Product(a, b), new(big.Int).Mul(big.NewInt(a), big.NewInt(b)); BigInt(got).Cmp(want) != 0 {
			t.Fatalf("Product(%d, %d) = %v", a, b, BigInt(got))
		}
	})
}

func TestQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := sums().Draw(t, "n"), sums().Draw(t, "d")
		if d.Sign() != 0 {
			checkNearest(t, Quotient(n, d), new(big.Rat).SetFrac(BigInt(n), BigInt(d)))
		}
	})
}

func TestAppendDecimal(t *testing.T) {
	for want, sum := range map[string]Int128{
		"0":            decimal128.New(0, 0),
		"120153886644": decimal128.New(0, 120153886644*One),
		"4.5":          decimal128.New(0, 4_500_000),
		"0.000001":     decimal128.New(0, 1),
		"0.1":          decimal128.New(0, 100_000),
		"-0.000001":    decimal128.New(-1, math.MaxUint64),
		"1000000":      decimal128.New(0, One*One),
		"170141183460469231731687303715884.105727":  decimal128.New(math.MaxInt64, math.MaxUint64),
		"-170141183460469231731687303715884.105728": decimal128.New(math.MinInt64, 0),
		"10000000000000":        decimal128.New(0, 1e19),
		"100000000000000":       decimal128.New(5, 1e20-5<<64),
		"18446744073709.551616": decimal128.New(1, 0),
	} {
		if got := string(AppendDecimal(nil, sum)); got != want {
			t.Errorf("%#v: got %q, want %q", sum, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := sums().Draw(t, "a")
		want := new(big.Rat).SetFrac(BigInt(a), big.NewInt(One)).FloatString(Scale)
		want = strings.TrimSuffix(strings.TrimRight(want, "0"), ".")
		if got := string(AppendDecimal([]byte("sum "), a)); got != "sum "+want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestMean(t *testing.T) {
	check := func(t rapid.TB, sum Int128, count int64) {
		t.Helper()
		divisor := new(big.Int).Mul(big.NewInt(count), big.NewInt(One))
		checkNearest(t, Mean(sum, count, One), new(big.Rat).SetFrac(BigInt(sum), divisor))
	}
	rapid.Check(t, func(t *rapid.T) {
		count := 1 + rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "count")>>rapid.IntRange(0, 62).Draw(t, "shift")
		check(t, sums().Draw(t, "sum"), count)
	})
	for _, lo := range []int64{1<<53 - 1, 1 << 53, 1<<53 + 1, -1 << 53, -1<<53 - 1} {
		for _, count := range []int64{1, 3, 1 << 53 / One, 1<<53/One + 1, math.MaxInt64 / One, math.MaxInt64} {
			check(t, decimal128.FromI64(lo), count)
		}
	}
	if got := Mean(decimal128.FromI64(9_000_000), 2, One); got != 4.5 {
		t.Errorf("mean of 9 over 2 is %v", got)
	}
	for _, count := range []int64{0, -1, math.MinInt64} {
		if got := Mean(decimal128.FromI64(1), count, One); !math.IsNaN(got) {
			t.Errorf("mean over %d is %v", count, got)
		}
	}
}
