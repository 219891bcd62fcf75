package scan

import (
	"testing"

	"analyzer/columnar/vfs"
)

// memFile opens a file in memory.
func memFile(t testing.TB, name string, data []byte) vfs.File {
	t.Helper()
	fs := vfs.NewMem()
	f, err := fs.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = fs.Open(name); err != nil {
		t.Fatal(err)
	}
	return f
}
