// Package vfs is the seam between the program and the file system: a small
// interface, its implementation on the operating system, one in memory that
// loses what was not synced, and one that fails the n-th operation.
//
// All files of the program, inputs, spill, state and answers, go through an FS
// that was passed in, so that a test can fail any single operation, tear a
// write, or crash between two steps.
package vfs

import "io"

// FS is everything the program asks of a file system. Names are operating
// system paths. Implementations are safe for concurrent use; errors wrap the
// io/fs sentinels (fs.ErrNotExist, fs.ErrExist, …) and name the file.
type FS interface {
	// Open opens a file for reading.
	Open(name string) (File, error)
	// Create makes a new, empty file for writing and reading, replacing any
	// file of that name.
	Create(name string) (File, error)
	// Rename moves a file over another one in one step, or a directory to a name
	// that is free.
	Rename(from, to string) error
	// Remove deletes one file or empty directory.
	Remove(name string) error
	// RemoveAll deletes a directory and all below it; a missing one is no error.
	RemoveAll(name string) error
	// MkdirAll makes a directory and its parents.
	MkdirAll(name string) error
	// MkdirTemp makes a new directory below dir and returns its path. The "*" of
	// pattern becomes what makes the name unique. An empty dir stands for the
	// system's directory for temporary files.
	MkdirTemp(dir, pattern string) (string, error)
	// List returns the names (not paths) in a directory, sorted.
	List(dir string) ([]string, error)
	// Size returns the length in bytes of a regular file.
	Size(name string) (int64, error)
	// SyncDir makes earlier creates, renames and removes in dir durable.
	SyncDir(dir string) error
}

// File is an open file. Reads by ReadAt may be concurrent; everything else has
// one caller at a time.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	// Sync makes what was written durable.
	Sync() error
	// Size returns the file's length in bytes.
	Size() (int64, error)
	// Seekable tells whether ReadAt and Size work: false for pipes and
	// terminals, which can only be read once, in order, and whose ReadAt and
	// Size return an error that wraps errors.ErrUnsupported.
	Seekable() bool
	// Name returns the name the file was opened under.
	Name() string
}
