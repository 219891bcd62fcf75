package csv

import (
	"runtime"
	"testing"

	"analyzer/columnar/vfs"
)

// TestSmallFilesTakeLittle checks that the memory for a file is in proportion to its size: a
// statement may read many files that are smaller than a block.
func TestSmallFilesTakeLittle(t *testing.T) {
	fs := vfs.NewMem()
	if err := vfs.Replace(fs, "/t.csv", []byte("a,b\n1,2\n")); err != nil {
		t.Fatal(err)
	}
	f, err := fs.Open("/t.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Open(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b Block
	if err := r.Next(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<10 {
		t.Errorf("%d bytes for a file of 8", took)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
