package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/pyliteral"
)

// Worker reads blocks of a scan, one at a time. It is for one goroutine; many workers of
// a scan run concurrently.
type Worker interface {
	// Next returns the next block of rows that no other worker has taken; it may have
	// no rows. The chunk belongs to the worker and is valid until the next call. Next
	// returns io.EOF at the end, a *InputError if the content of the file is at fault
	// (the same one for any number of workers), and otherwise the error of reading, of
	// OnReject or of the context. After such an error the scan is over for all workers.
	Next(ctx context.Context) (Chunk, error)
}

// cellWorker reads rows that come as cells.
type cellWorker struct {
	scan     *Scan
	block    input.CellWorker
	status   []status  // by record
	rejected int       // rejected records of the block
	rejects  int       // the same without blank lines
	counts   []int64   // number of rejected records by status
	vectors  [][]int64 // by vector, then record: the required numbers, Bools as 0 and 1
	valid    []int32   // the records that are valid rows: all, or some
	all      *csv.RecordNumbers
	some     []int32
	columns  []*cells          // by output: the values read last
	column   csv.Column        // the column being read
	full     csv.Column        // its cells that are not empty
	at       []int32           // which these are
	numbers  []int64           // scratch: parsed numbers of whole records
	scratch  []byte            // scratch: an unquoted text
	mended   []byte            // scratch: a list cell made valid UTF-8
	items    pyliteral.Strings // scratch: items of lists
	literal  []byte            // scratch: a list or dict of Python as JSON
	warned   map[warned]bool   // warnings given for the block
	places   []int64           // places of the block's duplicates
	records  []int32           // records of the selected rows, during Materialise
	watch    func(input.Block) // called for each block; may be nil
}

// warned identifies a warning about a cell, which is given once no matter how often the
// cell is read.
type warned struct {
	tally  *atomic.Int64
	record int32
}

// warn counts a warning about a cell, unless it was given before.
func (w *cellWorker) warn(tally *atomic.Int64, record int32) {
	if key := (warned{tally, record}); !w.warned[key] {
		w.warned[key] = true
		tally.Add(1)
	}
}

// NewWorker returns a worker for one goroutine.
func (s *Scan) NewWorker() Worker {
	if s.rows != nil {
		return newVectorWorker(s)
	}
	return s.newCellWorker()
}

func (s *Scan) newCellWorker() *cellWorker {
	w := &cellWorker{
		scan: s, block: s.cells.NewWorker(), all: &s.records, vectors: make([][]int64, s.vectors), columns: make([]*cells, len(s.outputs)), warned: make(map[warned]bool),
	}
	if s.opts.Watch != nil {
		w.watch = s.opts.Watch()
	}
	return w
}

func (w *cellWorker) Next(ctx context.Context) (Chunk, error) {
	s := w.scan
	if err := s.turns.failure(); err != nil {
		return nil, err
	}
	clear(w.warned)
	if w.Bytes() > 4*max(s.opts.CSV.BlockSize, csv.DefaultBlockSize) {
		clear(w.columns) // drops the memory that a few unusually long records took
	}
	err := w.block.Next(ctx)
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	k := w.block.Index()
	if err != nil {
		return nil, s.fail(ctx, k, err)
	}
	if w.watch != nil {
		w.watch(w.block)
	}
	s.tally.rejected[blank].Add(int64(w.block.Blank()))
	rejected := w.check()
	if err := w.doubt(ctx); err != nil {
		return nil, err
	}
	if s.opts.Duplicates != nil {
		if rejected, err = w.rejectDuplicates(); err != nil {
			return nil, s.fail(ctx, k, err)
		}
	}
	w.rejects = 0
	if rejected > 0 {
		if err := w.report(ctx); err != nil {
			return nil, err
		}
	}
	s.turns.Finish(k)
	s.valid.Add(int64(len(w.valid)))
	return w, nil
}

// fail ends the scan with an error in block k. It first waits until all earlier blocks
// are done, so that the error is the first one in the file.
func (s *Scan) fail(ctx context.Context, k int64, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return s.turns.fail(fmt.Errorf("scan %s: %w", s.file, err))
	}
	if earlier := s.turns.Await(ctx, k); earlier != nil {
		return earlier
	}
	return s.turns.fail(fmt.Errorf("scan %s: %w", s.file, err))
}
