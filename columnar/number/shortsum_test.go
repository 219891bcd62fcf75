package number

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// common draws float64 values of which most fit a ShortSum, and some just do or do not.
func common() *rapid.Generator[float64] {
	power := rapid.Custom(func(t *rapid.T) float64 {
		exponent := rapid.OneOf(rapid.IntRange(-20, 20), rapid.IntRange(-135, -70), rapid.IntRange(55, 63)).Draw(t, "exponent")
		return math.Ldexp(float64(rapid.SampledFrom([]int64{1, -1, 1<<53 - 1, 1 - 1<<53, 1 << 52, 3}).Draw(t, "mantissa")), exponent-52)
	})
	decimal := rapid.Map(rapid.Int64Range(-1e10, 1e10), func(n int64) float64 { return float64(n) / 1e6 })
	return rapid.OneOf(decimal, power, finite(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}))
}

// A ShortSum is compared with a FloatSum of the same values.
func TestShortSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var short, part ShortSum
		var want, others FloatSum
		for _, x := range rapid.SliceOf(common()).Draw(t, "values") {
			want.Add(x)
			if got, want := AppendSum(nil, x), encoding(t, sumFloats(x)); !bytes.Equal(got, want) {
				t.Fatalf("%g alone is encoded as %x, want %x", x, got, want)
			}
			if before := short; !short.Add(x) {
				if others.Add(x); short != before {
					t.Fatalf("%g does not fit and changed the sum", x)
				}
			}
			if rapid.Bool().Draw(t, "split") {
				if part.AddShort(&short) {
					short = ShortSum{}
				}
			}
		}
		if !part.AddShort(&short) {
			short.AddTo(&others)
		}
		if encoded := part.AppendBinary(nil); !part.Empty() {
			var sum FloatSum
			part.AddTo(&sum)
			checkShort(t, part, sum, encoded)
		}
		part.AddTo(&others)
		if got, want := encoding(t, &others), encoding(t, &want); !bytes.Equal(got, want) {
			t.Fatalf("the sum is %x, want %x", got, want)
		}
	})
}

// AddWhole agrees with Add, also for sums that would overflow and for marks.
func TestShortSumOfWholes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum := ShortSum{7, 0, 1}
		if rapid.Bool().Draw(t, "sum") {
			sum = ShortSum{}
			for _, x := range rapid.SliceOf(common()).Draw(t, "values") {
				sum.Add(x)
			}
		}
		same := sum
		for _, n := range rapid.SliceOf(rapid.Int64Range(-1<<53, 1<<53)).Draw(t, "wholes") {
			for range rapid.SampledFrom([]int{1, 1200}).Draw(t, "times") {
				if sum.AddWhole(n) != same.Add(float64(n)) || sum != same {
					t.Fatalf("with %d the sum is %x, want %x", n, sum, same)
				}
			}
		}
	})
}

// A product is added as the two floats that it consists of, or refused.
func TestShortSumOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sum, same ShortSum
		for range rapid.IntRange(1, 20).Draw(t, "terms") {
			x, y := common().Draw(t, "x"), common().Draw(t, "y")
			before := sum
			if !sum.AddProduct(x, y) {
				if sum != before {
					t.Fatalf("%g·%g does not fit and changed the sum", x, y)
				}
				continue
			}
			nearest := x * y
			if !same.Add(nearest) || !same.Add(math.FMA(x, y, -nearest)) || sum != same {
				t.Fatalf("with %g·%g the sum is %x, want %x", x, y, sum, same)
			}
		}
	})
	for _, f := range [][2]float64{{3, 5}, {0.1, -0.3}, {0x1p-13, 0x1p-13}, {-0x1.fp29, 0x1.fp29}} {
		if s := new(ShortSum); !s.AddProduct(f[0], f[1]) || s.Float64() != f[0]*f[1] {
			t.Errorf("%g·%g does not fit, or is %g", f[0], f[1], s.Float64())
		}
	}
	for _, f := range [][2]float64{{0, 1}, {1, 0x1p-1070}, {0x1p-14, 0x1p-13}, {0x1p30, 0x1p29}, {math.Inf(-1), 1}, {0x1p-1022, math.Inf(1)}, {0, math.NaN()}, {math.NaN(), 1}, {math.MaxFloat64, 2}} {
		if s := new(ShortSum); s.AddProduct(f[0], f[1]) || !s.Empty() {
			t.Errorf("%g·%g fits", f[0], f[1])
		}
	}
	marked := ShortSum{7, 0, 1}
	if marked.AddProduct(3, 5) || marked.AddProduct(-0x1p29, 0x1p30) || marked != (ShortSum{7, 0, 1}) {
		t.Error("a mark takes products")
	}
}

