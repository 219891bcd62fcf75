package scan

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// Reasons of an InputError about a Parquet file.
const (
	ReasonWrongType   = "wrong-type"
	ReasonNull        = "null"
	ReasonNotFollowed = "not-followed"
)

func (s *Scan) openParquet(f vfs.File) (names []string, err error) {
	if s.opts.CSV.Blocks > 0 {
		return nil, &InputError{
			File: s.file, Reason: ReasonNotFollowed, Detail: "a Parquet file cannot be followed while it is read",
			Hint: "leave --follow out",
		}
	}
	if s.parquet, err = parquet.Open(f, cmp.Or(s.opts.CSV.BlockSize, csv.DefaultBlockSize)); err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	s.input = &parquetInput{rows: s.parquet.Rows(), size: size}
	for _, c := range s.parquet.Columns() {
		names = append(names, c.Name)
	}
	return names, nil
}

// parquetInput counts the rows and blocks read from a Parquet file.
type parquetInput struct {
	rows, size   int64
	done, blocks atomic.Int64
}

// bytes estimates how many bytes the first rows take in the file.
func (p *parquetInput) bytes(rows int64) int64 {
	if rows == p.rows {
		return p.size
	}
	return int64(float64(p.size) * float64(rows) / float64(p.rows))
}

// Progress estimates bytes from the number of rows.
func (p *parquetInput) Progress() csv.Progress {
	read := p.bytes(p.done.Load())
	return csv.Progress{File: read, Data: read, Blocks: p.blocks.Load(), End: read}
}

// Close does nothing: the caller closes the file.
func (p *parquetInput) Close() error { return nil }

// checkTypes returns an error if a column of a Parquet file has another type than the
// table says.
func (s *Scan) checkTypes() error {
	if s.parquet == nil {
		return nil
	}
	columns := s.parquet.Columns()
	for _, c := range append(s.checks[:len(s.checks):len(s.checks)], s.outputs...) {
		if c.field < 0 {
			continue
		}
		if has := columns[c.field]; has.Type != c.Format.Type() {
			return &InputError{
				File: s.file, Column: c.Header, Reason: ReasonWrongType,
				Detail: fmt.Sprintf("the column has the type %s and not %s", has.In, c.Format.Type()),
				Hint:   "ask for it as it is and convert it, or leave it out",
			}
		}
	}
	return nil
}

// parquetWorker reads rows of a Parquet file.
type parquetWorker struct {
	scan     *Scan
	input    *parquetInput
	rows     *parquet.Worker
	gathered []*columnar.Vector // by output: the values of the selected rows
	position *columnar.Vector
	places   []int64 // places of the block's duplicates
	valid    []int32 // the rows that are not duplicates; nil: all
	sel      []int32 // positions of the selected rows, during Materialise
}

func newParquetWorker(s *Scan) *parquetWorker {
	w := &parquetWorker{scan: s, input: s.input.(*parquetInput), rows: s.parquet.NewWorker(), position: columnar.NewVector(columnar.Int)}
	for _, c := range s.schema {
		w.gathered = append(w.gathered, columnar.NewVector(c.Type))
	}
	return w
}

func (w *parquetWorker) Next(ctx context.Context) (Chunk, error) {
	s := w.scan
	if err := s.turns.failure(); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, s.turns.fail(fmt.Errorf("scan %s: %w", s.file, err))
	}
	w.valid = nil
	if err := w.rows.Next(); err != nil {
		return nil, err
	}
	for _, c := range s.checks {
		if err := w.checkNulls(c); err != nil {
			return nil, s.turns.fail(fmt.Errorf("scan %s: %w", s.file, err))
		}
	}
	n := w.rows.Len()
	if s.opts.Duplicates != nil {
		if err := w.rejectDuplicates(ctx); err != nil {
			return nil, s.fail(ctx, w.Index(), err)
		}
		s.turns.Finish(w.Index())
	}
	s.rows.Add(int64(w.Rows()))
	w.input.done.Add(int64(n))
	w.input.blocks.Add(1)
	return w, nil
}

