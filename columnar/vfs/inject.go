package vfs

import (
	"errors"
	"sync"
)

// injector is a file system that asks before each operation.
type injector struct {
	fs FS

	mu     sync.Mutex
	decide func(Op) error
}

// Inject wraps fs. It calls decide before every operation on fs and its files. If decide
// returns an error, the operation fails with it and is not done, with two exceptions: Close
// always closes, so that nothing leaks, and a *ShortWrite lets a write do some of its work.
// Calls of decide never overlap, so it may keep state.
func Inject(fs FS, decide func(Op) error) FS { return &injector{fs: fs, decide: decide} }

// ask returns the error that an operation must fail with, or nil.
func (i *injector) ask(kind Kind, name string, bytes int) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.decide(Op{Kind: kind, Name: name, Bytes: bytes}); err != nil {
		return pathError(kind.String(), name, err)
	}
	return nil
}

// do asks, and does the operation unless it must fail.
func (i *injector) do(kind Kind, name string, operation func() error) error {
	if err := i.ask(kind, name, 0); err != nil {
		return err
	}
	return operation()
}

func (i *injector) open(kind Kind, name string, open func(string) (File, error)) (File, error) {
	f := &injected{injector: i}
	if err := i.do(kind, name, func() (err error) { f.file, err = open(name); return err }); err != nil {
		return nil, err
	}
	return f, nil
}

// Open asks decide and opens the file.
func (i *injector) Open(name string) (File, error) { return i.open(OpOpen, name, i.fs.Open) }

// Create asks decide and creates the file.
func (i *injector) Create(name string) (File, error) { return i.open(OpCreate, name, i.fs.Create) }

// Target asks decide and says how the file is to be replaced.
func (i *injector) Target(name string) (path string, inPlace bool, err error) {
	err = i.do(OpTarget, name, func() (err error) { path, inPlace, err = i.fs.Target(name); return err })
	return path, inPlace, err
}

// Rename asks decide and renames. The Op has the new name.
func (i *injector) Rename(from, to string) error {
	return i.do(OpRename, to, func() error { return i.fs.Rename(from, to) })
}

// Remove asks decide and removes the file.
func (i *injector) Remove(name string) error {
	return i.do(OpRemove, name, func() error { return i.fs.Remove(name) })
}

// RemoveAll asks decide and removes the directory.
func (i *injector) RemoveAll(name string) error {
	return i.do(OpRemoveAll, name, func() error { return i.fs.RemoveAll(name) })
}

// MkdirAll asks decide and makes the directories.
func (i *injector) MkdirAll(name string) error {
	return i.do(OpMkdirAll, name, func() error { return i.fs.MkdirAll(name) })
}

// MkdirTemp asks decide and makes a directory. The Op has the name of its parent.
func (i *injector) MkdirTemp(dir, pattern string) (name string, err error) {
	err = i.do(OpMkdirTemp, dir, func() (err error) { name, err = i.fs.MkdirTemp(dir, pattern); return err })
	return name, err
}

// List asks decide and lists the directory.
func (i *injector) List(dir string) (names []string, err error) {
	err = i.do(OpList, dir, func() (err error) { names, err = i.fs.List(dir); return err })
	return names, err
}

// Size asks decide and returns a file's length.
func (i *injector) Size(name string) (n int64, err error) {
	err = i.do(OpSize, name, func() (err error) { n, err = i.fs.Size(name); return err })
	return n, err
}

// SyncDir asks decide and syncs the directory.
func (i *injector) SyncDir(dir string) error {
	return i.do(OpSyncDir, dir, func() error { return i.fs.SyncDir(dir) })
}

// injected is an open file of an injector.
type injected struct {
	injector *injector
	file     File
}

func (f *injected) ask(kind Kind, bytes int) error {
	return f.injector.ask(kind, f.file.Name(), bytes)
}

func (f *injected) Read(p []byte) (int, error) {
	if err := f.ask(OpRead, len(p)); err != nil {
		return 0, err
	}
	return f.file.Read(p)
}

func (f *injected) ReadAt(p []byte, off int64) (int, error) {
	if err := f.ask(OpReadAt, len(p)); err != nil {
		return 0, err
	}
	return f.file.ReadAt(p, off)
}

func (f *injected) Write(p []byte) (int, error) {
	err := f.ask(OpWrite, len(p))
	var short *ShortWrite
	switch {
	case errors.As(err, &short):
		n, failed := f.file.Write(p[:min(short.Bytes, len(p))])
		return n, errors.Join(err, failed)
	case err != nil:
		return 0, err
	}
	return f.file.Write(p)
}

func (f *injected) Sync() error {
	return f.injector.do(OpSync, f.file.Name(), f.file.Sync)
}

func (f *injected) Size() (n int64, err error) {
	err = f.injector.do(OpFileSize, f.file.Name(), func() (err error) { n, err = f.file.Size(); return err })
	return n, err
}

func (f *injected) Close() error {
	return errors.Join(f.ask(OpClose, 0), f.file.Close())
}

func (f *injected) Seekable() bool { return f.file.Seekable() }
func (f *injected) Name() string   { return f.file.Name() }
