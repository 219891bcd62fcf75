package parquet_test

import (
	"errors"
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
		var input *csv.InputError
		if err != nil && !errors.As(err, &input) && !strings.Contains(err.Error(), "comes twice") {
			t.Error(err)
		}
	})
}
