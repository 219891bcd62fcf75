package worker

import (
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

// A commit passes the points of the disk in the order that makes it atomic.
func TestPointsOfACommit(t *testing.T) {
	var passed []string
	fs := CrashFS(vfs.NewMem(), func(point string) { passed = append(passed, point) })
	if err := fs.MkdirAll("/state"); err != nil {
		t.Fatal(err)
	}
	store, err := segment.OpenStore(fs, "/state")
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.NewWriter(columnar.Schema{{Name: "n", Type: columnar.Int}})
	if err != nil {
		t.Fatal(err)
	}
	passed = nil
	seg, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(segment.Change{Add: []*segment.Segment{seg}}); err != nil {
		t.Fatal(err)
	}
	want := []string{PointFsync, PointDirectorySync, PointManifest, PointFsync, PointRename, PointDirectorySync}
	if !slices.Equal(passed, want) {
		t.Errorf("passed %q, want %q", passed, want)
	}
}

func TestNoPointsWithoutCrash(t *testing.T) {
	if fs := vfs.NewMem(); CrashFS(fs, nil) != vfs.FS(fs) {
		t.Error("the file system was wrapped")
	}
}
