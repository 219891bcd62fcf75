package vfs

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestConformance checks that every writable file system keeps the promises of FS and File.
func TestConformance(t *testing.T) {
	allow := func(Op) error { return nil }
	systems := map[string]func(t *testing.T) (FS, string){
		"os":           func(t *testing.T) (FS, string) { return OS(), t.TempDir() },
		"mem":          func(t *testing.T) (FS, string) { return NewMem(), "/" },
		"mem relative": func(t *testing.T) (FS, string) { return NewMem(), "." },
		"private":      func(t *testing.T) (FS, string) { return Private(), t.TempDir() },
		"injected os":  func(t *testing.T) (FS, string) { return Inject(OS(), allow), t.TempDir() },
		"injected mem": func(t *testing.T) (FS, string) { return Inject(NewMem(), allow), "/" },
	}
	for system, open := range systems {
		for name, test := range conformance {
			t.Run(system+"/"+name, func(t *testing.T) {
				fs, dir := open(t)
				test(&fixture{T: t, FS: fs, dir: dir})
				if tracker, ok := fs.(interface{ OpenFiles() []string }); ok && len(tracker.OpenFiles()) > 0 {
					t.Errorf("left open: %q", tracker.OpenFiles())
				}
			})
		}
	}
}

// fixture is a file system under test, with a directory to work in.
type fixture struct {
	*testing.T
	FS
	dir string
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, name) }

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) write(name, content string) {
	f.Helper()
	file, err := f.Create(f.path(name))
	f.must(err)
	n, err := file.Write([]byte(content))
	f.must(err)
	if n != len(content) {
		f.Fatalf("wrote %d of %d bytes", n, len(content))
	}
	f.must(file.Sync())
	f.must(file.Close())
}

func (f *fixture) read(name string) string {
	f.Helper()
	file, err := f.Open(f.path(name))
	f.must(err)
	content, err := io.ReadAll(file)
	f.must(err)
	f.must(file.Close())
	return string(content)
}

func (f *fixture) list(name string) string {
	f.Helper()
	names, err := f.List(f.path(name))
	f.must(err)
	return strings.Join(names, " ")
}

// fails checks that an error has a cause and names the file.
func (f *fixture) fails(err, cause error, name string) {
	f.Helper()
	if err == nil || cause != nil && !errors.Is(err, cause) || !strings.Contains(err.Error(), filepath.Base(name)) {
		f.Errorf("error %v, want %v of %s", err, cause, name)
	}
}

func (f *fixture) same(got, want string) {
	f.Helper()
	if got != want {
		f.Errorf("got %q, want %q", got, want)
	}
}

