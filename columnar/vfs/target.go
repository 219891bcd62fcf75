package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// maxLinks is how many symbolic links are followed, one after the other, as in Linux.
const maxLinks = 40

// Target follows symbolic links itself, since the file at their end may not exist yet. Where
// a private file belongs it follows none, and only a directory is in the way.
func (f osFS) Target(name string) (path string, inPlace bool, err error) {
	look := os.Stat
	if f.private {
		look = os.Lstat
	}
	info, err := look(name)
	switch {
	case err == nil && info.IsDir():
		if path, err = followed(name); err == nil {
			err = &fs.PathError{Op: "replace", Path: name, Err: syscall.EISDIR}
		}
		return path, false, err
	case f.private:
		return name, false, nil
	case err == nil && !info.Mode().IsRegular():
		return name, true, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", false, err
	}
	if path, err = followed(name); err != nil {
		return "", false, err
	}
	return path, isDescriptor(path), nil
}

// followed returns the path at the end of a chain of symbolic links, where there may be no
// file, or the descriptor that the chain comes to.
func followed(name string) (string, error) {
	path := name
	for range maxLinks {
		dir, base := filepath.Split(path)
		// ".." leads up from where the links in the directory lead to.
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return path, nil //nolint:nilerr // whoever opens the file will say what is wrong
		}
		if found := filepath.Join(real, base); isDescriptor(found) {
			return found, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // it is no link, or there is nothing
		}
		if path = to; !filepath.IsAbs(to) {
			path = real + string(filepath.Separator) + to
		}
	}
	return "", &fs.PathError{Op: "replace", Path: name, Err: syscall.ELOOP}
}

// isDescriptor reports whether a path stands for something that a process has open.
func isDescriptor(path string) bool {
	dir := filepath.Dir(path)
	return dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") && filepath.Base(dir) == "fd"
}

// openInPlace opens a device, a pipe or a descriptor for writing. It waits until somebody reads
// the pipe.
func openInPlace(name string) (*os.File, error) {
	n, own := ownDescriptor(name)
	if !own {
		return os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	}
	// A second opening of a file would begin at its start again, and sockets have none.
	return duplicate(n, name)
}

// ownDescriptor returns the number of the open file of this process that a name such as
// /dev/stdout stands for.
func ownDescriptor(name string) (n int, ok bool) {
	path, err := followed(name)
	dir := filepath.Dir(path)
	if err != nil || dir != "/dev/fd" && dir != filepath.Join("/proc", strconv.Itoa(os.Getpid()), "fd") {
		return 0, false
	}
	n, err = strconv.Atoi(filepath.Base(path))
	return n, err == nil
}
