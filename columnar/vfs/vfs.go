// Package vfs is the interface between the program and the file system. It has an
// implementation on the operating system, one in memory that can lose what was not synced,
// and one that fails chosen operations.
//
// The program accesses all of its files (inputs, spill, state and answers) through an FS that
// it is given, so that a test can fail any single operation, tear a write, or crash between
// two steps.
package vfs

import "io"

// FS is the set of file system operations that the program needs. Names are operating system
// paths. Implementations are safe for concurrent use. Errors wrap the io/fs sentinels
// (fs.ErrNotExist, fs.ErrExist, …) and name the file.
type FS interface {
	// Open opens a file for reading.
	Open(name string) (File, error)
	// Create makes a new, empty file for writing and reading, replacing any
	// file of that name. What Target says to write in place is opened for writing in order.
	Create(name string) (File, error)
	// Target says how whoever makes a file complete and then moves it to name is to do so. It
	// returns the path to rename to: name or, if that is a symbolic link, the path at its end,
	// where there need not be a file yet. If inPlace is true, nothing may be renamed to name,
	// since it is a device, a pipe or a descriptor of this process, such as /dev/stdout. A
	// directory is an error, syscall.EISDIR, with its path, and so are links in a circle.
	Target(name string) (path string, inPlace bool, err error)
	// Rename atomically moves a file, replacing any file of the new name, or moves a
	// directory to a free name. Of files of a user, who may read and write the new one is as of the old one.
	Rename(from, to string) error
	// Remove deletes one file or empty directory.
	Remove(name string) error
	// RemoveAll deletes a directory and everything in it. A missing one is not an error.
	RemoveAll(name string) error
	// MkdirAll makes a directory and its parents.
	MkdirAll(name string) error
	// MkdirTemp makes a new directory below dir and returns its path. The "*" in pattern
	// is replaced to make the name unique. An empty dir means the system's directory for
	// temporary files.
	MkdirTemp(dir, pattern string) (string, error)
	// List returns the names (not paths) in a directory, sorted.
	List(dir string) ([]string, error)
	// Size returns the length in bytes of a regular file.
	Size(name string) (int64, error)
	// SyncDir makes earlier creates, renames and removes in dir durable.
	SyncDir(dir string) error
}

// File is an open file. ReadAt may be called concurrently; all other methods may not.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	// Sync makes what was written durable.
	Sync() error
	// Size returns the file's length in bytes.
	Size() (int64, error)
	// Seekable reports whether ReadAt and Size work. It is false for pipes and terminals,
	// which can only be read once, in order, and whose ReadAt and Size return an error
	// that wraps errors.ErrUnsupported.
	Seekable() bool
	// Name returns the name the file was opened under.
	Name() string
}
