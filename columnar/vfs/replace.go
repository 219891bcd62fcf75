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
// durable. After an error that does not wrap ErrUnsure, nothing has changed.
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

// write makes a file with durable content. On an error it removes the file.
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

// ReadFile returns the content of a file.
func ReadFile(fs FS, path string) (content []byte, err error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
}
