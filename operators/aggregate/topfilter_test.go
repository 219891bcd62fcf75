package aggregate_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

// topRows returns random rows of partitions, with their words and row numbers.
func topRows(rng *rand.Rand, partitions, n int) (columnar.Schema, columnar.Rows) {
	schema := columnar.Schema{{Name: "text", Type: columnar.Text}, {Name: "n", Type: columnar.Int}, {Name: "word", Type: columnar.Int}, {Name: "id", Type: columnar.Int}}
	rows := columnar.NewRows(schema)
	for id := range n {
		p := rng.IntN(partitions)
		rows.Cols[0].AppendBytes([]byte("partition of a long name")[:p%20])
		if p%5 == 0 {
			rows.Cols[1].AppendNull()
		} else {
			rows.Cols[1].AppendInt(int64(p / 20))
		}
		rows.Cols[2].AppendInt(rng.Int64N(50))
		rows.Cols[3].AppendInt(int64(id))
	}
	rows.Len = n
	return schema, rows
}

// first returns the numbers of all rows that have fewer than n rows of their partition before
// them.
func first(schema columnar.Schema, rows columnar.Rows, keys []string, n int) []int64 {
	partitions := make(map[string][]int)
	for i := range rows.Len {
		key := naiveKey(schema, rows, keys, i)
		partitions[key] = append(partitions[key], i)
	}
	words := rows.Cols[2].Ints
	var ids []int64
	for _, p := range partitions {
		slices.SortFunc(p, func(i, j int) int { return int(words[i] - words[j]) })
		for _, i := range p {
			if words[i] <= words[p[min(n, len(p))-1]] {
				ids = append(ids, rows.Cols[3].Ints[i])
			}
		}
	}
	slices.Sort(ids)
	return ids
}

func TestTopFilterPassesTheFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, partitions := range []int{1, 40, 20_000} {
		schema, rows := topRows(rng, partitions, 20_000)
		for _, keys := range [][]string{{}, {"n"}, {"text", "n"}} {
			for _, n := range []int{1, 3} {
				want := first(schema, rows, keys, n)
				for _, budget := range []int64{0, 1} {
					w := optest.NewWorld(budget, nil)
					f, err := aggregate.NewTopFilter(w.Runtime, schema, aggregate.TopConfig{Keys: keys, Order: order.Key{Column: schema[2].Name}, Rows: n})
					if err != nil {
						t.Fatal(err)
					}
					for epoch := range 2 {
						var got []int64
						emit := func(rows columnar.Rows) error { got = append(got, rows.Cols[3].Ints[:rows.Len]...); return nil }
						for lo := 0; lo < rows.Len; lo += 3000 {
							if err := f.Push(context.Background(), 0, rows.Slice(lo, min(lo+3000, rows.Len)), emit); err != nil {
								t.Fatal(err)
							}
						}
						if err := f.Finish(context.Background(), 0, emit); err != nil {
							t.Fatal(err)
						}
						if !subsetOf(want, got) {
							t.Errorf("%d partitions by %v, first %d, budget %d, epoch %d: not all of %d rows are among %d", partitions, keys, n, budget, epoch, len(want), len(got))
						}
						if budget == 0 && len(got) != len(want) {
							t.Errorf("%d partitions by %v, first %d, epoch %d: %d rows pass, not %d, though all could be held back", partitions, keys, n, epoch, len(got), len(want))
						}
						if partitions <= 40 && len(got) > rows.Len/4 {
							t.Errorf("%d partitions by %v, first %d, budget %d: %d of %d rows pass", partitions, keys, n, budget, len(got), rows.Len)
						}
					}
					w.CheckEmpty(t)
				}
			}
		}
	}
}

// subsetOf reports whether all elements of some are among numbers, in order.
func subsetOf(some, all []int64) bool {
	for _, id := range some {
		at, found := slices.BinarySearch(all, id)
		if !found {
			return false
		}
		all = all[at+1:]
	}
	return slices.IsSorted(all)
}
