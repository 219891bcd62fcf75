package answers

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// TestGiven tells that answers cannot be taken back as soon as somebody can see a byte of them.
func TestGiven(t *testing.T) {
	var text bytes.Buffer
	fs := vfs.NewMem()
	seen := func(dir string) func() bool {
		return func() bool { names, _ := fs.List(dir); return slices.Contains(names, "q1.csv") }
	}
	local := filepath.Join(t.TempDir(), "tree")
	for _, c := range []struct {
		name string
		open func(Options) (Set, error)
		seen func() bool
	}{
		{"stream", func(o Options) (Set, error) { return NewStream(&text, o) }, func() bool { return text.Len() > 0 }},
		{"together", func(o Options) (Set, error) { return NewDir(fs, "/together", o) }, seen("/together")},
		{"each", func(o Options) (Set, error) { o.Each = true; return NewDir(fs, "/each", o) }, seen("/each")},
		{"tree", func(o Options) (Set, error) {
			o.Writing.Partition = []string{"id"}
			return NewTree(vfs.OS(), local, o)
		}, func() bool { _, err := vfs.OS().List(local); return err == nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := c.open(Options{Format: CSV, Queries: 1})
			if err != nil {
				t.Fatal(err)
			}
			step := func(what string, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if given := set.Given(); given != c.seen() {
					t.Errorf("after %s: given %v, and seen %v", what, given, c.seen())
				}
			}
			a := mixed()
			step("open", nil)
			step("Begin", set.Begin(a.query, a.columns))
			step("Write", set.Write(columnar.Rows{Len: a.rows(), Cols: a.vectors}))
			step("End", set.End())
			step("Finish", set.Finish())
			step("Discard", set.Discard())
			if !set.Given() {
				t.Error("the answer is not given in the end")
			}
		})
	}
}
