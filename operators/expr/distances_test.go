package expr

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestDistances(t *testing.T) {
	for _, tt := range []struct {
		of   func(a, b []byte) (float64, error)
		a, b string
		want float64
	}{
		{levenshtein, "", "", 0},
		{levenshtein, "kitten", "sitting", 3},
		{levenshtein, "", "abc", 3},
		{hamming, "karolin", "kathrin", 3},
		{jaccard, "duck", "luck", 0.6},
		{jaro, "martha", "marhta", 17.0 / 18},
		{jaro, "dixon", "dicksonx", 23.0 / 30},
		{jaro, "a", "b", 0},
		{jaro, "", "", 0},
		{jaroWinkler, "martha", "marhta", 17.0/18 + 0.3/18},
	} {
		if got, err := tt.of([]byte(tt.a), []byte(tt.b)); err != nil || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%q and %q: %v, error %v; want %v", tt.a, tt.b, got, err, tt.want)
		}
	}
	long := make([]byte, 1<<15)
	for _, err := range []error{
		second(hamming([]byte("a"), []byte("ab"))), second(jaccard(nil, []byte("a"))), second(levenshtein(long, long)), second(jaro(long, long)),
	} {
		if !errors.Is(err, ErrNoNumber) {
			t.Errorf("error %v", err)
		}
	}
}

func second(_ float64, err error) error { return err }

// TestLevenshteinIsADistance compares with the recursion that defines it.
func TestLevenshteinIsADistance(t *testing.T) {
	var slow func(a, b []byte) int
	slow = func(a, b []byte) int {
		if len(a) == 0 || len(b) == 0 {
			return len(a) + len(b)
		}
		replaced := slow(a[1:], b[1:])
		if a[0] != b[0] {
			replaced++
		}
		return min(replaced, slow(a[1:], b)+1, slow(a, b[1:])+1)
	}
	text := func() []byte {
		out := make([]byte, rand.IntN(6))
		for i := range out {
			out[i] = 'a' + byte(rand.IntN(3))
		}
		return out
	}
	for range 300 {
		a, b := text(), text()
		if got, _ := levenshtein(a, b); got != float64(slow(a, b)) {
			t.Fatalf("%q and %q: %v, not %v", a, b, got, slow(a, b))
		}
	}
}
