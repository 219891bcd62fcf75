package scan

import (
	"context"
	"errors"
	"io"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// allWorker reads blocks of all files of a table.
type allWorker struct {
	all     *All
	file    *opened     // that the chunk is of; nil: none
	cells   *cellWorker // of the file read last whose rows come as cells
	vectors Worker      // of a file whose rows come as vectors, which goes on to its end; nil: none
	chunk   chunk
}

func (w *allWorker) Next(ctx context.Context) (Chunk, error) {
	for {
		if w.vectors == nil {
			if err := w.move(ctx); err != nil {
				return nil, err
			}
		}
		var from Worker = w.cells
		if w.vectors != nil {
			from = w.vectors
		}
		w.all.reading(w.file)
		c, err := from.Next(ctx)
		w.all.read(w.file, c, err)
		if errors.Is(err, io.EOF) {
			w.vectors = nil
			continue
		}
		if err != nil {
			return nil, w.all.fail(ctx, w.file.index, err)
		}
		w.chunk.Chunk = c
		return &w.chunk, nil
	}
}

// move leaves a file and takes that which is to be read next, perhaps the same.
func (w *allWorker) move(ctx context.Context) error {
	if o := w.file; o != nil {
		w.file = nil
		if err := w.all.leave(o); err != nil {
			return w.all.fail(ctx, o.index, err)
		}
	}
	o, err := w.all.take(ctx)
	switch {
	case err != nil && o != nil:
		return w.all.fail(ctx, o.index, err)
	case err != nil:
		return err
	case o == nil:
		w.all.opts.Spare.put(w.cells)
		w.cells = nil
		return io.EOF
	}
	w.file, w.chunk.file = o, o
	if w.chunk.made == nil {
		w.chunk.made = make([]*columnar.Vector, len(w.all.schema))
		w.chunk.schema = w.all.schema
	}
	if o.scan.rows != nil {
		w.vectors = o.scan.NewWorker()
	} else {
		if w.cells == nil {
			w.cells = w.all.opts.Spare.take()
		}
		w.cells = w.cells.to(o.scan)
	}
	return nil
}

// chunk is a block of one of several files.
type chunk struct {
	Chunk
	file   *opened
	schema columnar.Schema    // of what was asked for
	made   []*columnar.Vector // by output: the columns that are not read from cells
	first  []int32            // zeros: the only row of the values of a file
	cells  []int              // scratch: columns of the file's scan
}

// Where a column comes from if not from a column of a file's scan, which is not negative.
const (
	fromFile    = -1 // the number of the file
	fromNothing = -2 // the file has no such column, so that it is null
	fromValues  = -3 // the values of the file, of which this is the first and -4 the second
)

func (c *chunk) Index() int64 { return c.file.first + c.Chunk.Index() - c.file.skipped }
func (c *chunk) End() int64   { return c.file.before + c.Chunk.End() }

func (c *chunk) Materialise(columns []int, sel []int32) (columnar.Rows, error) {
	c.cells = c.cells[:0]
	for _, column := range columns {
		if from := c.file.from[column]; from >= 0 {
			c.cells = append(c.cells, from)
		}
	}
	rows, err := c.Chunk.Materialise(c.cells, sel)
	if err != nil || len(c.cells) == len(columns) {
		return rows, err
	}
	out, read := columnar.Rows{Len: rows.Len, Cols: make([]*columnar.Vector, len(columns))}, rows.Cols
	for i, column := range columns {
		if c.file.from[column] >= 0 {
			out.Cols[i], read = read[0], read[1:]
		} else {
			out.Cols[i] = c.constant(column, rows.Len)
		}
	}
	return out, nil
}

// Coded returns the values of a column and their places, if its file stores it so.
func (c *chunk) Coded(column int) (values *columnar.Vector, places []int32, err error) {
	from, ok := c.Chunk.(Coded)
	if !ok || c.file.from[column] < 0 {
		return nil, nil, nil
	}
	return from.Coded(c.file.from[column])
}

// Values returns the values that a column may have, if its file stores it so.
func (c *chunk) Values(column int) (*columnar.Vector, error) {
	from, ok := c.Chunk.(Coded)
	if !ok || c.file.from[column] < 0 {
		return nil, nil
	}
	return from.Values(c.file.from[column])
}

// Bounds returns what is known of a column, if its file says something.
func (c *chunk) Bounds(column int, closer bool) input.Bounds {
	from, ok := c.Chunk.(Bounded)
	if !ok || c.file.from[column] < 0 {
		return input.Bounds{}
	}
	return from.Bounds(c.file.from[column], closer)
}

// constant returns n rows of a column that is not read from cells.
func (c *chunk) constant(column, n int) *columnar.Vector {
	v := c.made[column]
	if v == nil {
		v = columnar.NewVector(c.schema[column].Type)
		c.made[column] = v
	}
	v.Reset()
	switch from := c.file.from[column]; from {
	case fromFile:
		v.Ints, v.Len = growTo(v.Ints, n), n
		for i := range v.Ints {
			v.Ints[i] = int64(c.file.number)
		}
	case fromNothing:
		for range n {
			v.AppendNull()
		}
	default:
		if len(c.first) < n {
			c.first = make([]int32, n)
		}
		v.AppendGather(c.file.values.Cols[fromValues-from], c.first[:n])
	}
	return v
}

// to returns a worker of another scan, which takes over the memory of w. w may be nil.
func (w *cellWorker) to(s *Scan) *cellWorker {
	if w != nil && w.scan == s {
		return w
	}
	next := s.newCellWorker()
	if w == nil {
		return next
	}
	if block, ok := next.block.(input.Successor); ok {
		block.Succeed(w.block)
	}
	next.status, next.all, next.some = w.status, w.all, w.some
	next.full, next.at = w.full, w.at
	next.numbers, next.scratch, next.mended, next.records = w.numbers, w.scratch, w.mended, w.records
	if slices.EqualFunc(w.scan.schema, s.schema, func(a, b columnar.Field) bool { return a.Type == b.Type }) {
		next.columns = w.columns
	}
	return next
}
