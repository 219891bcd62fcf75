package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
)

type readOnly struct{ files fs.FS }

// ReadOnly adapts an fs.FS, such as samples embedded in the program. Names are relative to
// its root. A file is seekable if it has ReadAt, as files of embed.FS do. Every change fails
// with an error that wraps fs.ErrPermission; SyncDir does nothing, since there is nothing to
// make durable.
func ReadOnly(files fs.FS) FS { return readOnly{files} }

func (r readOnly) Open(name string) (File, error) {
	file, err := r.files.Open(slashed(name))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errIsDirectory}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	at, _ := file.(io.ReaderAt)
	return &readOnlyFile{File: file, at: at, name: name}, nil
}

func (r readOnly) List(dir string) ([]string, error) {
	entries, err := fs.ReadDir(r.files, slashed(dir))
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, nil
}

func (r readOnly) Size(name string) (int64, error) {
	info, err := fs.Stat(r.files, slashed(name))
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, notRegular("size", name)
	}
	return info.Size(), nil
}

func (r readOnly) Create(name string) (File, error) { return nil, forbidden("create", name) }
func (r readOnly) Target(name string) (string, bool, error) {
	return "", false, forbidden("replace", name)
}
func (r readOnly) Rename(from, _ string) error { return forbidden("rename", from) }
func (r readOnly) Remove(name string) error    { return forbidden("remove", name) }
func (r readOnly) RemoveAll(name string) error { return forbidden("remove", name) }
func (r readOnly) MkdirAll(name string) error  { return forbidden("mkdir", name) }
func (r readOnly) SyncDir(string) error        { return nil }
func (r readOnly) MkdirTemp(dir, pattern string) (string, error) {
	return "", forbidden("mkdir", filepath.Join(dir, pattern))
}

// readOnlyFile adds the missing methods of File to an fs.File.
type readOnlyFile struct {
	fs.File
	at   io.ReaderAt
	name string
}

func (f *readOnlyFile) Name() string              { return f.name }
func (f *readOnlyFile) Seekable() bool            { return f.at != nil }
func (f *readOnlyFile) Sync() error               { return nil }
func (f *readOnlyFile) Write([]byte) (int, error) { return 0, forbidden("write", f.name) }

func (f *readOnlyFile) ReadAt(p []byte, off int64) (int, error) {
	if f.at == nil {
		return 0, notSeekable(f.name)
	}
	return f.at.ReadAt(p, off)
}

func (f *readOnlyFile) Size() (int64, error) {
	if f.at == nil {
		return 0, notSeekable(f.name)
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// slashed turns an operating system path into a name of an fs.FS.
func slashed(name string) string { return path.Clean(filepath.ToSlash(name)) }

var errIsDirectory = errors.New("is a directory")

func forbidden(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("read-only file system: %w", fs.ErrPermission)}
}

// notSeekable returns the error for reading a stream at an offset or asking for its size.
func notSeekable(name string) error {
	return &fs.PathError{Op: "read at offset", Path: name, Err: fmt.Errorf("not seekable: %w", errors.ErrUnsupported)}
}
