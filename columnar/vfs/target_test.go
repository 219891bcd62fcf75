package vfs

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// link makes a symbolic link below dir and returns its path.
func link(t *testing.T, dir, to, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	far := filepath.Join(dir, "far", "deep")
	if err := os.MkdirAll(far, 0o755); err != nil {
		t.Fatal(err)
	}
	link(t, dir, "far/deep", "d")
	for name, c := range map[string]struct{ to, want string }{
		"relative":           {"file", "file"},
		"absolute":           {filepath.Join(dir, "abs"), "abs"},
		"other directory":    {"far/x", "far/x"},
		"dangling":           {"none", "none"},
		"through":            {"d/y", "far/deep/y"},
		"up from a link":     {"d/../z", "far/z"}, // and not "z", as the text of the path has it
		"missing directory":  {"missing/x", ""},
		"itself in a circle": {"itself in a circle", ""},
	} {
		replaced(t, dir, link(t, dir, c.to, name), c.to, c.want)
	}
	replaced(t, dir, link(t, dir, "relative", "link of a link"), "relative", "file")
}

// replaced checks that a replaced link stays and that the file at its end, below dir, has the
// new content.
func replaced(t *testing.T, dir, path, to, want string) {
	t.Helper()
	err := Replace(OS(), path, []byte(path))
	if there, _ := os.Readlink(path); there != to {
		t.Errorf("%s: the link leads to %q", path, there)
	}
	if want == "" {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ELOOP) {
			t.Errorf("%s: %v", path, err)
		}
		return
	}
	if text, failed := os.ReadFile(filepath.Join(dir, want)); err != nil || failed != nil || string(text) != path {
		t.Errorf("%s: %v, %v; %s holds %q", path, err, failed, want, text)
	}
}

// Who may read and write a file stays as it was when the file is replaced, by its name or by that of a link.
func TestModesStay(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o400, 0o777} {
		path := filepath.Join(dir, mode.String())
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, link(t, dir, path, "link"+mode.String())} {
			err := Replace(OS(), name, []byte("new"))
			if info, failed := os.Stat(path); err != nil || failed != nil || info.Mode() != mode || info.Size() != 3 {
				t.Errorf("%s: %v, %v; became %v", name, err, failed, info)
			}
		}
	}
}

func TestLinkFromALinkedDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	link(t, dir, "a/b", "here")
	link(t, filepath.Join(dir, "a", "b"), "../file", "l")
	replaced(t, dir, filepath.Join(dir, "here", "l"), "../file", "a/file")
}

// A pipe gets all bytes in order, once somebody reads it, and stays a pipe.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OS().List(path); !errors.Is(err, syscall.ENOTDIR) { // at once, though nobody writes to it
		t.Errorf("to list a pipe: %v", err)
	}
	for _, name := range []string{path, link(t, t.TempDir(), path, "link")} {
		want := bytes.Repeat([]byte("0123456789"), 50_000)
		done := make(chan error)
		go func() { done <- Replace(OS(), name, want) }()
		got, err := os.ReadFile(path)
		if failed := <-done; err != nil || failed != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes came, %v, %v", len(got), err, failed)
		}
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("the pipe became %v, %v", info, err)
	}
}

func TestDevices(t *testing.T) {
	if err := Replace(OS(), "/dev/null", []byte("x")); err != nil {
		t.Error(err)
	}
	if err := Replace(OS(), "/dev/full", []byte("x")); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "/dev/full") {
		t.Errorf("a full device: %v", err)
	}
	for _, name := range []string{"/dev/null", "/dev/full"} {
		if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
			t.Errorf("%s became %v, %v", name, info, err)
		}
	}
}

// A descriptor that is a file is written to where the process has come to in it, as the shell's
// >> means it.
func TestOwnDescriptor(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("before "); err != nil {
		t.Fatal(err)
	}
	descriptor := filepath.Join("/dev/fd", strconv.Itoa(int(f.Fd())))
	for _, name := range []string{descriptor, link(t, t.TempDir(), descriptor, "link")} {
		if err := Replace(OS(), name, []byte("within ")); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.WriteString("after"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(f.Name()); err != nil || string(text) != "before within within after" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// A socket can be neither replaced nor opened.
func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	n, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(n)
	if err := syscall.Bind(n, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Skip("the temporary directory has too long a name: ", err)
	}
	if err := Replace(OS(), path, []byte("x")); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a socket: %v", err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeSocket {
		t.Errorf("the socket became %v, %v", info, err)
	}
}
