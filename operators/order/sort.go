package order

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/operators"
)

// SortConfig says in what order to put rows.
type SortConfig struct {
	Schema columnar.Schema
	Order  []Key
	Limit  int64 // rows to keep, all if negative
}

// Sort puts the rows of its input in order and keeps the first of them.
type Sort struct {
	rt       *operators.Runtime
	cfg      SortConfig
	order    comparator
	reserved *budget.Reservation
	rows     columnar.Rows
	index    []int32
	runs     []*segment.Segment
	page     columnar.Rows
}

// leastBytes is what a sort keeps in memory whatever the budget says.
const leastBytes = 64 << 10

// NewSort returns a sort.
func NewSort(rt *operators.Runtime, cfg SortConfig) (*Sort, error) {
	for _, k := range cfg.Order {
		if k.Column < 0 || k.Column >= len(cfg.Schema) {
			return nil, fmt.Errorf("sort: there is no column %d", k.Column)
		}
	}
	return &Sort{
		rt: rt, cfg: cfg, order: newComparator(cfg.Schema, cfg.Order),
		reserved: rt.Budget.Reserve("sort"),
		rows:     columnar.NewRows(cfg.Schema), page: columnar.NewRows(cfg.Schema),
	}, nil
}

// Push takes rows in.
func (s *Sort) Push(ctx context.Context, _ int, rows columnar.Rows, _ operators.Emit) error {
	if s.cfg.Limit == 0 {
		return ctx.Err()
	}
	for lo := 0; lo < rows.Len; lo += operators.PageRows {
		hi := min(lo+operators.PageRows, rows.Len)
		s.rows.AppendRange(rows, lo, hi)
		if err := s.makeRoom(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// makeRoom drops rows that the limit cuts off, and writes a run when the rest
// exceeds the budget.
func (s *Sort) makeRoom() error {
	if s.cfg.Limit > 0 && int64(s.rows.Len) >= 2*s.cfg.Limit+operators.PageRows {
		s.prune()
	}
	// The index and the copy that pruning makes are counted with the rows.
	want := s.rows.Size() + int64(s.rows.Len)*4
	if want <= s.reserved.Size() {
		return nil
	}
	if want < columnar.MaxVectorBytes && s.reserved.TryGrow(want-s.reserved.Size()) {
		return nil
	}
	if want < leastBytes {
		s.reserved.Grow(want - s.reserved.Size())
		return nil
	}
	return s.spill()
}

// sortIndex sorts the positions of the rows in memory and cuts them off at the
// limit.
func (s *Sort) sortIndex() []int32 {
	s.index = slices.Grow(s.index[:0], s.rows.Len)[:s.rows.Len]
	for i := range s.index {
		s.index[i] = int32(i)
	}
	slices.SortFunc(s.index, func(i, j int32) int { return s.order.compare(s.rows, int(i), s.rows, int(j)) })
	if s.cfg.Limit >= 0 && int64(len(s.index)) > s.cfg.Limit {
		return s.index[:s.cfg.Limit]
	}
	return s.index
}

// prune keeps the rows that can still be among the first.
func (s *Sort) prune() {
	kept := columnar.NewRows(s.cfg.Schema)
	kept.AppendGather(s.rows, s.sortIndex())
	s.rows = kept
}

// spill writes the rows in memory as a sorted run.
func (s *Sort) spill() error {
	index := s.sortIndex()
	run, err := s.writeRun(func(emit operators.Emit) error { return s.pages(index, runRows, emit) })
	if err != nil {
		return err
	}
	s.runs = append(s.runs, run)
	s.rows.Reset()
	return nil
}

// runRows is the most rows of a run's block: what merging holds of each run.
const runRows = 1024

// pages emits the rows at the given positions.
func (s *Sort) pages(index []int32, size int, emit operators.Emit) error {
	for len(index) > 0 {
		n := min(size, len(index))
		s.page.Reset()
		s.page.AppendGather(s.rows, index[:n])
		if err := emit(s.page); err != nil {
			return err
		}
		index = index[n:]
	}
	return nil
}

// writeRun writes what fill emits as a segment.
func (s *Sort) writeRun(fill func(operators.Emit) error) (*segment.Segment, error) {
	w, err := s.rt.Scratch.NewWriter(s.cfg.Schema)
	if err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	schema := s.cfg.Schema.Arrow()
	err = fill(func(rows columnar.Rows) error {
		b := columnar.Batch(s.rt.Alloc, schema, rows.Cols, rows.Len)
		defer b.Release()
		return w.Append(0, b)
	})
	if err != nil {
		return nil, fmt.Errorf("sort: %w", errors.Join(err, w.Abort()))
	}
	run, err := w.Finish()
	if err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	return run, nil
}

// Finish emits the rows in order.
func (s *Sort) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	if len(s.runs) == 0 {
		err := s.pages(s.sortIndex(), operators.PageRows, emit)
		return errors.Join(err, s.Close(), ctx.Err())
	}
	if s.rows.Len > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.rows = columnar.NewRows(s.cfg.Schema)
	s.reserved.Release()
	if err := s.mergeDown(ctx); err != nil {
		return err
	}
	err := s.merge(ctx, s.runs, s.limited(emit))
	if errors.Is(err, errEnough) {
		err = nil
	}
	return errors.Join(err, s.Close())
}

// errEnough ends a merge that has yielded as many rows as the limit.
var errEnough = errors.New("enough rows")

// limited cuts what is emitted off at the limit.
func (s *Sort) limited(emit operators.Emit) operators.Emit {
	left := s.cfg.Limit
	if left < 0 {
		return emit
	}
	return func(rows columnar.Rows) error {
		if int64(rows.Len) < left {
			left -= int64(rows.Len)
			return emit(rows)
		}
		if err := emit(rows.Slice(0, int(left))); err != nil {
			return err
		}
		return errEnough
	}
}

// Close gives back memory and files; the sort can be used again.
func (s *Sort) Close() error {
	var errs []error
	for _, run := range s.runs {
		errs = append(errs, s.rt.Scratch.Remove(run))
	}
	s.runs = nil
	s.rows, s.index = columnar.NewRows(s.cfg.Schema), nil
	s.page = columnar.NewRows(s.cfg.Schema)
	s.reserved.Release()
	return errors.Join(errs...)
}