var conformance = map[string]func(*fixture){
	"write and read": func(f *fixture) {
		f.write("a", "hello, world")
		f.same(f.read("a"), "hello, world")
		size, err := f.Size(f.path("a"))
		f.must(err)
		if size != 12 {
			f.Errorf("size %d", size)
		}
	},
	"create empties": func(f *fixture) {
		f.write("a", "long content")
		f.write("a", "short")
		f.same(f.read("a"), "short")
	},
	"read at": func(f *fixture) {
		f.write("a", "0123456789")
		file, err := f.Open(f.path("a"))
		f.must(err)
		defer file.Close()
		f.same(file.Name(), f.path("a"))
		if size, err := file.Size(); err != nil || size != 10 || !file.Seekable() {
			f.Errorf("size %d, %v, seekable %t", size, err, file.Seekable())
		}
		var wait sync.WaitGroup
		for from := range 8 {
			wait.Go(func() {
				p := make([]byte, 3)
				if n, err := file.ReadAt(p, int64(from)); n != 3 || err != nil || string(p) != "0123456789"[from:from+3] {
					f.Errorf("read %q, %v at %d", p[:n], err, from)
				}
			})
		}
		wait.Wait()
		p := make([]byte, 4)
		if n, err := file.ReadAt(p, 8); n != 2 || err != io.EOF {
			f.Errorf("read %d bytes and %v over the end", n, err)
		}
		if n, err := file.ReadAt(p, 20); n != 0 || err != io.EOF {
			f.Errorf("read %d bytes and %v after the end", n, err)
		}
		if _, err := file.ReadAt(p, -1); err == nil {
			f.Error("read at a negative offset")
		}
		content, err := io.ReadAll(file)
		f.must(err)
		f.same(string(content), "0123456789")
	},
	"the creator reads": func(f *fixture) {
		file, err := f.Create(f.path("a"))
		f.must(err)
		defer file.Close()
		_, err = file.Write([]byte("abc"))
		f.must(err)
		_, err = file.Write([]byte("def"))
		f.must(err)
		p := make([]byte, 4)
		_, err = file.ReadAt(p, 1)
		f.must(err)
		f.same(string(p), "bcde")
	},
	"who opened cannot write": func(f *fixture) {
		f.write("a", "abc")
		file, err := f.Open(f.path("a"))
		f.must(err)
		defer file.Close()
		_, err = file.Write([]byte("x"))
		f.fails(err, nil, "a")
		f.same(f.read("a"), "abc")
	},
	"missing files": func(f *fixture) {
		_, err := f.Open(f.path("none"))
		f.fails(err, fs.ErrNotExist, "none")
		_, err = f.Size(f.path("none"))
		f.fails(err, fs.ErrNotExist, "none")
		_, err = f.List(f.path("none"))
		f.fails(err, fs.ErrNotExist, "none")
		_, err = f.Create(f.path("none/a"))
		f.fails(err, fs.ErrNotExist, "none/a")
		_, err = f.MkdirTemp(f.path("none"), "x-*")
		f.fails(err, fs.ErrNotExist, "none")
		f.fails(f.Rename(f.path("none"), f.path("a")), fs.ErrNotExist, "none")
		f.fails(f.Remove(f.path("none")), fs.ErrNotExist, "none")
		f.fails(f.SyncDir(f.path("none")), fs.ErrNotExist, "none")
		f.must(f.RemoveAll(f.path("none")))
	},
	"rename": func(f *fixture) {
		f.write("a", "new")
		f.write("b", "old")
		f.must(f.Rename(f.path("a"), f.path("b")))
		f.must(f.SyncDir(f.dir))
		f.same(f.read("b"), "new")
		f.same(f.list("."), "b")
		f.must(f.Rename(f.path("b"), f.path("b")))
		f.same(f.read("b"), "new")
		f.fails(f.Rename(f.path("b"), f.path("none/b")), fs.ErrNotExist, "b")
	},
	"target": func(f *fixture) {
		f.write("a", "x")
		f.must(f.MkdirAll(f.path("d")))
		for _, name := range []string{"a", "none", "d/none", "none/a"} {
			path, inPlace, err := f.Target(f.path(name))
			f.must(err)
			if path != f.path(name) || inPlace {
				f.Errorf("%s goes to %s, in place: %t", name, path, inPlace)
			}
		}
		path, _, err := f.Target(f.path("d"))
		f.fails(err, syscall.EISDIR, "d")
		f.same(path, f.path("d"))
	},
	"replace": func(f *fixture) {
		f.must(f.MkdirAll(f.path("d")))
		f.must(Replace(f, f.path("a"), []byte("old")))
		f.must(Replace(f, f.path("a"), []byte("new")))
		f.same(f.read("a"), "new")
		f.fails(Replace(f, f.path("none/a"), nil), fs.ErrNotExist, "a")
		f.fails(Replace(f, f.path("d"), nil), syscall.EISDIR, "d")
		f.same(f.list("."), "a d")
	},
	"rename a directory": func(f *fixture) {
		f.must(f.MkdirAll(f.path("d/e")))
		f.write("d/e/a", "x")
		f.must(f.Rename(f.path("d"), f.path("g")))
		f.must(f.SyncDir(f.dir))
		f.same(f.list("."), "g")
		f.same(f.read("g/e/a"), "x")
		f.must(f.MkdirAll(f.path("d")))
		f.write("g/b", "y")
		f.fails(f.Rename(f.path("d"), f.path("g")), nil, "d")
	},
	"directories": func(f *fixture) {
		f.must(f.MkdirAll(f.path("d/e/f")))
		f.must(f.MkdirAll(f.path("d/e")))
		f.write("d/e/a", "x")
		f.same(f.list("d/e"), "a f")
		f.fails(f.Remove(f.path("d")), nil, "d")
		_, err := f.Open(f.path("d"))
		f.fails(err, nil, "d")
		_, err = f.Create(f.path("d"))
		f.fails(err, nil, "d")
		_, err = f.Size(f.path("d"))
		f.fails(err, errors.ErrUnsupported, "d")
		f.fails(f.MkdirAll(f.path("d/e/a")), nil, "a")
		f.fails(f.MkdirAll(f.path("d/e/a/b")), nil, "a")
		f.must(f.Remove(f.path("d/e/f")))
		f.must(f.RemoveAll(f.path("d")))
		f.same(f.list("."), "")
	},
	"temporary directories": func(f *fixture) {
		var made []string
		for range 3 {
			dir, err := f.MkdirTemp(f.dir, "x-*-y")
			f.must(err)
			base := filepath.Base(dir)
			if filepath.Dir(dir) != filepath.Clean(f.dir) || !strings.HasPrefix(base, "x-") || !strings.HasSuffix(base, "-y") || slices.Contains(made, base) {
				f.Errorf("made %s after %q", dir, made)
			}
			made = append(made, base)
		}
		slices.Sort(made)
		f.same(f.list("."), strings.Join(made, " "))
	},
	"a removed file is read on": func(f *fixture) {
		f.write("a", "abc")
		file, err := f.Open(f.path("a"))
		f.must(err)
		f.must(f.Remove(f.path("a")))
		content, err := io.ReadAll(file)
		f.must(err)
		f.same(string(content), "abc")
		f.must(file.Close())
	},
	"closed files": func(f *fixture) {
		file, err := f.Create(f.path("a"))
		f.must(err)
		f.must(file.Close())
		f.fails(file.Close(), fs.ErrClosed, "a")
		_, err = file.Write([]byte("x"))
		f.fails(err, fs.ErrClosed, "a")
		_, err = file.Read(make([]byte, 1))
		f.fails(err, fs.ErrClosed, "a")
		_, err = file.ReadAt(make([]byte, 1), 0)
		f.fails(err, fs.ErrClosed, "a")
		f.fails(file.Sync(), fs.ErrClosed, "a")
		_, err = file.Size()
		f.fails(err, fs.ErrClosed, "a")
	},
}
