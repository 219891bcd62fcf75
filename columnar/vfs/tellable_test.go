package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestTellable(t *testing.T) {
	full := &fs.PathError{Op: "open", Path: "/srv/w1/jobs/7/MANIFEST.tmp", Err: syscall.ENOSPC}
	moved := &os.LinkError{Op: "rename", Old: "/srv/other/a", New: "/srv/other/b", Err: syscall.EIO}
	for want, err := range map[string]error{
		"open jobs/7/MANIFEST.tmp: no space left on device":           full,
		"keep it: rename a b: input/output error":                     fmt.Errorf("keep it: %w", moved),
		"open x: file does not exist\nrename a b: input/output error": errors.Join(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, moved),
		"segment jobs/7/s is damaged":                                 errors.New("segment /srv/w1/jobs/7/s is damaged"),
	} {
		if got := Tellable(err, "/srv/w1/", ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	temporary := fmt.Errorf("spill to %s/a/b", os.TempDir())
	if got := Tellable(temporary, ""); got != "spill to a/b" {
		t.Errorf("%q", got)
	}
}
