package parquet_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// TestRanges cuts files wherever they can be cut: workers get each block of a range, and no other.
func TestRanges(t *testing.T) {
	const rounds = 20
	cut := 0
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 5))
		rows := record(t, []arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, "["+strings.Repeat(`{"n": 1},`, rng.IntN(2000))+`{"n": 2}]`)
		content := written(t, rows, 1+rng.Int64N(300))
		file, size, format := stored(t, vfs.NewMem(), content), 64<<rng.IntN(6), parquet.Format()
		at, err := format.Ranges(t.Context(), file, nil, size)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		whole, err := parquet.Open(file, size)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, got := blocksOf(t, whole), []int64(nil)
		for first := int64(0); first < at.Blocks; cut++ {
			end := at.End(first + 1 + rng.Int64N(1+at.Blocks/4))
			got = append(got, blocksOfRange(t, file, first, end, size)...)
			first = end
		}
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("seed %d: cut at %v: blocks %v, want %v", seed, at.Ends, got, want)
		}
		for k := range at.Blocks {
			_, err := format.Open(t.Context(), file, new(columnar.Table), input.Options{Options: csv.Options{BlockSize: size, First: k}})
			if can := k == 0 || slices.Contains(at.Ends, k); (err == nil) != can {
				t.Fatalf("seed %d: cut at %v: read from block %d on: %v", seed, at.Ends, k, err)
			}
		}
	}
	if cut < 3*rounds {
		t.Errorf("%d ranges of %d files are too few", cut, rounds)
	}
}

// blocksOfRange returns the numbers of the blocks of a range of a file.
func blocksOfRange(t *testing.T, file vfs.File, first, end int64, size int) (all []int64) {
	t.Helper()
	r, err := parquet.Format().Open(t.Context(), file, new(columnar.Table), input.Options{Options: csv.Options{BlockSize: size, First: first, Blocks: end}})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.(input.Ranged).Passage(); p.From(7).Line != 7 {
		t.Errorf("lines are counted from one range to the next: %+v", p)
	}
	return blocksFrom(t, r.(input.VectorReader).NewWorker())
}
