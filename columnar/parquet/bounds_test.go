package parquet_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// TestBounds checks that all values of random files are within what Bounds says.
func TestBounds(t *testing.T) {
	given, rounds := 0, uint64(12)
	if testing.Short() {
		rounds = 2
	}
	for seed := range rounds {
		_, content := randomFile(t, rand.New(rand.NewPCG(seed, 4)), 3000)
		f, err := parquet.Open(stored(t, vfs.NewMem(), content), 4<<10)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w := f.NewWorker()
		for err = w.Next(); err == nil; err = w.Next() {
			for i, c := range f.Columns() {
				least, greatest := w.Bounds(i, false).Least, w.Bounds(i, false).Greatest
				v, err := w.Column(i)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if least == nil && greatest == nil {
					continue
				}
				given++
				for row := range v.Len {
					if !v.IsNull(row) && (least != nil && order(v, row, least) < 0 || greatest != nil && order(v, row, greatest) > 0) {
						t.Fatalf("seed %d, column %v: row %d of the block at %d is out of bounds", seed, c, row, w.First())
					}
				}
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if given == 0 {
		t.Error("no file has bounds")
	}
}

// order compares value i with the only value of another vector.
func order(v *columnar.Vector, i int, with *columnar.Vector) int {
	switch v.Type.Kind() {
	case columnar.KindInt64:
		return int(min(max(v.Ints[i]-with.Ints[0], -1), 1))
	case columnar.KindFloat64:
		return number.CompareFloats(v.Floats[i], with.Floats[0])
	}
	return strings.Compare(string(v.Bytes(i)), string(with.Bytes(0)))
}
