package vfs

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

//go:embed testdata/sample
var embedded embed.FS

func TestReadOnlyShowsEmbeddedFiles(t *testing.T) {
	files := ReadOnly(embedded)
	names, err := files.List("testdata/sample/")
	if err != nil || len(names) != 1 || names[0] != "a.txt" {
		t.Fatalf("list: %q, %v", names, err)
	}
	path := filepath.Join("testdata", "sample", "a.txt")
	if size, err := files.Size(path); err != nil || size != 5 {
		t.Errorf("size %d, %v", size, err)
	}
	file, err := files.Open("./" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if size, err := file.Size(); err != nil || size != 5 || !file.Seekable() {
		t.Errorf("size %d, %v, seekable %t", size, err, file.Seekable())
	}
	part := make([]byte, 3)
	if n, err := file.ReadAt(part, 2); n != 3 || err != nil || string(part) != "llo" {
		t.Errorf("read %q, %v", part[:n], err)
	}
	if all, err := io.ReadAll(file); err != nil || string(all) != "hello" {
		t.Errorf("read %q, %v", all, err)
	}
	for op, err := range changes(files, path) {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", op, err)
		}
	}
	if _, err := files.Open("testdata"); err == nil {
		t.Error("opened a directory")
	}
	if _, err := files.Open("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened a missing file: %v", err)
	}
}

func changes(files FS, path string) map[string]error {
	_, create := files.Create(path)
	_, temp := files.MkdirTemp("testdata", "x-*")
	return map[string]error{
		"create": create, "temp": temp, "rename": files.Rename(path, "b"), "remove": files.Remove(path),
		"removeall": files.RemoveAll("testdata"), "mkdirall": files.MkdirAll("d"),
	}
}

// streamFS serves files that can only be read in order.
type streamFS struct{ fstest.MapFS }

type onlyRead struct{ fs.File }

func (s streamFS) Open(name string) (fs.File, error) {
	file, err := s.MapFS.Open(name)
	return onlyRead{file}, err
}

func TestStreamsAreNotSeekable(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	// Opening for reading waits for a writer; one that also reads does not wait.
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.WriteString("abc"); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (File, error){
		"pipe":  func() (File, error) { return OS().Open(pipe) },
		"stdin": func() (File, error) { return Stdin(strings.NewReader("abc")), nil },
		"fs": func() (File, error) {
			return ReadOnly(streamFS{fstest.MapFS{"a": {Data: []byte("abc")}}}).Open("a")
		},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := open()
			if err != nil {
				t.Fatal(err)
			}
			if name == "pipe" {
				if err := writer.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if file.Seekable() {
				t.Error("seekable")
			}
			if _, err := file.Size(); !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("size: %v", err)
			}
			if content, err := io.ReadAll(file); err != nil || string(content) != "abc" {
				t.Errorf("read %q, %v", content, err)
			}
			if _, err := file.ReadAt(make([]byte, 1), 0); err == nil {
				t.Error("read at an offset")
			}
			if _, err := file.Write([]byte("x")); err == nil {
				t.Error("wrote")
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
			if _, err := file.Read(make([]byte, 1)); err == nil {
				t.Error("read when closed")
			}
		})
	}
	if _, err := OS().Size(pipe); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("size of a pipe: %v", err)
	}
}
