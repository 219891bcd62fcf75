package vfs

import (
	"errors"
	"io"
	"path/filepath"
)

// NewSuffix ends the name under which Replace writes a file first. A process that
// was killed may leave one; it means nothing.
const NewSuffix = ".tmp"

// Replace makes a file of content that is there as a whole or not at all, whatever
// happens, and durable when Replace returns nil. After an error before the rename
// nothing has changed; after one that wraps ErrUnsure it is not known what the disk
// will say after a crash.
func Replace(fs FS, path string, content []byte) error {
	temporary := path + NewSuffix
	if err := write(fs, temporary, content); err != nil {
		return err
	}
	if err := errors.Join(fs.Rename(temporary, path), fs.SyncDir(filepath.Dir(path))); err != nil {
		return errors.Join(ErrUnsure, err)
	}
	return nil
}

// ErrUnsure means that it is not known what is on disk.
var ErrUnsure = errors.New("it is not known what is on disk")

// write makes a file whose content is durable, or none.
func write(fs FS, path string, content []byte) error {
	f, err := fs.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, fs.Remove(path))
	}
	return nil
}

// ReadFile returns what a file holds.
func ReadFile(fs FS, path string) (content []byte, err error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
}
