package vfstest_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

func TestFailNthAndFrom(t *testing.T) {
	for name, c := range map[string]struct {
		decide func(vfs.Op) error
		want   string // of 5 creations and, between them, list calls
	}{
		"nth of all":         {vfstest.FailNth(2), "..x......"},
		"nth of a kind":      {vfstest.FailNth(2, vfs.OpCreate), "....x...."},
		"from of all":        {vfstest.FailFrom(6), "......xxx"},
		"from of a kind":     {vfstest.FailFrom(3, vfs.OpList), ".......x."},
		"of two kinds":       {vfstest.FailNth(3, vfs.OpList, vfs.OpCreate), "...x....."},
		"of an absent kind":  {vfstest.FailNth(0, vfs.OpRename), "........."},
		"more than there is": {vfstest.FailNth(9), "........."},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfstest.Inject(vfs.NewMem(), c.decide)
			var got strings.Builder
			for i := range 9 {
				var err error
				if i%2 == 0 {
					_, err = fs.Create("/a")
				} else {
					_, err = fs.List("/")
				}
				if err != nil {
					got.WriteByte('x')
				} else {
					got.WriteByte('.')
				}
			}
			if got.String() != c.want {
				t.Errorf("got %s, want %s", got.String(), c.want)
			}
		})
	}
}

func TestAFullDiskTakesPartOfAWrite(t *testing.T) {
	m := vfs.NewMem()
	fs := vfstest.Inject(m, vfstest.FillDisk(5))
	file, err := fs.Create("/a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		text string
		n    int
		full bool
	}{{"abc", 3, false}, {"defg", 2, true}, {"h", 0, true}} {
		n, err := file.Write([]byte(c.text))
		if n != c.n || errors.Is(err, syscall.ENOSPC) != c.full {
			t.Errorf("wrote %d of %q, %v", n, c.text, err)
		}
	}
	if got, err := vfs.ReadFile(m, "/a"); string(got) != "abcde" || err != nil {
		t.Errorf("on disk %q, %v", got, err)
	}
}

func TestOperationsAndFilesAreCounted(t *testing.T) {
	fs := vfstest.Inject(vfs.NewMem(), nil)
	for range 2 {
		file, err := fs.Create("/a")
		if err != nil {
			t.Fatal(err)
		}
		if open := fs.OpenFiles(); len(open) != 1 || open[0] != "/a" {
			t.Errorf("open: %q", open)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if fs.Ops() != 4 || fs.Ops(vfs.OpCreate) != 2 || fs.Ops(vfs.OpCreate, vfs.OpList) != 2 || len(fs.OpenFiles()) > 0 {
		t.Errorf("%d operations, %d creations, open: %q", fs.Ops(), fs.Ops(vfs.OpCreate), fs.OpenFiles())
	}
}
