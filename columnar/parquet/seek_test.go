package parquet_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"analyzer/columnar/input"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// TestSeek checks that each block of random files comes once, whatever is sought, and that the first block is of the row
// group that has what is sought.
func TestSeek(t *testing.T) {
	rounds := uint64(12)
	if testing.Short() {
		rounds = 2
	}
	for seed := range rounds {
		_, content := randomFile(t, rand.New(rand.NewPCG(seed, 4)), 3000)
		blocks := 0
		for way := range 4 {
			f, err := parquet.Open(stored(t, vfs.NewMem(), content), 4<<10)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			f.Seek(int(seed)%len(f.Columns()), input.Sought{Descending: way&1 == 1, NullsFirst: way&2 == 2})
			seen := make(map[int64]bool)
			for _, i := range blocksOf(t, f) {
				if seen[i] {
					t.Fatalf("seed %d: block %d comes twice", seed, i)
				}
				seen[i] = true
			}
			if blocks = max(blocks, len(seen)); len(seen) != blocks {
				t.Fatalf("seed %d: %d blocks, want %d", seed, len(seen), blocks)
			}
		}
	}
	for _, column := range []int{0, 1, 3} { // which are in order, one of floats
		for _, descending := range []bool{false, true} {
			f := pageIndexed(t, "pages1")
			f.Seek(column, input.Sought{Descending: descending})
			w := f.NewWorker()
			if err := w.Next(); err != nil {
				t.Fatal(err)
			}
			if first := map[bool]int64{false: 0, true: 1000}[descending]; w.First() != first {
				t.Errorf("column %d, descending %v: the first block begins with row %d, want %d", column, descending, w.First(), first)
			}
		}
	}
}

// blocksOf returns the numbers of the blocks that a worker gets.
func blocksOf(t *testing.T, f *parquet.File) (all []int64) {
	t.Helper()
	w := f.NewWorker()
	for {
		if err := w.Next(); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, w.Index())
	}
}
