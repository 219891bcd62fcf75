package answers

import (
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

func readFile(t *testing.T, fs vfs.FS, name string) string {
	t.Helper()
	f, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestDirectoryHasOneFilePerQuery(t *testing.T) {
	for _, f := range Formats() {
		fs := vfs.NewMem()
		set, err := NewDir(fs, "/out/here", Options{Format: Format(f), Queries: 2, Width: 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := writeAll(set, 4, mixed(), empty()); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		names, err := fs.List("/out/here")
		if err != nil {
			t.Fatal(err)
		}
		extension := Format(f).Extension()
		if want := []string{"q1" + extension, "q2" + extension}; !slices.Equal(names, want) {
			t.Errorf("%s: the directory holds %q, not %q", f, names, want)
		}
		if open := fs.OpenFiles(); len(open) > 0 {
			t.Errorf("%s: %q are still open", f, open)
		}
		switch text := readFile(t, fs, "/out/here/q1"+extension); Format(f) {
		case CSV:
			golden(t, "one.csv", []byte(text))
		case JSON:
			golden(t, "one.json", []byte(text))
		case Arrow:
			if got := readArrow(t, mixed(), []byte(text), true); !slices.Equal(got, lines(mixed().vectors)) {
				t.Errorf("the Arrow file reads back as %q", got)
			}
		case Parquet:
			if got, _, _ := readParquet(t, mixed(), []byte(text)); !slices.Equal(got, lines(mixed().vectors)) {
				t.Errorf("the Parquet file reads back as %q", got)
			}
		}
	}
}

// TestFailingDirectory makes each operation on the file system fail in turn. The answers
// of an earlier run stay, and this run leaves all of its answers or none, unless a move of
// a file into place fails.
func TestFailingDirectory(t *testing.T) {
	for _, f := range Formats() {
		for n := int64(0); ; n++ {
			mem := vfs.NewMem()
			before := map[string]string{"q1" + Format(f).Extension(): "old"}
			if err := putFile(mem, "/out/q1"+Format(f).Extension(), "old"); err != nil {
				t.Fatal(err)
			}
			fs := vfstest.Inject(mem, vfstest.FailNth(n))
			err := writeInto(fs, Format(f))
			if open := mem.OpenFiles(); len(open) > 0 {
				t.Fatalf("%s, operation %d fails: %q are still open", f, n, open)
			}
			if fs.Ops() <= n {
				if err != nil {
					t.Fatalf("%s: nothing failed but there is an error: %v", f, err)
				}
				break
			}
			// The first List only looks whether the directory is there.
			if err == nil && n > 0 {
				t.Fatalf("%s: operation %d failed without an error", f, n)
			}
			if err == nil || strings.Contains(err.Error(), "rename") || strings.Contains(err.Error(), "syncdir") ||
				strings.Contains(err.Error(), "removeall") {
				continue
			}
			if got := contents(t, mem, "/out"); len(got) != 1 || got["q1"+Format(f).Extension()] != before["q1"+Format(f).Extension()] {
				t.Fatalf("%s, operation %d fails (%v): the directory holds %q", f, n, err, got)
			}
		}
	}
}

func TestFullDisk(t *testing.T) {
	for _, f := range Formats() {
		mem := vfs.NewMem()
		fs := vfstest.Inject(mem, func(op vfs.Op) error {
			if op.Kind == vfs.OpWrite {
				return &vfs.ShortWrite{Bytes: op.Bytes / 2, Err: syscall.ENOSPC}
			}
			return nil
		})
		err := writeInto(fs, Format(f))
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "q1") {
			t.Errorf("%s: error %v does not say that the disk is full, or where", f, err)
		}
		if _, err := mem.List("/out"); err == nil {
			t.Errorf("%s: the directory made for the answers is still there", f)
		}
	}
}

func writeInto(fs vfs.FS, f Format) error {
	set, err := NewDir(fs, "/out", Options{Format: f, Queries: 2})
	if err != nil {
		return err
	}
	return writeAll(set, 4, mixed(), empty())
}

func putFile(fs vfs.FS, name, text string) error {
	if err := fs.MkdirAll("/out"); err != nil {
		return err
	}
	f, err := fs.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

func contents(t *testing.T, fs vfs.FS, dir string) map[string]string {
	t.Helper()
	names, err := fs.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, name := range names {
		out[name] = readFile(t, fs, dir+"/"+name)
	}
	return out
}

// A process that ends at the failpoint leaves earlier answers as they are. A run passes the
// failpoint once for each answer.
func TestSinkCommitPoint(t *testing.T) {
	mem := vfs.NewMem()
	if err := putFile(mem, "/out/q1.csv", "old"); err != nil {
		t.Fatal(err)
	}
	var passed []string
	fs := CrashFS(mem, func(point string) {
		passed = append(passed, point)
		if got := readFile(t, mem, "/out/q1.csv"); len(passed) == 1 && got != "old" {
			t.Errorf("before the commit there is %q", got)
		}
	})
	if err := writeInto(fs, CSV); err != nil {
		t.Fatal(err)
	}
	if want := len(contents(t, mem, "/out")); len(passed) != want || passed[0] != PointSinkCommit {
		t.Errorf("passed %q for %d answers", passed, want)
	}
}
