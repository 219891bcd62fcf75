package parquet_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// TestPageIndexes reads files with indexes of their pages, which testdata/README.md describes: bounds of pages hold and
// are closer than those of row groups, and rows are the same however many pages before them are passed over.
func TestPageIndexes(t *testing.T) {
	for _, name := range []string{"pages1", "pages2"} {
		t.Run(name, func(t *testing.T) {
			f := pageIndexed(t, name)
			checkCloser(t, f)
			rng, rounds := rand.New(rand.NewPCG(1, 8)), 50
			if testing.Short() {
				rounds = 10
			}
			for range rounds {
				share := rng.Float64()
				var some []bool
				for range 64 * len(f.Columns()) {
					some = append(some, rng.Float64() < share)
				}
				f := pageIndexed(t, name)
				skip := func(block int64, column int) bool { return some[int(block)%64*len(f.Columns())+column] }
				got, err := readAll(f, 1+rng.IntN(3), skip)
				if err != nil {
					t.Fatal(err)
				}
				for c, values := range got {
					for i, v := range values {
						if want := indexedRow(i)[c]; v != "" && v != want {
							t.Fatalf("row %d of column %d is %s, want %s", i, c, v, want)
						}
					}
				}
			}
		})
	}
}

func pageIndexed(t *testing.T, name string) *parquet.File {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name + ".parquet")
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.Open(stored(t, vfs.NewMem(), content), 2<<10)
	if err != nil {
		t.Fatal(err)
	}
	if f.Rows() != 1500 {
		t.Fatalf("%d rows", f.Rows())
	}
	return f
}

// indexedRow returns a row of the files.
func indexedRow(i int) []string {
	row := []string{fmt.Sprint(i), fmt.Sprint(float64(i) / 8), fmt.Sprintf("t%d", i/40), fmt.Sprintf("name %05d", i), "NULL", "NULL", "["}
	if i/300%2 == 0 {
		row[4] = fmt.Sprint(i / 10)
	}
	if i%5 != 0 {
		row[5] = fmt.Sprintf("prefix %04d", i/7)
	}
	for k := range i % 4 {
		if k > 0 {
			row[6] += ", "
		}
		row[6] += fmt.Sprint(i * k)
	}
	row[6] += "]"
	return row
}

func checkCloser(t *testing.T, f *parquet.File) {
	t.Helper()
	closer, noNulls, allNull := 0, 0, 0
	w, err := f.NewWorker(), error(nil)
	for err = w.Next(); err == nil; err = w.Next() {
		for i, c := range f.Columns() {
			whole, b := w.Bounds(i, false), w.Bounds(i, true)
			v, err := w.Column(i)
			if err != nil {
				t.Fatal(err)
			}
			nulls := 0
			for row := range v.Len {
				switch {
				case v.IsNull(row):
					nulls++
				case b.Least != nil && order(v, row, b.Least) < 0, b.Greatest != nil && order(v, row, b.Greatest) > 0:
					t.Fatalf("column %v: row %d of the block at %d is out of bounds", c, row, w.First())
				}
			}
			if b.NoNulls && nulls > 0 || b.AllNull && nulls < v.Len {
				t.Fatalf("column %v: the block at %d has %d nulls in %d rows", c, w.First(), nulls, v.Len)
			}
			if b.Least != nil && b.Greatest != nil && order(b.Greatest, 0, whole.Greatest) < 0 && order(b.Least, 0, whole.Least) > 0 {
				closer++
			}
			if b.NoNulls && !whole.NoNulls {
				noNulls++
			}
			if b.AllNull {
				allNull++
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if closer < 30 || noNulls < 5 || allNull < 2 {
		t.Errorf("%d bounds are closer, %d say that there are no nulls, and %d that all are", closer, noNulls, allNull)
	}
}
