package parquet_test

import (
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"analyzer/columnar/csv"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// FuzzRead reads arbitrary files. The values may be wrong, as the format has no checksums, but
// nothing panics, and errors blame the file.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"v1", "v2"} {
		content, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	for seed := range uint64(8) {
		_, content := randomFile(f, rand.New(rand.NewPCG(seed, 4)), 20)
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := parquet.Open(stored(t, vfs.NewMem(), content), 1<<10)
		if err == nil && p.Rows() < 10000 {
			_, err = readAll(p, 1, everything)
		}
		for _, rows := range []func(*parquet.About) [][]string{(*parquet.About).Fields, (*parquet.About).Chunks, (*parquet.About).Pairs, (*parquet.About).File} {
			_, failed := parquet.AboutFile(stored(t, vfs.NewMem(), content), rows)
			err = cmp.Or(err, failed)
		}
		var input *csv.InputError
		if err != nil && !errors.As(err, &input) && !strings.Contains(err.Error(), "comes twice") {
			t.Error(err)
		}
	})
}

// FuzzPageIndexes reads files whose indexes of pages may be wrong: nothing panics, and errors blame the file.
func FuzzPageIndexes(f *testing.F) {
	for _, name := range []string{"pages1", "pages2"} {
		content, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, uint64(3))
	}
	f.Fuzz(func(t *testing.T, content []byte, some uint64) {
		p, err := parquet.Open(stored(t, vfs.NewMem(), content), 1<<10)
		if err != nil || p.Rows() > 10000 {
			return
		}
		for w := p.NewWorker(); err == nil; err = w.Next() {
			for i := 0; w.Len() > 0 && i < len(p.Columns()) && err == nil; i++ {
				w.Bounds(i, true)
				if some>>((w.Index()+int64(i))%64)&1 == 1 {
					_, err = w.Column(i)
				}
			}
			if err != nil {
				break
			}
		}
		if input := (*csv.InputError)(nil); !errors.Is(err, io.EOF) && !errors.As(err, &input) {
			t.Error(err)
		}
	})
}
