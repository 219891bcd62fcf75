package aggregate

import (
	"math/rand/v2"
	"testing"

	"analyzer/columnar/budget"
)

// TestFrequent compares with counting all values after each step, and looks at how many entries are kept.
func TestFrequent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	mem := &memory{reserved: budget.New(0).Reserve("test")}
	f := newFrequent(mem, func(int64) int64 { return 0 })
	var there []int64
	for step := range 5000 {
		if at := random.IntN(len(there) + 1); step%1000 < 600 || at == len(there) {
			v := int64(random.IntN(40)) - 20
			there = append(there, v)
			f.add(v)
		} else {
			if !f.remove(there[at]) {
				t.Fatalf("step %d: %d is not there", step, there[at])
			}
			there[at] = there[len(there)-1]
			there = there[:len(there)-1]
		}
		times, best := make(map[int64]int), int64(0)
		for _, v := range there {
			times[v]++
		}
		for v, n := range times {
			if most := times[best]; n > most || n == most && v < best {
				best = v
			}
		}
		if got, ok := f.best(); ok != (len(there) > 0) || ok && got != best {
			t.Fatalf("step %d: %d, %v, want %d of %v", step, got, ok, best, there)
		}
		if len(f.heap) > 2*40+64 {
			t.Fatalf("step %d: %d entries", step, len(f.heap))
		}
	}
	if f.remove(99) {
		t.Error("a value is removed that is not there")
	}
	f.reset()
	if _, ok := f.best(); ok || mem.reserved.Size() != 0 {
		t.Errorf("%d bytes are held of nothing", mem.reserved.Size())
	}
}
