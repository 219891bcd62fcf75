package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// directory is nothing: to open what is no directory does not wait on this system.
const directory = 0

// noFollow is nothing: only administrators make symbolic links on this system.
const noFollow = 0

// tryLock locks an open file for its owner alone, until the file is closed. The error is
// errTaken if another process has locked it.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errTaken
	}
	return err
}

// lockDir returns nil: this system does not lock directories. So those that killed processes
// have left stay.
func lockDir(string) (io.Closer, error) { return nil, nil } //nolint:nilnil // see above

// duplicate is for descriptors, which have no names on this system.
func duplicate(_ int, name string) (*os.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.ErrUnsupported}
}

// ours returns false, so that directories which were there before stay as they are: who may
// read them is inherited on this system.
func ours(fs.FileInfo) bool { return false }

// admit does nothing: who may use a file is inherited on this system.
func admit(string, fs.FileInfo) error { return nil }

// syncDir does nothing: this system keeps a journal of names.
func syncDir(*os.File) error { return nil }

// DiskFull reports whether an error says that a disk, or a user's share of it, is full. What
// tests make file systems return is a number of Unix.
func DiskFull(err error) bool {
	for _, full := range []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, syscall.ENOSPC, syscall.EDQUOT} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}
