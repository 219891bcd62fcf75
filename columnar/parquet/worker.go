package parquet

import (
	"io"

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

// reading is a worker's state of reading one column. What a block has of the column is in the vector,
// or coded: its values are those of a dictionary, which the vector gets when it is asked for.
type reading struct {
	chunk
	nested *nested // nil: the column has no parts
	vector *columnar.Vector
	state  state
	nulls  bool // some codes are those of nulls; of the chunk: some have been

	bounding bounding
}

// state is how much of a block's column was read.
type state int

const (
	unread state = iota
	coded        // the codes
	whole        // the vector
)

// NewWorker returns a worker for one goroutine.
func (f *File) NewWorker() *Worker {
	w, compressed := &Worker{file: f, group: -1, columns: make([]*reading, len(f.columns))}, new([]byte)
	for i := range f.columns {
		c := &f.columns[i]
		w.columns[i] = &reading{chunk: newChunk(c, compressed), nested: newNested(c, compressed), vector: columnar.NewVector(c.Type)}
	}
	return w
}

// Next advances to a block that no other worker has taken. It returns io.EOF at the end.
func (w *Worker) Next() error {
	for w.at += int64(w.len); w.group < 0 || w.at >= w.file.groups[w.group].rows; w.at = 0 {
		w.len = 0
		next := w.file.next.Add(1) - 1
		if next >= int64(len(w.file.order)) {
			w.group, w.at = -1, 0
			return io.EOF
		}
		w.group = w.file.order[next]
		for _, c := range w.columns {
			c.opened = false
		}
	}
	for _, c := range w.columns {
		c.state = unread
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
	if err := w.read(r); err != nil {
		return nil, err
	}
	if r.state == coded {
		r.expand(r.vector, r.codes)
		if r.nulls {
			r.vector.Valid = r.valid[:w.len]
		}
		r.state = whole
	}
	return r.vector, nil
}

// Coded returns the dictionary of a column, with a null at its end once some row of the row group was null,
// and the place in it of the value of each row; nil if the rows of the block have no common dictionary.
// See input.CodedWorker.
func (w *Worker) Coded(i int) (values *columnar.Vector, places []int32, err error) {
	r := w.columns[i]
	if err := w.read(r); err != nil || r.state != coded {
		return nil, nil, err
	}
	if r.chunk.nulls {
		return r.dictionary, r.codes, nil
	}
	return r.without, r.codes, nil
}

// Values returns the values that a column of the block may have, and a null, without reading which row has which; nil if
// they are not known. See input.CodedWorker.
func (w *Worker) Values(i int) (values *columnar.Vector, err error) {
	r := w.columns[i]
	switch {
	case r.nested != nil || r.state == whole:
		return nil, nil
	case r.state == coded:
		return r.dictionary, nil
	}
	err = w.file.source.guard(*r.column, w.First()+1, func() error {
		err := r.goTo(w.file, w.group, w.at)
		if err == nil {
			values, err = r.mayHave(w.len)
		}
		return err
	})
	return values, err
}

// read reads a column of the block unless that was done.
func (w *Worker) read(r *reading) error {
	if r.state != unread {
		return nil
	}
	return w.file.source.guard(*r.column, w.First()+1, func() error {
		if err := r.goTo(w.file, w.group, w.at); err != nil {
			return err
		}
		return r.take(w.len)
	})
}

// goTo advances to a row in a row group. It opens the column there if necessary.
func (r *reading) goTo(f *File, group int, row int64) error {
	if r.nested != nil {
		return r.goToNested(f, group, row)
	}
	if !r.opened {
		if err := r.open(f, group); err != nil {
			return err
		}
	}
	return r.skip(f, row-r.at)
}

func (r *reading) goToNested(f *File, group int, row int64) error {
	if !r.opened {
		if err := r.nested.open(f, group); err != nil {
			return err
		}
		r.opened, r.at = true, 0
	}
	for r.at < row {
		part := int(min(row-r.at, f.rows))
		if err := r.nested.take(part, nil); err != nil {
			return err
		}
		r.at += int64(part)
	}
	return nil
}

// take reads the next n values.
func (r *reading) take(n int) (err error) {
	r.vector.Reset()
	if r.state = whole; r.nested != nil {
		r.at += int64(n)
		err = r.nested.take(n, r.vector)
	} else {
		var codes bool
		if codes, r.nulls, err = r.chunk.read(r.vector, n); codes {
			r.state = coded
		}
	}
	if err != nil {
		r.state = unread
	}
	return err
}
