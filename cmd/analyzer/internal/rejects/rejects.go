// Package rejects keeps rejected rows in a CSV file.
package rejects

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers/staged"
)

// Header returns the columns of the file. cell is the beginning of the faulty cell, record
// the whole row as it is in its file.
func Header() []string {
	return []string{"table", "file", "line", "column", "reason", "cell", "record"}
}

// File is a file of rejected rows, which appears once it is complete. It has one user at a
// time.
type File struct {
	name  string
	dir   *staged.Dir // nil if the name is not that of a regular file, such as /dev/null
	file  vfs.File
	csv   *csv.Writer
	table func(file string) string
}

// Create begins the file. table returns the table that a file holds.
func Create(fs vfs.FS, name string, table func(file string) string) (*File, error) {
	f := &File{name: name, table: table}
	if err := f.open(fs); err != nil {
		return nil, fmt.Errorf("keep rejected rows in %s: %w", name, err)
	}
	f.csv = csv.NewWriter(bufio.NewWriterSize(f.file, 256<<10)) // which takes that as its buffer
	return f, f.wrap(f.csv.Write(Header()))
}

func (f *File) open(fs vfs.FS) (err error) {
	if _, err := fs.Size(f.name); errors.Is(err, errors.ErrUnsupported) {
		// Devices and pipes are written to directly; moving a file there would replace them.
		f.file, err = fs.Create(f.name)
		return err
	}
	if f.dir, err = staged.Open(fs, filepath.Dir(f.name)); err != nil {
		return err
	}
	if f.file, err = f.dir.Create(filepath.Base(f.name)); err != nil {
		return errors.Join(err, f.dir.Discard())
	}
	return nil
}

// Add writes one rejected row.
func (f *File) Add(r scan.Reject) error {
	return f.wrap(f.csv.Write([]string{
		f.table(r.File), r.File, strconv.FormatInt(r.Line, 10), r.Column, r.Reason, r.Cell, string(r.Record),
	}))
}

// Commit completes the file.
func (f *File) Commit() error {
	f.csv.Flush()
	err := errors.Join(f.csv.Error(), f.file.Close())
	f.file = nil
	if err == nil && f.dir != nil {
		err = f.dir.Commit()
	}
	return f.wrap(err)
}

// Discard gives up the file unless it was committed.
func (f *File) Discard() error {
	if f.dir != nil {
		return f.wrap(f.dir.Discard())
	}
	if f.file == nil {
		return nil
	}
	file := f.file
	f.file = nil
	return f.wrap(file.Close())
}

func (f *File) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("keep rejected rows in %s: %w", f.name, err)
	}
	return nil
}
