package window

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlaceSet compares a set of places with a sorted list.
func TestPlaceSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var set placeSet
	for _, most := range []int64{1, 64, 100, 2000, 3000, 200_000, 50} {
		var in []int64
		for range 400 {
			place := 1 + rng.Int64N(most)
			set.grow(place)
			if at, found := slices.BinarySearch(in, place); found {
				in = slices.Delete(in, at, at+1)
				set.remove(place)
			} else {
				in = slices.Insert(in, at, place)
				set.add(place)
			}
			place = 1 + rng.Int64N(2*most)
			if at, _ := slices.BinarySearch(in, place); set.before(place) != int64(at) || set.len != int64(len(in)) {
				t.Fatalf("of %d places, %d are before %d, not %d", len(in), set.before(place), place, at)
			}
			if len(in) > 0 {
				if at := rng.IntN(len(in)); set.pick(int64(at)) != in[at] {
					t.Fatalf("place %d is %d, not %d", at, set.pick(int64(at)), in[at])
				}
			}
		}
		set.reset()
	}
}
