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

// SortConfig says in what order to put rows, and which of them to emit.
type SortConfig struct {
	Order  []Key `json:"order,omitempty"`  // ties are broken by the other columns, see the package
	Limit  int64 `json:"limit"`            // rows to keep; all if negative
	Offset int64 `json:"offset,omitempty"` // how many of these are skipped at the beginning
	// Ordered says that rows come in the order, and that no two are equal in it: the first are all that are needed.
	Ordered bool `json:"ordered,omitempty"`
	// Columns are those that are emitted, of a plan the columns of its node; nil: all.
	Columns []string `json:"-"`
}

// Sort sorts its input and keeps the first rows. With a limit it holds about
// twice as many rows in memory, and no fewer than a page unless they are long.
type Sort struct {
	rt       *operators.Runtime
	schema   columnar.Schema
	cfg      SortConfig
	order    total
	emitted  []int // positions of the columns that are emitted; nil: all
	reserved *budget.Reservation
	rows     *columnar.Pages
	bound    bound
	shared   *Shared // nil: nobody asks for the bound
	sorter   sorter
	runs     []*segment.Segment
}

// pruneBytes is how many bytes a sort with a limit holds before it looks at twice as many rows as it keeps, if these are
// less than a page.
const pruneBytes = 2 << 20

// LeastBytes is what a sort holds in memory whatever the budget says.
const LeastBytes = 128 << 10

// NewSort returns a sort. It fails when a key is not in the schema.
func NewSort(rt *operators.Runtime, schema columnar.Schema, cfg SortConfig) (*Sort, error) {
	order, err := newTotal(schema, cfg.Order)
	if err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	var emitted []int
	if cfg.Columns != nil && !slices.Equal(cfg.Columns, schema.Names()) {
		if emitted, err = schema.Positions(cfg.Columns); err != nil {
			return nil, fmt.Errorf("sort: %w", err)
		}
	}
	return &Sort{
		rt: rt, schema: schema, cfg: cfg, order: order, emitted: emitted, reserved: rt.Budget.Reserve("sort"),
		rows: columnar.NewPages(schema), sorter: sorter{threads: rt.Threads},
	}, nil
}

// Push takes rows in. It may return operators.ErrEnough.
func (s *Sort) Push(ctx context.Context, _ int, rows columnar.Rows, _ operators.Emit) error {
	if s.cfg.Limit == 0 {
		return ctx.Err()
	}
	few := min(operators.PageRows, rows.Fitting(LeastBytes/2)) // so as to overdraw the budget only slightly
	err := rows.InParts(few, func(part columnar.Rows) error {
		if bytes := part.ValueBytes(); bytes > pageBytes && s.rows.Len() > 0 && !s.reserved.Cover(s.rows.Size()+bytes, LeastBytes) {
			if err := s.spill(); err != nil { // before a long value is copied too
				return err
			}
		}
		s.add(part)
		return s.makeRoom()
	})
	if err != nil {
		return err
	}
	if s.shared != nil && int64(s.rows.Len()) >= 2*s.cfg.Limit {
		s.prune() // for a lower bound, so that fewer rows are read
	}
	if s.cfg.Ordered && int64(s.rows.Len()) >= s.cfg.Limit && len(s.runs) == 0 {
		return operators.ErrEnough
	}
	return ctx.Err()
}

// add appends those of at most a page of rows that can be among the first.
func (s *Sort) add(rows columnar.Rows) {
	if !s.bound.set {
		for lo := 0; lo < rows.Len; {
			lo = s.rows.Append(rows, lo)
		}
		return
	}
	within := s.bound.within(&s.order, rows)
	for lo := 0; lo < len(within); {
		lo = s.rows.AppendGather(rows, within, lo)
	}
}

// makeRoom drops rows beyond the limit, and writes a run when the rest exceeds
// the budget.
func (s *Sort) makeRoom() error {
	if n := int64(s.rows.Len()); s.cfg.Limit > 0 && n >= 2*s.cfg.Limit && (n >= s.cfg.Limit+operators.PageRows || s.rows.Size() > pruneBytes) {
		s.prune()
	}
	if s.rows.Len() == 0 || s.rows.Reserve(s.reserved, int64(s.rows.Len())*entryBytes, LeastBytes) {
		return nil
	}
	return s.spill()
}

