package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// createPrivate makes an empty file that only its owner can read. It does not follow a
// symbolic link.
func createPrivate(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC|noFollow, privateFile)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode()&others != 0 { // it was there before
		err = f.Chmod(privateFile)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// makePrivate makes a directory, and its parents, that only their owner can enter. Somebody
// else's directory, such as the volume of a container, stays as it is.
func makePrivate(name string) error {
	if err := os.MkdirAll(name, privateDir); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Mode()&others == 0 || !ours(info) {
		return nil
	}
	return os.Chmod(name, info.Mode()&^others)
}

// MakeState makes a directory for state, and directories below it. With Private, dir itself
// becomes the owner's alone only if it is new, empty or has the first of these already:
// otherwise somebody may have named a directory with other things in it.
func MakeState(files FS, dir string, below ...string) error {
	names, err := files.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && (len(names) == 0 || slices.Contains(names, below[0])) {
		err = files.MkdirAll(dir)
	}
	for _, name := range below {
		if err == nil {
			err = files.MkdirAll(filepath.Join(dir, name))
		}
	}
	return err
}
