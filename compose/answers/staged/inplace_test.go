package staged

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
)

// A directory has a file, a link to another directory and a pipe of the names that are
// written. Until Commit nothing changes, and then only the files and what comes out of the
// pipe.
func TestLinksAndPipesStay(t *testing.T) {
	target, other, scratch := t.TempDir(), t.TempDir(), t.TempDir()
	pipe, link, linked := filepath.Join(target, "pipe"), filepath.Join(target, "link"), filepath.Join(other, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(linked, link); err != nil {
		t.Fatal(err)
	}
	d, err := Open(vfs.OS(), target, scratch)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "link", "pipe"} {
		put(t, d, name, name)
	}
	if _, err := os.Stat(linked); err == nil {
		t.Error("the link was followed before Commit")
	}
	done := make(chan error)
	go func() { done <- d.Commit() }()
	text, err := os.ReadFile(pipe)
	if failed := <-done; err != nil || failed != nil || string(text) != "pipe" {
		t.Errorf("%q came out of the pipe, %v, %v", text, err, failed)
	}
	if err := d.Discard(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(linked); err != nil || string(text) != "link" {
		t.Errorf("the linked file holds %q, %v", text, err)
	}
	for name, mode := range map[string]fs.FileMode{pipe: fs.ModeNamedPipe, link: fs.ModeSymlink, linked: 0} {
		if info, err := os.Lstat(name); err != nil || info.Mode().Type() != mode {
			t.Errorf("%s became %v, %v", name, info, err)
		}
	}
	for dir, want := range map[string]int{target: 3, other: 1, scratch: 0} {
		if names := list(t, vfs.OS(), dir); len(names) != want {
			t.Errorf("%s holds %q", dir, names)
		}
	}
}

// One file needs no staging directory beside the link or device that it is written through.
func TestOneFileIsStagedWhereItGoes(t *testing.T) {
	for _, name := range []string{"/dev/null", "/dev/stdout"} {
		scratch := t.TempDir()
		d, err := OpenFile(vfs.OS(), name, scratch)
		if err != nil {
			t.Fatal(err)
		}
		if names := list(t, vfs.OS(), scratch); len(names) != 1 {
			t.Errorf("%s: the scratch directory holds %q", name, names)
		}
		if err := d.Discard(); err != nil {
			t.Fatal(err)
		}
	}
}