// checkNulls returns an error if a required column has a null.
func (w *parquetWorker) checkNulls(c column) error {
	if !c.Required {
		return nil
	}
	v, err := w.column(c)
	if err != nil {
		return err
	}
	for i := range v.Len {
		if v.IsNull(i) {
			return &InputError{
				File: w.scan.file, Line: w.Line(i), Column: c.Header, Reason: ReasonNull, Detail: "no row may be without it",
			}
		}
	}
	return nil
}

// rejectDuplicates rejects the rows that have the key of an earlier row.
func (w *parquetWorker) rejectDuplicates(ctx context.Context) (err error) {
	s, first, n := w.scan, w.rows.First(), w.rows.Len()
	w.places, err = s.opts.Duplicates.within(w.places, first, first+int64(n))
	if err != nil || len(w.places) == 0 {
		return err
	}
	places := w.places
	w.valid = growTo(w.valid, n)[:0]
	for i := range n {
		if len(places) > 0 && places[0] == first+int64(i) {
			places = places[1:]
			continue
		}
		w.valid = append(w.valid, int32(i))
	}
	s.tally.rejected[duplicate].Add(int64(len(w.places)))
	if err := s.turns.Await(ctx, w.Index()); err != nil {
		return err
	}
	for _, place := range w.places {
		s.rejects++
		err := s.tell(s.rejects, place+1, duplicate, func(reject *Reject) (err error) {
			reject.Cell, err = w.keyCells(int(place - first))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keyCells returns the key of a row for display.
func (w *parquetWorker) keyCells(row int) (string, error) {
	var text []byte
	for i, c := range w.scan.key {
		v, err := w.column(c)
		if err != nil {
			return "", err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = v.AppendText(text, row)
	}
	return excerpt(text), nil
}

func (w *parquetWorker) Index() int64 { return w.rows.Index() }

func (w *parquetWorker) Rows() int {
	if w.valid != nil {
		return len(w.valid)
	}
	return w.rows.Len()
}

func (w *parquetWorker) Rejected() int { return w.rows.Len() - w.Rows() }

func (w *parquetWorker) Line(row int) int64 {
	if w.valid != nil {
		row = int(w.valid[row])
	}
	return w.rows.First() + int64(row) + 1
}
func (w *parquetWorker) Bytes() int { return 0 }
func (w *parquetWorker) End() int64 { return w.input.bytes(w.rows.First() + int64(w.rows.Len())) }

// column returns the values of a column in all rows of the block.
func (w *parquetWorker) column(c column) (*columnar.Vector, error) {
	if c.Format == columnar.FormatPosition {
		w.position.Reset()
		for i := range w.rows.Len() {
			w.position.Ints = append(w.position.Ints, w.rows.First()+int64(i))
		}
		w.position.Len = w.rows.Len()
		return w.position, nil
	}
	return w.rows.Column(c.field)
}

func (w *parquetWorker) Materialise(columns []int, sel []int32) (columnar.Rows, error) {
	rows := columnar.Rows{Len: w.rows.Len(), Cols: make([]*columnar.Vector, len(columns))}
	if w.valid != nil {
		sel = w.among(sel)
	}
	if sel != nil {
		rows.Len = len(sel)
	}
	for i, output := range columns {
		if err := w.scan.checkOutput(output); err != nil {
			return columnar.Rows{}, err
		}
		v, err := w.column(w.scan.outputs[output])
		if err != nil {
			return columnar.Rows{}, err
		}
		if sel != nil {
			w.gathered[output].Reset()
			w.gathered[output].AppendGather(v, sel)
			v = w.gathered[output]
		}
		rows.Cols[i] = v
	}
	return rows, nil
}

// among converts numbers of valid rows to positions in the block.
func (w *parquetWorker) among(sel []int32) []int32 {
	if sel == nil {
		return w.valid
	}
	w.sel = growTo(w.sel, len(sel))
	for i, row := range sel {
		w.sel[i] = w.valid[row]
	}
	return w.sel
}
