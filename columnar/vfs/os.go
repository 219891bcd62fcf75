package vfs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"sort"
	"syscall"
)

type osFS struct {
	temps   *temps
	private bool
}

// OS returns the operating system's file system. Reads at an offset are pread calls, which
// package os repeats if a signal interrupts them. MkdirTemp locks its directory until
// RemoveAll, through the same FS, removes it, or the process ends. MkdirTemp also removes directories of the same
// pattern that killed processes have left.
//
// Files that it makes are a user's: the umask decides who else may read them.
func OS() FS { return osFS{temps: newTemps()} }

// Private is like OS for files that are nobody's but the program's: state, journals, spill.
// Whatever the umask, only their owner can read them. A directory or file that was there
// before becomes the owner's alone when it is made again, if it is theirs.
func Private() FS { return osFS{temps: newTemps(), private: true} }

// Modes of files and directories.
const (
	ordinaryFile, ordinaryDir fs.FileMode = 0o666, 0o777 // less the umask
	privateFile, privateDir   fs.FileMode = 0o600, 0o700
	others                    fs.FileMode = 0o077
)

func (osFS) Open(name string) (File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if info.IsDir() {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: name, Err: syscall.EISDIR}, file.Close())
	}
	return &osFile{File: file, regular: info.Mode().IsRegular()}, nil
}

func (f osFS) Create(name string) (File, error) {
	file, err := f.create(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &osFile{File: file, regular: info.Mode().IsRegular()}, nil
}

func (f osFS) create(name string) (*os.File, error) {
	if f.private {
		return createPrivate(name)
	}
	if _, inPlace, err := f.Target(name); err == nil && inPlace {
		return openInPlace(name)
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, ordinaryFile)
}

// Rename has the new file be for whom the old one was: somebody may have made it nobody else's.
func (f osFS) Rename(from, to string) error {
	if f.private {
		return os.Rename(from, to)
	}
	if old, err := os.Lstat(to); err == nil && old.Mode().IsRegular() {
		if err := admit(from, old); err != nil {
			return err
		}
	}
	return os.Rename(from, to)
}

func (osFS) Remove(name string) error { return os.Remove(name) }
func (osFS) Size(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, notRegular("size", name)
	}
	return info.Size(), nil
}

func (f osFS) MkdirAll(name string) error {
	if f.private {
		return makePrivate(name)
	}
	return os.MkdirAll(name, ordinaryDir)
}

func (f osFS) MkdirTemp(dir, pattern string) (string, error) { return f.temps.make(dir, pattern) }

func (f osFS) RemoveAll(name string) error {
	return errors.Join(os.RemoveAll(name), f.temps.release(name))
}

func (osFS) List(dir string) ([]string, error) {
	file, err := os.OpenFile(dir, os.O_RDONLY|directory, 0)
	if err != nil {
		return nil, err
	}
	names, err := file.Readdirnames(-1)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	sort.Strings(names)
	return names, nil
}

func (osFS) SyncDir(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(file), file.Close())
}

// osFile is an open file of the operating system.
type osFile struct {
	*os.File
	regular bool
}

func (f *osFile) Seekable() bool { return f.regular }

// Sync does nothing for a device or pipe, which keeps nothing.
func (f *osFile) Sync() error {
	if err := f.File.Sync(); f.regular || !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

func (f *osFile) Size() (int64, error) {
	if !f.regular {
		return 0, notRegular("size", f.Name())
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// notRegular returns the error for an operation that a pipe, terminal or directory does not
// support.
func notRegular(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("not a regular file: %w", errors.ErrUnsupported)}
}

// crashRoom is about how many bytes the Go runtime writes when it ends a process.
const crashRoom = 16 << 10

// CrashOutput makes the Go runtime write the reason of a crash, such as an unrecovered panic
// or lack of memory, to a file of the operating system. CrashOutput fills the file with line
// breaks to reserve space, as far as possible, since the disk may be full at the crash.
// The file is the owner's alone.
func CrashOutput(name string) error {
	f, err := createPrivate(name)
	if err != nil {
		return err
	}
	_, _ = f.Write(bytes.Repeat([]byte("\n"), crashRoom))
	_, err = f.Seek(0, io.SeekStart)
	return errors.Join(err, debug.SetCrashOutput(f, debug.CrashOptions{}), f.Close())
}
