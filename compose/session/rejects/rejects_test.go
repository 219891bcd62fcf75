package rejects

import (
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

func rows() []scan.Reject {
	return []scan.Reject{
		{File: "/d/games.csv", Line: 7, Column: "AppID", Reason: "not-an-int", Cell: "x", Record: []byte("x,\"a \"\"b\"\"\"")},
		{File: "/d/games.csv", Line: 9, Reason: "too-few-fields", Record: []byte("one\r\ntwo\xff")},
	}
}

func tableOf(file string) string { return strings.TrimSuffix(file[3:], ".csv") }

func write(fs vfs.FS, name string) error {
	f, err := Create(fs, name, "", tableOf)
	if err != nil {
		return err
	}
	for _, r := range rows() {
		if err := f.Add(r); err != nil {
			return errors.Join(err, f.Discard())
		}
	}
	return errors.Join(f.Commit(), f.Discard())
}

func TestRowsReadBack(t *testing.T) {
	fs := vfs.NewMem()
	if err := write(fs, "/out/rejects.csv"); err != nil {
		t.Fatal(err)
	}
	f, err := fs.Open("/out/rejects.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		header(),
		{"games", "/d/games.csv", "7", "AppID", "not-an-int", "x", `x,"a ""b"""`},
		{"games", "/d/games.csv", "9", "", "too-few-fields", "", "one\ntwo\xff"}, // the reader drops the CR
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("read back %q, want %q", got, want)
	}
	if names, err := fs.List("/out"); err != nil || len(names) != 1 {
		t.Errorf("the directory holds %q, %v", names, err)
	}
}

func TestEveryFailureIsReported(t *testing.T) {
	for n := int64(0); ; n++ {
		mem := vfs.NewMem()
		fs := vfstest.Inject(mem, vfstest.FailNth(n))
		err := write(fs, "/out/rejects.csv")
		if open := mem.OpenFiles(); len(open) > 0 {
			t.Fatalf("operation %d fails: %q are still open", n, open)
		}
		if fs.Ops() <= n {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		// The second looks whether the directory is there.
		if err == nil && n != 1 {
			t.Fatalf("operation %d failed without an error", n)
		}
		if err != nil && !strings.Contains(err.Error(), "/out") {
			t.Errorf("the error %q does not say where", err)
		}
	}
}

func TestDiscardedFileIsGone(t *testing.T) {
	fs := vfs.NewMem()
	f, err := Create(fs, "/out/rejects.csv", "", tableOf)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	if names, err := fs.List("/out"); err == nil {
		t.Errorf("the directory is still there with %q", names)
	}
}

// TestDevice writes to what is no regular file, which nothing may be moved over.
func TestDevice(t *testing.T) {
	if err := write(vfs.OS(), "/dev/null"); err != nil {
		t.Fatal(err)
	}
	if _, err := vfs.OS().Size("/dev/null"); !errors.Is(err, errors.ErrUnsupported) {
		t.Fatalf("/dev/null is a regular file now: %v", err)
	}
}
