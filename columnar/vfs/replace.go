package vfs

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// NewSuffix ends the name under which Replace writes a file first. A process that
// was killed may leave one; it means nothing.
const NewSuffix = ".tmp"

// ErrUnsure is wrapped by the error of a sync, and of a rename that makes something
// valid: it may have happened or not, and a crash may undo it. Nothing may be tried
// again, since a second sync can succeed without having written what the first one
// lost, and nobody may be told either way. A process that keeps state ends, and the
// next one reads what is there.
var ErrUnsure = errors.New("it is not known what is on disk")

// Unsure makes an error wrap ErrUnsure, nil stays nil.
func Unsure(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Replace makes a file of content that is there as a whole or not at all, whatever
// happens, and durable when Replace returns nil. After an error that does not wrap
// ErrUnsure nothing has changed.
func Replace(fs FS, path string, content []byte) error {
	temporary := path + NewSuffix
	if err := write(fs, temporary, content); err != nil {
		return err
	}
	err := fs.Rename(temporary, path)
	if err == nil {
		err = fs.SyncDir(filepath.Dir(path))
	}
	return Unsure(err)
}

// write makes a file whose content is durable, or none.
func write(fs FS, path string, content []byte) error {
	f, err := fs.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = Unsure(f.Sync())
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
