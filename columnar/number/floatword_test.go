package number

import (
	"cmp"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFloatWords(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0xFFF8_0000_0000_0042), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, -math.MaxFloat64}
	float := rapid.OneOf(rapid.Float64(), rapid.SampledFrom(special))
	// rank orders floats as words do.
	rank := func(x, y float64) int {
		if x != x || y != y {
			return cmp.Compare(y, x) // which has NaN below all
		}
		return cmp.Compare(x, y)
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := float.Draw(t, "x"), float.Draw(t, "y")
		want := rank(x, y)
		if got := cmp.Compare(FloatWord(x), FloatWord(y)); got != want {
			t.Fatalf("the words of %g and %g compare as %d, want %d", x, y, got, want)
		}
		if same := FloatBits(x) == FloatBits(y); same != (want == 0) {
			t.Fatalf("the bits of %g and %g are the same: %v", x, y, same)
		}
		if back := FloatOfWord(FloatWord(x)); rank(back, x) != 0 {
			t.Fatalf("%g became %g", x, back)
		}
	})
}