// An encoding that is not a ShortSum is refused even if its bytes would fit.
func TestShortSumRefuses(t *testing.T) {
	for _, x := range []float64{0x1p60, 0x1.fp60, 0x1.fp61, -0x1p61, 0x1p62, 0x1p-138} {
		sum := sumFloats(x)
		if short := new(ShortSum); short.UnmarshalBinary(encoding(t, sum)) {
			t.Errorf("%g was decoded as %g", x, short.Float64())
		}
	}
}

// checkShort compares a sum with the same sum as a FloatSum.
func checkShort(t *rapid.T, short ShortSum, sum FloatSum, encoded []byte) {
	t.Helper()
	if want := encoding(t, &sum); !bytes.Equal(encoded, want) {
		t.Fatalf("%x is encoded as %x, want %x", short, encoded, want)
	}
	if got, want := short.Float64(), sum.Float64(); math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%x is nearest to %g, want %g", short, got, want)
	}
	var again ShortSum
	if !again.UnmarshalBinary(encoded) || again != short {
		t.Fatalf("%x was decoded as %x", short, again)
	}
}

func TestShortSumHolds(t *testing.T) {
	for _, x := range []float64{0, 0x1p-78, -0x1p-130, 0x1p60 - 0x1p7, 100.000001, 1e18} {
		if s := new(ShortSum); !s.Add(x) || !s.Add(-x) || s.Empty() || s.Float64() != 0 {
			t.Errorf("%g does not fit", x)
		}
	}
	for _, x := range []float64{0x1p60, -0x1p60, 0x1p-131, math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(1), math.NaN()} {
		if s := new(ShortSum); s.Add(x) || !s.Empty() {
			t.Errorf("%g fits", x)
		}
	}
	full, n := new(ShortSum), 0
	for full.Add(0x1p57) {
		n++
	}
	if full.Float64() != float64(n)*0x1p57 || n != 7 {
		t.Errorf("%d times 2^57 fit, and are %g", n, full.Float64())
	}
	marked := ShortSum{7, 0, 1}
	for _, x := range []float64{0, 1, -1, 0x1p60 - 0x1p7, -0x1p60 + 0x1p7} {
		if marked.Add(x) || marked != (ShortSum{7, 0, 1}) {
			t.Errorf("a mark takes %g", x)
		}
	}
}

// FuzzShortSumUnmarshal compares it with FloatSum.UnmarshalBinary.
func FuzzShortSumUnmarshal(f *testing.F) {
	f.Add([]byte{kindZero})
	f.Add([]byte{kindPositive, shortLow, 0, 1})
	f.Add([]byte{kindNegative, shortLow + 22, 0, 255, 63})
	f.Add([]byte{kindNegative, shortLow, 0, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var short ShortSum
		if !short.UnmarshalBinary(data) {
			return
		}
		var sum, same FloatSum
		if err := sum.UnmarshalBinary(data); err != nil {
			t.Fatalf("%x is decoded: %v", data, err)
		}
		if short.AddTo(&same); same.Float64() != sum.Float64() || !bytes.Equal(short.AppendBinary(nil), data) {
			t.Fatalf("%x is decoded as %x", data, short)
		}
	})
}
