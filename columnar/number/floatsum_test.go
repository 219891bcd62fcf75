package number

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func sumFloats(values ...float64) *FloatSum {
	sum := new(FloatSum)
	for _, x := range values {
		sum.Add(x)
	}
	return sum
}

func encoding(t rapid.TB, s *FloatSum) []byte {
	t.Helper()
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatalf("AppendBinary: %v", err)
	}
	return b
}

func TestFloatSum(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{0.1, 0.2, -0.3}, 0x1p-55},
		{[]float64{1e100, 1, -1e100}, 1},
		{[]float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}, math.MaxFloat64},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.Inf(1)},
		{[]float64{-math.MaxFloat64, -math.MaxFloat64}, math.Inf(-1)},
		{[]float64{math.MaxFloat64, 0x1p970}, math.Inf(1)},
		{[]float64{math.MaxFloat64, 0x1p970, -least}, math.MaxFloat64},
		{[]float64{least, least, least}, 3 * least},
		{[]float64{-least}, -least},
		{[]float64{0x1p-1022, -least}, 0x1p-1022 - least},
		{[]float64{1, 0x1p-53}, 1},
		{[]float64{1, 0x1p-53, least}, 1 + 0x1p-52},
		{[]float64{1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51},
		{[]float64{-1, -0x1p-53, -least}, -1 - 0x1p-52},
		{[]float64{math.MaxFloat64, least, -math.MaxFloat64}, least},
		{[]float64{math.Copysign(0, -1)}, 0},
		{[]float64{1, -1}, 0},
		{[]float64{math.Inf(1), -math.MaxFloat64}, math.Inf(1)},
		{[]float64{math.Inf(-1), 1, math.Inf(-1)}, math.Inf(-1)},
		{[]float64{math.Inf(-1), 1, math.Inf(1)}, math.NaN()},
		{[]float64{math.NaN(), 1}, math.NaN()},
		{[]float64{math.NaN(), math.Inf(1)}, math.NaN()},
	} {
		got := sumFloats(test.values...).Float64()
		if math.Float64bits(got) != math.Float64bits(test.want) {
			t.Errorf("sum of %g is %g, want %g", test.values, got, test.want)
		}
	}
}

// finite draws float64 values that make sums difficult: with any exponents or with a few
// similar ones, with extreme mantissas, and subnormal values.
func finite() *rapid.Generator[float64] {
	return rapid.Custom(func(t *rapid.T) float64 {
		exponent := rapid.OneOf(
			rapid.Uint64Range(0, 2046),
			rapid.Uint64Range(1020, 1026),
			rapid.Uint64Range(0, 2),
			rapid.Just[uint64](2046),
		).Draw(t, "exponent")
		mantissa := rapid.OneOf(
			rapid.Uint64Range(0, 1<<52-1),
			rapid.SampledFrom([]uint64{0, 1, 1 << 51, 1<<52 - 1}),
		).Draw(t, "mantissa")
		sign := rapid.Uint64Range(0, 1).Draw(t, "sign")
		return math.Float64frombits(sign<<63 | exponent<<52 | mantissa)
	})
}

func exactSum(values []float64) *big.Rat {
	sum := new(big.Rat)
	for _, x := range values {
		sum.Add(sum, new(big.Rat).SetFloat64(x))
	}
	return sum
}

func TestFloatSumIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(finite(), 0, 8).Draw(t, "values")
		checkNearest(t, sumFloats(values...).Float64(), exactSum(values))
		// Minus its rounded value, a sum is tiny and consists of low bits only.
		sum := sumFloats(values...)
		if x := sum.Float64(); !math.IsInf(x, 0) {
			sum.Add(-x)
			checkNearest(t, sum.Float64(), exactSum(append(values, -x)))
		}
	})
}

func TestFloatSumExact(t *testing.T) {
	unit := new(big.Rat).SetFloat64(math.SmallestNonzeroFloat64)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(finite(), 0, 8).Draw(t, "values")
		n, ok := sumFloats(values...).Exact()
		got := new(big.Rat).SetInt(n)
		if want := exactSum(values); !ok || got.Mul(got, unit).Cmp(want) != 0 {
			t.Fatalf("sum of %g is %v, %v", values, got, ok)
		}
	})
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if _, ok := sumFloats(1, x).Exact(); ok {
			t.Errorf("%g has an exact value", x)
		}
	}
}

// group adds values in a random order and grouping.
func group(random *rand.Rand, values []float64) *FloatSum {
	parts := make([]FloatSum, 1+random.IntN(4))
	for _, i := range random.Perm(len(values)) {
		parts[random.IntN(len(parts))].Add(values[i])
	}
	sum := new(FloatSum)
	for i := range parts {
		if random.IntN(2) == 0 {
			parts[i].carry()
		}
		sum.AddSum(&parts[i])
	}
	return sum
}

func TestFloatSumInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		special := rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1)})
		values := rapid.SliceOfN(finite(), 0, 50).Draw(t, "values")
		values = append(values, rapid.SliceOfN(special, 0, 2).Draw(t, "special")...)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		one, other := group(random, values), group(random, values)
		if a, b := one.Float64(), other.Float64(); math.Float64bits(a) != math.Float64bits(b) {
			t.Fatalf("%g and %g", a, b)
		}
		if a, b := encoding(t, one), encoding(t, other); !bytes.Equal(a, b) {
			t.Fatalf("encodings %x and %x", a, b)
		}
	})
}

func TestFloatSumOfItself(t *testing.T) {
	sum := sumFloats(1.5, 0x1p-1000, -0x1p900)
	before := *sum
	double := sumFloats(3, 0x1p-999, -0x1p901)
	other := before
	other.AddSum(&before)
	sum.AddSum(sum)
	if a, b, want := encoding(t, sum), encoding(t, &other), encoding(t, double); !bytes.Equal(a, want) || !bytes.Equal(b, want) {
		t.Errorf("got %x and %x, want %x", a, b, want)
	}
}

// Many additions make the sum carry on its own.
func TestFloatSumCarries(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -1.9999999} {
		sum := new(FloatSum)
		sum.pending = maxPending - 3
		for range 7 {
			sum.Add(x)
			sum.AddSum(sumFloats(x, -x))
		}
		if sum.pending >= maxPending-3 {
			t.Errorf("%g: %d additions pending", x, sum.pending)
		}
		want := sumFloats(x, x, x, x, x, x, x)
		if a, b := encoding(t, sum), encoding(t, want); !bytes.Equal(a, b) {
			t.Errorf("%g: got %x, want %x", x, a, b)
		}
	}
}

func TestFloatSumHoldsManyGreatest(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, -math.MaxFloat64} {
		sum := sumFloats(x)
		for range 63 {
			sum.AddSum(sum) // 2^63 times the greatest in the end
		}
		decoded := new(FloatSum)
		if err := decoded.UnmarshalBinary(encoding(t, sum)); err != nil {
			t.Fatal(err)
		}
		negative := sumFloats(-x)
		for range 63 {
			decoded.AddSum(negative)
			negative.AddSum(negative)
		}
		if got := decoded.Float64(); got != x {
			t.Errorf("got %g, want %g", got, x)
		}
	}
}

func TestFloatSumEncoding(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   []byte
	}{
		{nil, []byte{kindZero}},
		{[]float64{1, -1}, []byte{kindZero}},
		{[]float64{math.SmallestNonzeroFloat64}, []byte{kindPositive, 0, 0, 1}},
		{[]float64{-258 * math.SmallestNonzeroFloat64}, []byte{kindNegative, 0, 0, 2, 1}},
		{[]float64{1}, []byte{kindPositive, 134, 0, 4}}, // bit 1074
		{[]float64{math.Inf(1), 1}, []byte{kindPosInf}},
		{[]float64{math.Inf(-1)}, []byte{kindNegInf}},
		{[]float64{math.Inf(-1), math.Inf(1), 3}, []byte{kindNaN}},
		{[]float64{math.NaN()}, []byte{kindNaN}},
	} {
		if got := encoding(t, sumFloats(test.values...)); !bytes.Equal(got, test.want) {
			t.Errorf("%g: got %x, want %x", test.values, got, test.want)
		}
	}
}

func TestFloatSumRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(finite(), 0, 8).Draw(t, "values")
		more := finite().Draw(t, "more")
		sum := sumFloats(values...)
		decoded := sumFloats(1, 2, math.Inf(1)) // all of which must go
		if err := decoded.UnmarshalBinary(encoding(t, sum)); err != nil {
			t.Fatal(err)
		}
		sum.Add(more)
		decoded.Add(more)
		if a, b := encoding(t, sum), encoding(t, decoded); !bytes.Equal(a, b) {
			t.Fatalf("got %x, want %x", b, a)
		}
	})
}

func TestFloatSumMalformed(t *testing.T) {
	long := bytes.Repeat([]byte{1}, magnitudeBytes)
	for name, data := range map[string][]byte{
		"empty":           {},
		"unknown kind":    {kindNaN + 1},
		"zero with tail":  {kindZero, 0},
		"inf with tail":   {kindPosInf, 0, 0, 1},
		"no magnitude":    {kindPositive, 0, 0},
		"cut header":      {kindNegative, 0},
		"zero at the low": {kindPositive, 0, 0, 0, 1},
		"zero at the top": {kindPositive, 0, 0, 1, 0},
		"zero byte":       {kindPositive, 0, 0, 0},
		"far offset":      {kindPositive, 255, 255, 1},
		"just too far":    append([]byte{kindPositive, 1, 0}, long...),
		"too long":        append([]byte{kindNegative, 0, 0, 1}, long...),
	} {
		sum := sumFloats(7)
		if err := sum.UnmarshalBinary(data); !errors.Is(err, ErrFloatSum) {
			t.Errorf("%s: got error %v", name, err)
		}
		if sum.Float64() != 7 {
			t.Errorf("%s: changed the sum to %g", name, sum.Float64())
		}
	}
	if err := new(FloatSum).UnmarshalBinary(append([]byte{kindPositive, 0, 0}, long...)); err != nil {
		t.Errorf("the longest magnitude: %v", err)
	}
}
