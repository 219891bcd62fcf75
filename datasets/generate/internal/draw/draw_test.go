package draw

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBelowStaysBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Source
		s.Reset(rapid.Uint64().Draw(t, "key"), rapid.IntRange(0, 1<<40).Draw(t, "row"))
		n := rapid.OneOf(rapid.IntRange(1, 5000), rapid.IntRange(1, 1<<40)).Draw(t, "n")
		for range 100 {
			if k := s.Below(n); k < 0 || k >= n {
				t.Fatalf("Below(%d) = %d", n, k)
			}
		}
	})
}

func TestBelowIsEven(t *testing.T) {
	for _, n := range []int{2, 7, 100, 4097} {
		counts := make([]int, n)
		var s Source
		for row := range 2000 * n / 10 {
			s.Reset(42, row)
			for range 10 {
				counts[s.Below(n)]++
			}
		}
		if low, high := slices.Min(counts), slices.Max(counts); low < 1700 || high > 2300 {
			t.Errorf("Below(%d): each of the numbers 2000 times on average, but from %d to %d times", n, low, high)
		}
	}
}

func TestResetRepeatsAndSeparates(t *testing.T) {
	var a, b Source
	seen := map[uint64]bool{}
	for key := range uint64(20) {
		for row := range 500 {
			a.Reset(key, row)
			a.Below(3)
			b.Below(5) // leaves a part of a draw behind, which Reset must forget
			b.Reset(key, row)
			b.Below(3)
			x, y := a.Bits(), b.Bits()
			if x != y {
				t.Fatalf("key %d, row %d: two streams", key, row)
			}
			if seen[x] {
				t.Fatalf("key %d, row %d: the stream of another row", key, row)
			}
			seen[x] = true
		}
	}
}

func TestOtherIsNotTheOneBefore(t *testing.T) {
	var s Source
	s.Reset(1, 1)
	for n := 2; n < 9; n++ {
		seen := map[int]bool{}
		last := -1
		for range 400 {
			next := s.Other(n, last)
			if next == last || next < 0 || next >= n {
				t.Fatalf("Other(%d, %d) = %d", n, last, next)
			}
			last, seen[next] = next, true
		}
		if len(seen) != n {
			t.Errorf("Other(%d, …) gave only %d numbers", n, len(seen))
		}
	}
}

func TestTurnGivesEachKindOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Uint64().Draw(t, "key")
		period := rapid.IntRange(1, 50).Draw(t, "period")
		kinds := []int{1, 2, 3, 4, 5}
		counts := map[int]int{}
		for row := range period * len(kinds) {
			counts[Turn(key, row, period, kinds)]++
		}
		for _, kind := range kinds {
			if counts[kind] != 1 {
				t.Fatalf("kind %d came %d times in %d rows", kind, counts[kind], period*len(kinds))
			}
		}
	})
}

func TestSplitSharesEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Uint64Range(0, 1<<40), 1, 50).Draw(t, "weights")
		weights[0]++
		total := rapid.IntRange(0, 1<<40).Draw(t, "total")
		bounds := Split(weights, total)
		if bounds[0] != 0 || bounds[len(weights)] != total || !slices.IsSorted(bounds) {
			t.Fatalf("bounds %v for a total of %d", bounds, total)
		}
		var sum float64
		for _, w := range weights {
			sum += float64(w)
		}
		for i, w := range weights {
			share, fair := float64(bounds[i+1]-bounds[i]), float64(total)*float64(w)/sum
			if share < fair*(1-1e-9)-1 || share > fair*(1+1e-9)+1 {
				t.Fatalf("share %d is %v, not %v", i, share, fair)
			}
		}
	})
}

func TestZipfFalls(t *testing.T) {
	w := Zipf(1000, 8)
	if !slices.IsSortedFunc(w, func(a, b uint64) int { return int(b>>20) - int(a>>20) }) || w[0] < 100*w[999] || w[0] > 130*w[999] {
		t.Errorf("from %d to %d", w[0], w[999])
	}
}

func TestPermutationHoldsEveryNumberOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 10_000} {
		p := Permutation(3, n)
		if n > 2 && slices.IsSorted(p) {
			t.Errorf("%d numbers are still in order", n)
		}
		slices.Sort(p)
		for i, k := range p {
			if int(k) != i {
				t.Fatalf("of %d numbers, %d is missing", n, i)
			}
		}
	}
}

func TestOddsFollowWeights(t *testing.T) {
	odds := NewOdds([]int{1, 0, 3, 6})
	var s Source
	s.Reset(5, 5)
	var counts [4]int
	for range 10_000 {
		counts[odds.Pick(&s)]++
	}
	for i, want := range [4]int{1000, 0, 3000, 6000} {
		if diff := counts[i] - want; diff < -200 || diff > 200 {
			t.Errorf("%d: picked %d times, want about %d", i, counts[i], want)
		}
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, name := range []string{"", "a", "b", "ab", "ba", "aa", "ratings.csv", "reviews.csv"} {
		for seed := range uint64(50) {
			key := Key(seed, name)
			if other, ok := seen[key]; ok {
				t.Errorf("%q and %q have the same key", name, other)
			}
			seen[key] = name
		}
	}
}
