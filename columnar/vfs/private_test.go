package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPrivate makes files and directories of both kinds under umasks that allow much and
// little.
func TestPrivate(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077} {
		was := syscall.Umask(umask)
		defer syscall.Umask(was)
		for _, test := range []struct {
			files     FS
			file, dir fs.FileMode
		}{
			{Private(), 0o600, 0o700},
			{OS(), 0o666 &^ fs.FileMode(umask), 0o777 &^ fs.FileMode(umask)},
		} {
			root := t.TempDir()
			path := filepath.Join(root, "a", "b")
			if err := test.files.MkdirAll(path); err != nil {
				t.Fatal(err)
			}
			made(t, test.files, filepath.Join(path, "made"))
			if err := Replace(test.files, filepath.Join(path, "replaced"), []byte("x")); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]fs.FileMode{"a": test.dir, "a/b": test.dir, "a/b/made": test.file, "a/b/replaced": test.file} {
				if got := modeOf(t, filepath.Join(root, name)); got != want {
					t.Errorf("umask %03o: %s is %v, want %v", umask, name, got, want)
				}
			}
		}
	}
}

// TestStateBecomesPrivate opens state that everybody could read, and names a directory for
// state that holds something else.
func TestStateBecomesPrivate(t *testing.T) {
	files := Private()
	state, shared := filepath.Join(t.TempDir(), "state"), t.TempDir()
	for _, dir := range []string{filepath.Join(state, "jobs"), filepath.Join(shared, "photographs")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for path, mode := range map[string]fs.FileMode{state: 0o755, filepath.Join(state, "jobs"): 0o755, shared: 0o755 | fs.ModeSticky} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	note := filepath.Join(state, "note")
	if err := errors.Join(os.WriteFile(note, nil, 0o644), MakeState(files, state, "jobs"), MakeState(files, shared, "jobs")); err != nil {
		t.Fatal(err)
	}
	made(t, files, note)
	for path, want := range map[string]fs.FileMode{
		state: 0o700, filepath.Join(state, "jobs"): 0o700, note: 0o600,
		shared: 0o755 | fs.ModeSticky, filepath.Join(shared, "jobs"): 0o700,
	} {
		if got := modeOf(t, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

// TestLinksAreNotFollowed puts symbolic links where the program is about to write.
func TestLinksAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(target, []byte("precious"), 0o600), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	for what, write := range map[string]func() error{
		"a private file": func() error { _, err := Private().Create(link); return err },
		"a lock":         func() error { _, err := Lock(t.Context(), link); return err },
		"a crash":        func() error { return CrashOutput(link) },
	} {
		if err := write(); !errors.Is(err, syscall.ELOOP) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	full, left := filepath.Join(dir, "full"), filepath.Join(dir, "x-1-y")
	if err := errors.Join(os.Mkdir(full, 0o700), os.Symlink(full, left)); err != nil {
		t.Fatal(err)
	}
	if _, err := lockDir(left); err == nil {
		t.Error("a directory behind a link was locked")
	}
}

func made(t *testing.T, files FS, name string) {
	t.Helper()
	f, err := files.Create(name)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func modeOf(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode() & (fs.ModePerm | fs.ModeSticky)
}
