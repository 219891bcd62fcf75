package aggregate

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar/budget"
)

// TestCounts compares with a map of what is there after each step.
func TestCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	mem := &memory{reserved: budget.New(0).Reserve("test")}
	c := &counts{mem: mem, of: make(map[string]int64)}
	want := make(map[string]int64)
	for step := range 5000 {
		row := string(rune('a' + random.IntN(20)))
		if step%1000 < 500 && random.IntN(3) > 0 {
			c.add([]byte(row))
			want[row]++
		} else if there := want[row] > 0; c.remove([]byte(row)) != there {
			t.Fatalf("step %d: %s is there: %v", step, row, there)
		} else if there {
			if want[row]--; want[row] == 0 {
				delete(want, row)
			}
		}
		if keys := slices.Sorted(maps.Keys(want)); !slices.Equal(c.keys, keys) || !maps.Equal(c.of, want) {
			t.Fatalf("step %d: %v of %v, want %v", step, c.of, c.keys, want)
		}
	}
	c.reset()
	if len(c.keys) > 0 || len(c.of) > 0 || mem.reserved.Size() != 0 {
		t.Errorf("%v of %v are left, and %d bytes", c.of, c.keys, mem.reserved.Size())
	}
}