// sorted returns the ids of the rows in memory in order, up to the limit.
func (s *Sort) sorted() []uint32 {
	ids := s.sorter.sort(&s.order, s.rows)
	if s.cfg.Limit >= 0 && int64(len(ids)) > s.cfg.Limit {
		ids = ids[:s.cfg.Limit]
	}
	if s.cfg.Limit > 0 && int64(len(ids)) == s.cfg.Limit {
		rows, last := s.rows.Row(ids[len(ids)-1])
		s.bound.lower(&s.order, s.schema, rows, last)
		if s.shared != nil {
			s.shared.lower(s.bound.word)
		}
	}
	return ids
}

// prune drops rows that can no longer be among the first.
func (s *Sort) prune() {
	ids, old := s.sorted(), s.rows
	s.rows = columnar.NewPages(s.schema)
	s.rows.AppendRows(old, ids)
}

// spill writes the rows in memory as a sorted run.
func (s *Sort) spill() error {
	ids := s.sorted()
	run, err := s.writeRun(s.pages(ids))
	if err != nil {
		return err
	}
	s.runs = append(s.runs, run)
	s.rows.Release()
	return nil
}

const (
	// blockBytes is roughly the most bytes of a block of a run. A merge holds
	// one block of each run. Those of very many columns have as many bytes of values as of
	// what each column takes besides.
	blockBytes = 64 << 10
	// pageBytes is roughly the most bytes of a page, unless one row exceeds it.
	pageBytes = 1 << 20
)

// pages returns what fills pages with rows in the order of their ids.
func (s *Sort) pages(ids []uint32) func(*pager) error {
	return func(p *pager) error {
		if err := p.add(s.rows, ids); err != nil {
			return err
		}
		return p.flush()
	}
}

// writeRun writes the rows that fill puts on pages as a segment.
func (s *Sort) writeRun(fill func(*pager) error) (*segment.Segment, error) {
	w, err := s.rt.Scratch.NewWriter(s.schema)
	if err != nil {
		return nil, fmt.Errorf("spill sort: %w", err)
	}
	bytes := max(blockBytes, columnar.Overhead(len(s.schema)))
	err = fillPages(s.schema, nil, bytes, fill, func(rows columnar.Rows) error { return w.Append(0, rows) })
	if err != nil {
		return nil, fmt.Errorf("spill sort: %w", errors.Join(err, w.Abort()))
	}
	run, err := w.Finish()
	if err != nil {
		return nil, fmt.Errorf("spill sort: %w", err)
	}
	return run, nil
}

// Finish emits the rows in order.
func (s *Sort) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	skip := s.cfg.Offset
	err := s.finish(ctx, func(rows columnar.Rows) error {
		if n := min(skip, int64(rows.Len)); n > 0 {
			skip -= n
			rows = rows.Slice(int(n), rows.Len)
		}
		if rows.Len == 0 {
			return ctx.Err()
		}
		if err := emit(rows); err != nil {
			return err
		}
		return ctx.Err()
	})
	return errors.Join(err, s.Close())
}

func (s *Sort) finish(ctx context.Context, emit operators.Emit) error {
	if len(s.runs) == 0 {
		return s.emit(s.pages(s.sorted()), emit)
	}
	if s.rows.Len() > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.sorter.free()
	s.reserved.Release()
	if err := s.mergeDown(ctx); err != nil {
		return err
	}
	return s.emit(s.merged(ctx, s.runs), emit)
}

// emit emits the rows that fill puts on pages, ahead of each other if that takes no copies of long rows.
func (s *Sort) emit(fill func(*pager) error, emit operators.Emit) error {
	long := func(run *segment.Segment) bool { return s.largestBlock(run) > pageBytes }
	if s.rt.Threads > 1 && (len(s.runs) > 0 || s.rows.Len() >= leastFork) && !slices.ContainsFunc(s.runs, long) {
		return fillAhead(s.schema, s.emitted, pageBytes, fill, emit)
	}
	return fillPages(s.schema, s.emitted, pageBytes, fill, emit)
}

// Close gives back memory and files. The sort can be used again.
func (s *Sort) Close() error {
	errs := columnar.Each(s.runs, s.rt.Scratch.Remove)
	s.runs = nil
	s.rows.Release()
	s.bound = bound{}
	s.sorter.free()
	s.reserved.Release()
	return errors.Join(errs...)
}
