package rules

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar/budget"
)

// TestPairingJoinsTheCheapest joins random parts as looking at all joins of all of them before each join does, and
// with no more steps for twice as many parts than their square takes.
func TestPairingJoinsTheCheapest(t *testing.T) {
	steps := make(map[int]int64)
	for _, n := range []int{10, 11, 15, 40, 100, 200} {
		for seed := range uint64(20) {
			if n > 40 && seed > 0 {
				break
			}
			products := seed%2 == 0
			tree, parts := randomParts(n, seed, products)
			tree.work = budget.NewWork(t.Context(), 0)
			got := tree.fewer(parts, products)
			steps[n] = tree.work.Done()
			if want := slowlyFewer(tree, parts, products); fmt.Sprint(written(got)) != fmt.Sprint(written(want)) {
				t.Fatalf("%d parts, seed %d: %s, want %s", n, seed, written(got), written(want))
			}
		}
	}
	if steps[200] > 5*steps[100] {
		t.Errorf("100 parts take %d steps, 200 parts %d", steps[100], steps[200])
	}
}

// randomParts returns parts of which many cost the same. Without products they are connected.
func randomParts(n int, seed uint64, products bool) (*joinTree, []*joined) {
	const classes = 6
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	var parts []*joined
	for i := range n {
		p := &joined{input: i, inputs: make(inputSet, 1+n/64), rows: float64(1 + rng.IntN(4)), values: make([]float64, classes), left: make([]float64, classes)}
		p.inputs[i/64] |= 1 << (i % 64)
		p.whole, p.feed = p.rows, p.rows
		for c := range classes {
			if c == 0 && !products || rng.IntN(4) == 0 {
				p.values[c] = float64(1 + rng.IntN(3))
				p.left[c] = p.values[c]
			}
		}
		parts = append(parts, p)
	}
	return &joinTree{classes: make([]class, classes)}, parts
}

func slowlyFewer(t *joinTree, parts []*joined, products bool) []*joined {
	parts = append([]*joined(nil), parts...)
	for len(parts) > mostExact {
		var best joined
		var from [2]int
		for i, a := range parts {
			for k := range i {
				if j := t.cheaper(joined{}, parts[k], a, products); j.build != nil && (best.build == nil || j.added() < best.added()) {
					best, from = j, [2]int{k, i}
				}
			}
		}
		parts[from[0]] = t.kept(best)
		parts = append(parts[:from[1]], parts[from[1]+1:]...)
	}
	return parts
}

func written(parts []*joined) (all []string) {
	for _, p := range parts {
		if p.build == nil {
			all = append(all, fmt.Sprint(p.input))
		} else {
			all = append(all, fmt.Sprint(written([]*joined{p.build, p.probe})))
		}
	}
	return all
}
