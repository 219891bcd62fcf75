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

// header returns the columns of the file. cell is the beginning of the faulty cell, record
// the whole row as it is in its file.
func header() []string {
	return []string{"table", "file", "line", "column", "reason", "cell", "record"}
}

// File is a file of rejected rows, which appears once it is complete. It has one user at a
// time.
type File struct {
	name  string
	dir   *staged.Dir
	file  vfs.File
	csv   *csv.Writer
	table func(file string) string
}

// Create begins the file. What is meant for a device or pipe is kept in the directory scratch
// until it is complete; "" is the system's directory for temporary files. table returns the
// table that a file holds.
func Create(fs vfs.FS, name, scratch string, table func(file string) string) (*File, error) {
	f := &File{name: name, table: table}
	if err := f.open(fs, scratch); err != nil {
		return nil, fmt.Errorf("keep rejected rows in %s: %w", name, err)
	}
	f.csv = csv.NewWriter(bufio.NewWriterSize(f.file, 256<<10)) // which takes that as its buffer
	return f, f.wrap(f.csv.Write(header()))
}

func (f *File) open(fs vfs.FS, scratch string) (err error) {
	if f.dir, err = staged.OpenFile(fs, f.name, scratch); err != nil {
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
	if err == nil {
		err = f.dir.Commit()
	}
	return f.wrap(err)
}

// Discard gives up the file unless it was committed.
func (f *File) Discard() error { return f.wrap(f.dir.Discard()) }

func (f *File) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("keep rejected rows in %s: %w", f.name, err)
	}
	return nil
}
