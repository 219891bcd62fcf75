// Package parquet reads the columns of Parquet files as vectors, with many workers in
// parallel. The format is described at https://parquet.apache.org/docs/file-format/;
// Arrow's package for it reads the schema; all else is read here, values straight into vectors.
//
// A file is divided into blocks of consecutive rows, each within one row group. Which rows
// a block has depends on the file and the block size alone, not on the workers. Only the
// columns that are asked for are read.
package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/vfs"
)

// magic is what a Parquet file begins and ends with, encrypted if the footer is encrypted.
const (
	magic     = "PAR1"
	encrypted = "PARE"
)

// is reports whether a file with this beginning is a Parquet file.
func is(head []byte) bool {
	return bytes.HasPrefix(head, []byte(magic)) || bytes.HasPrefix(head, []byte(encrypted))
}

// File is an open Parquet file. It is safe for concurrent use.
type File struct {
	source  *source
	size    int64
	footer  *footer
	columns []Column
	groups  []group
	rows    int64 // rows per block, except for the last block of a group
	blocks  int64
	order   []int // the groups that are read, as workers get them
	next    atomic.Int64
}

// Column is a column of a file.
type Column struct {
	Name string
	Type columnar.Type // type of the values; Invalid if they cannot be read
	In   string        // the type in the file, for display

	leaf    int           // index among the columns that the file stores, or that of its first part
	raw     columnar.Type // of the values as they are stored
	convert conversion    // of these; nil: they are what is wanted
	root    *part         // nil: it has no parts
	leaves  []Column      // of which its parts consist
}

// group is a row group: rows that are stored together.
type group struct {
	rows  int64
	first int64 // number of its first row, from 0
	block int64 // number of its first block
}

// maxRows is the maximum number of rows in a block. Otherwise a block has about as many bytes
// as one of a CSV file, but repeated values take little space in the file and much in memory.
const maxRows = 16 << 10

// wholeRuns divides the number of rows of large blocks, so that packed values begin with a byte and runs of
// them, of which programs write a power of two, seldom lie in two blocks.
const wholeRuns = 1 << 10

// Open reads the footer of f. Blocks have about blockSize bytes. The caller keeps f. Open
// returns a *csv.InputError if the file is damaged, or has what is not read.
func Open(f vfs.File, blockSize int) (_ *File, err error) {
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("find the size of %s: %w", f.Name(), err)
	}
	p := &File{source: &source{File: f}, size: size}
	err = p.source.guard(Column{}, 0, func() (err error) {
		if p.footer, err = readFooter(io.NewSectionReader(p.source, 0, size), size); err == nil {
			p.layOut(size, int64(blockSize))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// layOut determines the columns and the blocks.
func (f *File) layOut(size, blockSize int64) {
	var bytes, blocks, first int64
	for _, g := range f.footer.groups {
		bytes += max(g.bytes, 0)
		f.groups = append(f.groups, group{rows: g.rows, first: first})
		first += g.rows
	}
	f.rows = min(max(blockSize*first/max(bytes, size, 1), 1), maxRows)
	if f.rows > wholeRuns {
		f.rows -= f.rows % wholeRuns
	}
	for i := range f.groups {
		f.order = append(f.order, i)
		f.groups[i].block = blocks
		blocks += (f.groups[i].rows + f.rows - 1) / f.rows
	}
	f.blocks = blocks
	leaf, root := 0, f.footer.schema.Root()
	for i := range root.NumFields() {
		f.columns = append(f.columns, columnOf(root.Field(i), fields{Schema: f.footer.schema}, leaf))
		leaf += leaves(root.Field(i))
	}
}

// leaves returns how many columns the file stores for a field.
func leaves(node schema.Node) int {
	g, ok := node.(*schema.GroupNode)
	if !ok {
		return 1
	}
	n := 0
	for i := range g.NumFields() {
		n += leaves(g.Field(i))
	}
	return n
}

// readAsTexts makes texts of bytes that are not marked, in the columns which, if they are read so, are wanted.
func (f *File) readAsTexts(wanted func(Column) bool) {
	root := f.footer.schema.Root()
	for i, c := range f.columns {
		if texts := columnOf(root.Field(i), fields{f.footer.schema, true}, c.leaf); texts.Type != c.Type && wanted(texts) {
			f.columns[i] = texts
		}
	}
}

// Columns returns the columns, including those that cannot be read.
func (f *File) Columns() []Column { return slices.Clone(f.columns) }

// Rows returns the number of rows.
func (f *File) Rows() int64 {
	if len(f.groups) == 0 {
		return 0
	}
	last := f.groups[len(f.groups)-1]
	return last.first + last.rows
}

// source is the file under the reader. It remembers read errors, which the reader would
// report as damage.
type source struct {
	vfs.File
	failed atomic.Pointer[error]
}

// ReadAt reads from the file.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.File.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// guard calls do, which uses the reader at the given row of a column, or no column. It recovers from the
// panics of the reader on some kinds of damage. Errors are *csv.InputError unless the file
// could not be read.
func (s *source) guard(column Column, row int64, do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
		if failed := s.failed.Load(); failed != nil {
			err = fmt.Errorf("read %s: %w", s.Name(), *failed)
		} else if what, ok := errors.AsType[*input.MissingError](err); ok {
			err = &csv.InputError{File: s.Name(), Column: column.Name, Reason: input.ReasonMissing, Detail: missing(what, column), Hint: what.Hint}
		} else if err != nil {
			err = &csv.InputError{
				File: s.Name(), Line: row, Column: column.Name, Reason: csv.ReasonDamaged,
				Detail: "the Parquet file is damaged, or newer than this program", Err: err, Hint: "write it again",
			}
		}
	}()
	return do()
}
