package number

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The sum of a run is exact or refused, and that of values that people write is not refused.
func TestSumRun(t *testing.T) {
	written := rapid.Map(rapid.Int64Range(-1e9, 1e9), func(n int64) float64 { return float64(n) / 100 })
	for name, c := range map[string]struct {
		values *rapid.Generator[float64]
		always bool
	}{
		"written": {rapid.OneOf(written, rapid.Just(0.)), true},
		"common":  {common(), false},
		"finite":  {finite(), false},
		"scaled":  {rapid.Map(rapid.IntRange(-60, 60), func(n int) float64 { return math.Ldexp(1+1/math.Pi, n) }), false},
		"edges":   {rapid.SampledFrom([]float64{1 << 53, 1<<53 - 1, -1<<53 + 1, 0.5, math.Copysign(0, -1), 1 - 0x1p-53}), false},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				values := rapid.SliceOfN(c.values, 0, 100).Draw(t, "values")
				if rapid.Bool().Draw(t, "long") {
					for len(values) > 0 && 2*len(values) <= MostInRun {
						values = append(values, values...)
					}
				}
				high, low, ok := SumRun(values)
				if !ok && c.always {
					t.Fatal("refused")
				}
				if got, want := encoding(t, sumFloats(high, low)), encoding(t, sumFloats(values...)); ok && !bytes.Equal(got, want) {
					t.Fatalf("the sum is %x, want %x", got, want)
				}
			})
		})
	}
	full := make([]float64, MostInRun)
	for i := range full {
		full[i] = 1 - 0x1p-53
	}
	if high, low, ok := SumRun(full); !ok || !bytes.Equal(encoding(t, sumFloats(high, low)), encoding(t, sumFloats(full...))) {
		t.Error(high, low, ok)
	}
	if _, _, ok := SumRun(append(full, 1)); ok {
		t.Error("a run may be too long")
	}
}

func BenchmarkSumRun(b *testing.B) {
	values := make([]float64, MostInRun)
	for i := range values {
		values[i] = float64(i*7919%1_000_000) / 100
	}
	b.Run("run", func(b *testing.B) {
		b.SetBytes(8 * MostInRun)
		for b.Loop() {
			if _, _, ok := SumRun(values); !ok {
				b.Fatal("refused")
			}
		}
	})
	b.Run("one by one", func(b *testing.B) {
		b.SetBytes(8 * MostInRun)
		for b.Loop() {
			var s ShortSum
			for _, x := range values {
				s.Add(x)
			}
		}
	})
}
