package scan

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// Reasons of an InputError about a file that says which types its columns have.
const (
	ReasonWrongType = "wrong-type"
	ReasonNull      = "null"
)

// checkTypes returns an error if the file says that a column has another type than the
// table does.
func (s *Scan) checkTypes() error {
	if s.rows == nil {
		return nil
	}
	columns := s.rows.Columns()
	for _, c := range append(s.checks[:len(s.checks):len(s.checks)], s.outputs...) {
		if c.field < 0 {
			continue
		}
		if has := columns[c.field]; has.Type != c.Type() {
			return &InputError{
				File: s.file, Column: c.Header, Reason: ReasonWrongType,
				Detail: fmt.Sprintf("the column has the type %s and not %s", has.In, c.Type()),
				Hint:   "ask for it as it is and convert it, or leave it out",
			}
		}
	}
	return nil
}

// vectorWorker reads rows that come as vectors.
type vectorWorker struct {
	scan     *Scan
	rows     input.VectorWorker
	gathered []*columnar.Vector // by output: the values of the selected rows
	position *columnar.Vector
	places   []int64 // places of the block's duplicates
	valid    []int32 // the rows that are not duplicates; nil: all
	sel      []int32 // positions of the selected rows, during Materialise
	codes    []int32 // scratch: their places among the values of a column
}

func newVectorWorker(s *Scan) *vectorWorker {
	w := &vectorWorker{scan: s, rows: s.rows.NewWorker(), position: columnar.NewVector(columnar.Int)}
	for _, c := range s.schema {
		w.gathered = append(w.gathered, columnar.NewVector(c.Type))
	}
	return w
}

func (w *vectorWorker) Next(ctx context.Context) (Chunk, error) {
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
	if s.opts.Duplicates != nil {
		if err := w.rejectDuplicates(ctx); err != nil {
			return nil, s.fail(ctx, w.Index(), err)
		}
		s.turns.Finish(w.Index())
	}
	s.valid.Add(int64(w.Rows()))
	return w, nil
}

// checkNulls returns an error if a required column has a null.
func (w *vectorWorker) checkNulls(c column) error {
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
func (w *vectorWorker) rejectDuplicates(ctx context.Context) (err error) {
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
func (w *vectorWorker) keyCells(row int) (string, error) {
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

func (w *vectorWorker) Index() int64         { return w.rows.Index() }
func (w *vectorWorker) Part() (part, of int) { return 0, 1 }

func (w *vectorWorker) Rows() int {
	if w.valid != nil {
		return len(w.valid)
	}
	return w.rows.Len()
}

func (w *vectorWorker) Rejected() int { return w.rows.Len() - w.Rows() }

func (w *vectorWorker) Line(row int) int64 {
	if w.valid != nil {
		row = int(w.valid[row])
	}
	return w.rows.First() + int64(row) + 1
}
func (w *vectorWorker) Bytes() int { return 0 }
func (w *vectorWorker) End() int64 { return w.scan.rows.Bytes(w.rows.First() + int64(w.rows.Len())) }

// column returns the values of a column in all rows of the block.
func (w *vectorWorker) column(c column) (*columnar.Vector, error) {
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

func (w *vectorWorker) Materialise(columns []int, sel []int32) (columnar.Rows, error) {
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
		var err error
		if rows.Cols[i], err = w.selected(output, sel); err != nil {
			return columnar.Rows{}, err
		}
	}
	return rows, nil
}

// selected returns an output of the rows at some positions in the block; nil: of all.
func (w *vectorWorker) selected(output int, sel []int32) (*columnar.Vector, error) {
	c := w.scan.outputs[output]
	if sel == nil {
		return w.column(c)
	}
	values, places, err := w.coded(c)
	if err != nil {
		return nil, err
	}
	from := sel
	if values != nil {
		w.codes = growTo(w.codes, len(sel))
		for i, row := range sel {
			w.codes[i] = places[row]
		}
		from = w.codes
	} else if values, err = w.column(c); err != nil {
		return nil, err
	}
	v := w.gathered[output]
	v.Reset()
	v.AppendGather(values, from)
	return v, nil
}

// coded returns the values of a column and their places in the rows of the block, if it is stored so.
func (w *vectorWorker) coded(c column) (values *columnar.Vector, places []int32, err error) {
	from, ok := w.rows.(input.CodedWorker)
	if !ok || c.Format == columnar.FormatPosition {
		return nil, nil, nil
	}
	return from.Coded(c.field)
}

// Coded returns the values of a column and their places in all rows.
func (w *vectorWorker) Coded(column int) (values *columnar.Vector, places []int32, err error) {
	if w.valid != nil {
		return nil, nil, nil
	}
	if err := w.scan.checkOutput(column); err != nil {
		return nil, nil, err
	}
	return w.coded(w.scan.outputs[column])
}

// Values returns the values that a column may have.
func (w *vectorWorker) Values(column int) (*columnar.Vector, error) {
	c := w.scan.outputs[column]
	from, ok := w.rows.(input.CodedWorker)
	if !ok || w.valid != nil || c.Format == columnar.FormatPosition {
		return nil, nil
	}
	if err := w.scan.checkOutput(column); err != nil {
		return nil, err
	}
	return from.Values(c.field)
}

// Bounds returns what is known of a column in rows among which are those of the block.
func (w *vectorWorker) Bounds(column int, closer bool) input.Bounds {
	from, ok := w.rows.(input.BoundedWorker)
	if c := w.scan.outputs[column]; ok && c.Format != columnar.FormatPosition {
		b := from.Bounds(c.field, closer)
		b.Exact = b.Exact && w.scan.opts.Duplicates == nil // rows that have them may be rejected
		return b
	}
	return input.Bounds{}
}

// among converts numbers of valid rows to positions in the block.
func (w *vectorWorker) among(sel []int32) []int32 {
	if sel == nil {
		return w.valid
	}
	w.sel = growTo(w.sel, len(sel))
	for i, row := range sel {
		w.sel[i] = w.valid[row]
	}
	return w.sel
}
