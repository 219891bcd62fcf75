package staged

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

func put(t *testing.T, d *Dir, name, text string) {
	t.Helper()
	f, err := d.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, fsys vfs.FS, dir string) []string {
	t.Helper()
	names, err := fsys.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestFilesAppearOnCommit(t *testing.T) {
	fsys := vfs.NewMem()
	d, err := Open(fsys, "/a/b", "")
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, "x", "1")
	put(t, d, "y", "2")
	if names := list(t, fsys, "/a/b"); len(names) != 1 {
		t.Errorf("before Commit the directory holds %q", names)
	}
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := d.Discard(); err != nil {
		t.Fatal(err)
	}
	if names := list(t, fsys, "/a/b"); !slices.Equal(names, []string{"x", "y"}) {
		t.Errorf("after Commit the directory holds %q", names)
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	for _, existing := range []bool{false, true} {
		fsys := vfs.NewMem()
		if existing {
			if err := fsys.MkdirAll("/out"); err != nil {
				t.Fatal(err)
			}
		}
		d, err := Open(fsys, "/out", "")
		if err != nil {
			t.Fatal(err)
		}
		put(t, d, "x", "1")
		if _, err := d.Create("y"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := d.Discard(); err != nil {
				t.Fatal(err)
			}
		}
		names, err := fsys.List("/out")
		if existing && (err != nil || len(names) > 0) {
			t.Errorf("the directory holds %q, error %v", names, err)
		}
		if !existing && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the directory made for the files is still there: %q, %v", names, err)
		}
		if open := fsys.OpenFiles(); len(open) > 0 {
			t.Errorf("%q are still open", open)
		}
	}
}

func TestCommitWithOpenFile(t *testing.T) {
	fsys := vfs.NewMem()
	d, err := Open(fsys, "/out", "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Create("x")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(); err == nil {
		t.Error("a file that is still being written was committed")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closing twice: %v", err)
	}
	if err := d.Commit(); err != nil {
		t.Error(err)
	}
}

// Files that were moved stay, and the error says that this is unsure.
func TestADirectoryThatCannotBeSynced(t *testing.T) {
	fsys := vfs.NewMem()
	d, err := Open(vfstest.Inject(fsys, vfstest.FailNth(0, vfs.OpSyncDir)), "/a", "")
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, "x", "1")
	if err := d.Commit(); !errors.Is(err, vfs.ErrUnsure) || !errors.Is(err, vfstest.ErrInjected) {
		t.Errorf("commit: %v", err)
	}
	if err := d.Discard(); err != nil {
		t.Fatal(err)
	}
	if names := list(t, fsys, "/a"); !slices.Equal(names, []string{"x"}) {
		t.Errorf("the directory holds %q", names)
	}
}
