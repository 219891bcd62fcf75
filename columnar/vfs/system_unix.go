//go:build unix

package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// directory makes the opening of anything but a directory fail, and not wait as that of a pipe does.
const directory = syscall.O_DIRECTORY

// noFollow makes an opening fail at a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// tryLock locks an open file for its owner alone, until the file is closed. The error is
// errTaken if another process has locked it.
func tryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errTaken
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}

// lockDir locks a directory, but not one behind a symbolic link that somebody has put in its
// place. The lock is nil if the file system has no locks.
func lockDir(name string) (lock io.Closer, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|directory|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	locked := tryLock(f)
	opened, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	there, err := os.Lstat(name)
	if errors.Is(locked, errTaken) || err != nil || !os.SameFile(opened, there) {
		return nil, errors.Join(errTaken, f.Close())
	}
	if locked != nil {
		return nil, f.Close()
	}
	kept, err := duplicateDescriptor(int(f.Fd()), name)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return dirLock(kept), nil
}

// dirLock is the descriptor of a locked directory. A file, if nobody referred to it any more, would be closed by
// the garbage collector, and others would take the directory for a leftover.
type dirLock int

func (l dirLock) Close() error { return syscall.Close(int(l)) }

// duplicate opens what this process has open as a descriptor once more.
func duplicate(descriptor int, name string) (*os.File, error) {
	file, err := duplicateDescriptor(descriptor, name)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(file), name), nil
}

func duplicateDescriptor(descriptor int, name string) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := syscall.Dup(descriptor)
	if err != nil {
		return 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	syscall.CloseOnExec(file)
	return file, nil
}

// ours reports whether a file or directory belongs to the user of this process.
func ours(info fs.FileInfo) bool {
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// admit lets those use a file who may use another one, whose owner it gets if this process may give files away.
func admit(name string, as fs.FileInfo) error {
	if sys, ok := as.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = os.Chown(name, int(sys.Uid), int(sys.Gid)) // some file systems do not let root
	}
	return os.Chmod(name, as.Mode().Perm())
}

// syncDir makes the names in an open directory durable.
func syncDir(dir *os.File) error { return dir.Sync() }

// DiskFull reports whether an error says that a disk, or a user's share of it, is full.
func DiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
