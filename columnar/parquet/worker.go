package parquet

import (
	"io"

	"github.com/apache/arrow/go/v17/parquet/file"

	"analyzer/columnar"
)

// Worker reads blocks of a file, one at a time: all blocks of a row group, then those of
// another. It is for one goroutine; many workers of a file run concurrently.
type Worker struct {
	file    *File
	group   int
	at      int64 // first row of the block, within the group
	len     int
	columns []*reading
}

// NewWorker returns a worker for one goroutine.
func (f *File) NewWorker() *Worker {
	w := &Worker{file: f, group: -1, columns: make([]*reading, len(f.columns))}
	for i := range f.columns {
		w.columns[i] = &reading{column: &f.columns[i], vector: columnar.NewVector(f.columns[i].Type)}
	}
	return w
}

// Next advances to a block that no other worker has taken. It returns io.EOF at the end.
func (w *Worker) Next() error {
	for w.at += int64(w.len); w.group < 0 || w.at >= w.file.groups[w.group].rows; w.at = 0 {
		w.len = 0
		next := w.file.next.Add(1) - 1
		if next >= int64(len(w.file.groups)) {
			w.group, w.at = -1, 0
			return io.EOF
		}
		w.group = int(next)
		for _, c := range w.columns {
			c.chunk = nil
		}
	}
	for _, c := range w.columns {
		c.read = false
	}
	w.len = int(min(w.file.rows, w.file.groups[w.group].rows-w.at))
	return nil
}

// Index returns the number of the block, from 0.
func (w *Worker) Index() int64 { return w.file.groups[w.group].block + w.at/w.file.rows }

// First returns the number, from 0, of the block's first row.
func (w *Worker) First() int64 { return w.file.groups[w.group].first + w.at }

// Len returns how many rows the block has.
func (w *Worker) Len() int { return w.len }

// Column returns a column of all rows of the block. It belongs to the worker and is valid
// until Next. The error is a *csv.InputError if the file is damaged, or has what is not read.
func (w *Worker) Column(i int) (*columnar.Vector, error) {
	r := w.columns[i]
	if r.read {
		return r.vector, nil
	}
	err := w.file.source.guard(*r.column, w.First()+1, func() error {
		if err := r.goTo(w.file, w.group, w.at); err != nil {
			return err
		}
		return r.take(w.len)
	})
	r.read = err == nil
	return r.vector, err
}

// reading is a worker's state of reading one column.
type reading struct {
	column *Column
	chunk  file.ColumnChunkReader // reader in the row group; nil before the first read
	at     int64                  // rows of the group that were read or skipped
	vector *columnar.Vector
	read   bool // the vector has the block's values
	scratch
	pending
}

// goTo advances to a row in a row group. It opens the column there if necessary.
func (r *reading) goTo(f *File, group int, row int64) (err error) {
	if r.chunk == nil {
		r.at, r.pending = 0, pending{}
		if r.chunk, err = openChunk(f, group, r.column.leaf); err != nil {
			return err
		}
	}
	for r.at < row && err == nil {
		err = r.take(int(min(row-r.at, f.rows)))
	}
	return err
}

// take reads the next n values.
func (r *reading) take(n int) error {
	r.vector.Reset()
	r.at += int64(n)
	err := r.column.append(r, n)
	r.vector.Len = n
	return err
}
