package vfs

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// NewSuffix ends the name of the temporary file that Replace writes first. A killed process
// may leave one behind, which has no meaning.
const NewSuffix = ".tmp"

// ErrUnsure is wrapped by the error of a sync, and of a rename that makes a file valid: the
// operation may or may not have happened, and a crash may undo it. It must not be retried,
// since a second sync can succeed without writing what the first one lost, and its outcome
// must not be reported to anyone as success or failure. A process that keeps state ends, and
// the next one reads what is on disk.
var ErrUnsure = errors.New("it is not known what is on disk")

// Unsure makes an error wrap ErrUnsure. It returns nil for nil.
func Unsure(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Replace atomically replaces a file by content, or creates it: after a crash, the file has
// either its old or all of its new content. When Replace returns nil, the new content is
// durable. After an error that does not wrap ErrUnsure, nothing has changed. A symbolic link
// stays, and the file at its end is replaced. A device or pipe is written to, and gets part of
// the content if that fails.
func Replace(fs FS, name string, content []byte) error {
	path, inPlace, err := fs.Target(name)
	if err != nil {
		return err
	}
	written := path
	if !inPlace {
		written += NewSuffix
	}
	f, err := fs.Create(written)
	if err != nil {
		return err
	}
	err = fill(f, content)
	if inPlace {
		return err
	}
	if err != nil {
		return errors.Join(err, fs.Remove(written))
	}
	if err = fs.Rename(written, path); err == nil {
		err = fs.SyncDir(filepath.Dir(path))
	}
	return Unsure(err)
}

// fill makes the content of a file durable and closes it.
func fill(f File, content []byte) error {
	_, err := f.Write(content)
	if err == nil {
		err = Unsure(f.Sync())
	}
	return errors.Join(err, f.Close())
}

// ReadFile returns the content of a file.
func ReadFile(fs FS, path string) (content []byte, err error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
}
