package engine_test

import (
	"sync/atomic"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/operators/query/plan"
)

// refuseNth refuses claim n on a budget, and if it is from there on, all later ones too. Claims
// are counted from 0, in claims.
func refuseNth(n int64, onwards bool, claims *atomic.Int64) func() bool {
	return func() bool {
		at := claims.Add(1) - 1
		return at == n || onwards && at > n
	}
}

// TestEveryClaimIsRefused refuses each claim on the memory of a run, one per run, and then that
// claim and all behind it. "No" is an answer: the rows go to disk, the answers are exact, and
// nothing is left.
func TestEveryClaimIsRefused(t *testing.T) {
	c := newSmallCase(t)
	for _, replicas := range []int{1, 2} {
		o := engine.Options{Replicas: replicas, Memory: 256 << 20, BlockSize: 4 << 10}
		var all atomic.Int64
		c.refuse = refuseNth(-1, false, &all)
		want := c.answer(t, o).json
		t.Logf("%d claims", all.Load())
		if all.Load() < 50 {
			t.Fatalf("there are only %d claims", all.Load())
		}
		step := int64(1)
		if testing.Short() {
			step = all.Load()/10 + 1
		}
		for _, onwards := range []bool{false, true} {
			for n := int64(0); n < all.Load(); n += step {
				c.refuse = refuseNth(n, onwards, new(atomic.Int64))
				if c.same(t, want, o); t.Failed() {
					t.Fatalf("claim %d is refused, and those behind it: %v", n, onwards)
				}
			}
		}
	}
}

// newSmallCase is the queries of the spilling case over small tables.
func newSmallCase(t *testing.T) job {
	t.Helper()
	c := &spillingCase{queries: spilling(), tables: plan.Tables{"a": heap("a"), "b": heap("b")}}
	c.files = map[string]string{"a": heapRows(1, 300, 40, -1).csv(), "b": heapRows(2, 200, 40, 3).csv()}
	return c.on(t, vfs.NewMem())
}
