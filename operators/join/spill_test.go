package join

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/optest"
)

var pairSchema = columnar.Schema{
	{Name: "user", Type: columnar.Int}, {Name: "film", Type: columnar.Int}, {Name: "title", Type: columnar.Text},
}

// pairInput is a join on two integers, with a text on either side. hot of 100
// rows have one key, and hotProbes probe rows have it too.
func pairInput(rng *rand.Rand, rows, hot, hotProbes int) input {
	in := input{
		cfg: Config{
			Build: pairSchema, Probe: pairSchema, BuildKeys: []int{0, 1}, ProbeKeys: []int{0, 1},
			BuildOut: []int{2, 0}, ProbeOut: []int{1, 2},
		},
		build: columnar.NewRows(pairSchema), probe: columnar.NewRows(pairSchema),
	}
	add := func(r *columnar.Rows, user, film int64, text string) {
		r.Cols[0].AppendInt(user)
		r.Cols[1].AppendInt(film)
		r.Cols[2].AppendBytes([]byte(text))
		r.Len++
	}
	for i := range rows {
		user, film := rng.Int64N(int64(rows)), rng.Int64N(2)
		if rng.IntN(100) < hot {
			user, film = -1, -1
		}
		add(&in.build, user, film, fmt.Sprintf("build row %d", i))
		add(&in.probe, rng.Int64N(int64(rows)), rng.Int64N(2), fmt.Sprintf("probe row %d", i))
	}
	for i := range hotProbes {
		add(&in.probe, -1, -1, fmt.Sprintf("hot probe row %d", i))
	}
	return in
}

// byHash computes the join of two integer keys with a map.
func (in input) byHash() []string {
	rows := make(map[[2]int64][]int)
	for i := range in.build.Len {
		key := [2]int64{in.build.Cols[0].Ints[i], in.build.Cols[1].Ints[i]}
		rows[key] = append(rows[key], i)
	}
	return in.pairs(func(i int) []int { return rows[[2]int64{in.probe.Cols[0].Ints[i], in.probe.Cols[1].Ints[i]}] })
}

func TestBudgetDoesNotChangeTheAnswer(t *testing.T) {
	for name, c := range map[string]struct{ rows, hot, hotProbes int }{
		"many keys":                {40_000, 0, 0},
		"a key of half the rows":   {40_000, 50, 3},
		"a key of nearly all rows": {40_000, 97, 2},
	} {
		for i, kind := range kinds {
			t.Run(name+" "+string(kind), func(t *testing.T) {
				in := pairInput(rand.New(rand.NewPCG(1, 1)), c.rows, c.hot, c.hotProbes)
				in.cfg.Kind = kind
				want := in.byHash()
				for l, limit := range []int64{0, 1, 300_000, 1_000_000, 3_500_000, 7_000_000} {
					for b, batch := range []int{500, 1 << 20} {
						if i > 0 && (i+l+b)%3 > 0 {
							continue // the kinds differ in what they mark, not in what they take
						}
						w := optest.NewWorld(limit, nil)
						op, err := New(w.Runtime, in.cfg)
						if err != nil {
							t.Fatal(err)
						}
						got, err := in.run(context.Background(), op, batch)
						if err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(got, want) {
							t.Errorf("budget %d, batches of %d: %d rows, want %d", limit, batch, len(got), len(want))
						}
						if spilled := w.Scratch.Stats().Files > 0; spilled != (limit > 0 && limit < 2_500_000) {
							t.Errorf("budget %d, batches of %d: %+v", limit, batch, w.Scratch.Stats())
						}
						if peak := w.Budget.Peak(); limit > 0 && peak > limit+1<<20 {
							t.Errorf("budget %d, batches of %d: %d bytes were reserved", limit, batch, peak)
						}
						w.CheckEmpty(t)
					}
				}
			})
		}
	}
}
