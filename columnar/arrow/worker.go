package arrow

import (
	"io"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// worker reads blocks of a file, one at a time: all blocks of a batch, then those of another. It is
// for one goroutine; many workers of a file run concurrently.
type worker struct {
	file    *file
	counter *input.Counter
	batch   int
	at, len int64 // rows of the block within the batch
	body    *body
	columns []*reading
	in      []int  // the batch in which each column is read, -1: none
	read    []bool // which columns have the block's values
}

func newWorker(f *file, counter *input.Counter) *worker {
	w := &worker{file: f, counter: counter, batch: -1, read: make([]bool, len(f.columns))}
	for _, c := range f.columns {
		w.columns, w.in = append(w.columns, newReading(c.part)), append(w.in, -1)
	}
	return w
}

// Next advances to a block that no other worker has taken. It returns io.EOF at the end.
func (w *worker) Next() error {
	for w.at += w.len; w.batch < 0 || w.at >= w.file.batches[w.batch].rows; w.at = 0 {
		w.len, w.body = 0, nil
		next := w.file.next.Add(1) - 1
		if next >= int64(len(w.file.batches)) {
			w.batch, w.at = -1, 0
			return io.EOF
		}
		w.batch = int(next)
	}
	clear(w.read)
	w.len = min(w.file.rows, w.file.batches[w.batch].rows-w.at)
	w.counter.Count(int(w.len))
	return nil
}

// Index returns the number of the block, from 0.
func (w *worker) Index() int64 { return w.file.batches[w.batch].block + w.at/w.file.rows }

// First returns the number, from 0, of the block's first row.
func (w *worker) First() int64 { return w.file.batches[w.batch].first + w.at }

// Len returns how many rows the block has.
func (w *worker) Len() int { return int(w.len) }

// Column returns a column of all rows of the block. It belongs to the worker and is valid
// until Next. The error is a *csv.InputError if the file is damaged, or has what is not read.
func (w *worker) Column(i int) (*columnar.Vector, error) {
	r := w.columns[i]
	if w.read[i] {
		return r.vector, nil
	}
	err := w.file.source.guard(w.file.columns[i], w.First()+1, func() (err error) {
		b := &w.file.batches[w.batch]
		if w.body == nil {
			if w.body, err = w.file.bodyOf(b.message, b.known); err != nil {
				return err
			}
		}
		if w.in[i] != w.batch {
			w.in[i] = -1
			if err := r.goTo(w.body); err != nil {
				return err
			}
			w.in[i] = w.batch
		}
		return r.take(w.at, w.len)
	})
	w.read[i] = err == nil
	return r.vector, err
}
