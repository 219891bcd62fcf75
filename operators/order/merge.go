package order

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"iter"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/operators"
)

// fanIn is how many runs are merged at once.
const fanIn = 32

// mergeDown merges runs into longer ones until one merge is left to do.
func (s *Sort) mergeDown(ctx context.Context) error {
	for len(s.runs) > fanIn {
		some := s.runs[:fanIn]
		run, err := s.writeRun(func(emit operators.Emit) error {
			err := s.merge(ctx, some, s.limited(emit))
			if errors.Is(err, errEnough) {
				err = nil
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range some {
			if err := s.rt.Scratch.Remove(r); err != nil {
				return fmt.Errorf("sort: %w", err)
			}
			s.runs = s.runs[1:]
		}
		s.runs = append(s.runs, run)
	}
	return nil
}

// merge emits the rows of sorted runs in order.
func (s *Sort) merge(ctx context.Context, runs []*segment.Segment, emit operators.Emit) (err error) {
	h := &cursors{order: s.order}
	defer func() {
		for _, c := range h.open {
			err = errors.Join(err, c.close())
		}
	}()
	for _, run := range runs {
		c, err := s.newCursor(run)
		if err != nil {
			return err
		}
		h.open = append(h.open, c)
		more, err := c.next()
		if err != nil {
			return err
		}
		if more {
			h.live = append(h.live, c)
		}
	}
	heap.Init(h)
	page := columnar.NewRows(s.cfg.Schema)
	for len(h.live) > 0 {
		c := h.live[0]
		page.AppendRange(c.rows, c.at, c.at+1)
		if page.Len == runRows {
			if err := emitPage(ctx, &page, emit); err != nil {
				return err
			}
		}
		more, err := c.next()
		if err != nil {
			return err
		}
		if more {
			heap.Fix(h, 0)
		} else {
			heap.Pop(h)
		}
	}
	return emitPage(ctx, &page, emit)
}

func emitPage(ctx context.Context, page *columnar.Rows, emit operators.Emit) error {
	if page.Len == 0 {
		return ctx.Err()
	}
	if err := emit(*page); err != nil {
		return err
	}
	page.Reset()
	return ctx.Err()
}

// cursor stands at one row of a run.
type cursor struct {
	reader *segment.Reader
	schema columnar.Schema
	pull   func() (columnar.RecordBatch, error, bool)
	stop   func()
	batch  columnar.RecordBatch
	rows   columnar.Rows
	at     int
}

func (s *Sort) newCursor(run *segment.Segment) (*cursor, error) {
	r, err := s.rt.Scratch.Open(run)
	if err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	c := &cursor{reader: r, schema: s.cfg.Schema, at: -1}
	c.pull, c.stop = iter.Pull2(r.Partition(0, s.rt.Alloc))
	return c, nil
}

// next moves to the next row and reports whether there is one.
func (c *cursor) next() (bool, error) {
	for c.at++; c.at >= c.rows.Len; c.at = 0 {
		c.release()
		b, err, ok := c.pull()
		if !ok {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("sort: %w", err)
		}
		c.batch, c.rows = b, columnar.View(c.schema, b)
	}
	return true, nil
}

func (c *cursor) release() {
	if c.batch != nil {
		c.batch.Release()
		c.batch, c.rows = nil, columnar.Rows{}
	}
}

func (c *cursor) close() error {
	c.release()
	c.stop()
	return c.reader.Close()
}

// cursors is a heap of runs by the row each stands at.
type cursors struct {
	order comparator
	open  []*cursor
	live  []*cursor
}

func (h *cursors) Len() int { return len(h.live) }

func (h *cursors) Less(i, j int) bool {
	a, b := h.live[i], h.live[j]
	return h.order.compare(a.rows, a.at, b.rows, b.at) < 0
}

func (h *cursors) Swap(i, j int) { h.live[i], h.live[j] = h.live[j], h.live[i] }
func (h *cursors) Push(x any)    { h.live = append(h.live, x.(*cursor)) }

func (h *cursors) Pop() any {
	last := h.live[len(h.live)-1]
	h.live = h.live[:len(h.live)-1]
	return last
}
