package order

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/operators"
)

const (
	fanIn    = 32 // how many runs are merged at once, unless their blocks are large
	putRows  = 64 // how many rows of a merge are put on the page at once
	runShare = 4  // the blocks of the runs of a merge have 1/runShare of the budget
)

// mergeDown merges runs into longer ones until one merge is left to do.
func (s *Sort) mergeDown(ctx context.Context) error {
	for n := s.together(); n < len(s.runs); n = s.together() {
		run, err := s.writeRun(s.merged(ctx, s.runs[:n]))
		if err != nil {
			return err
		}
		s.runs = append(s.runs, run)
		for range n {
			if err := s.rt.Scratch.Remove(s.runs[0]); err != nil {
				return fmt.Errorf("sort: %w", err)
			}
			s.runs = s.runs[1:]
		}
	}
	return nil
}

// together returns how many of the first runs to merge at once, of each of which there is a block in memory.
func (s *Sort) together() int {
	room, limit := int64(math.MaxInt64), s.rt.Budget.Limit()
	if limit > 0 {
		room = limit / runShare
	}
	for i, run := range s.runs[:min(len(s.runs), fanIn)] {
		if room -= s.largestBlock(run); room < 0 && i >= 2 {
			return i
		}
	}
	return min(len(s.runs), fanIn)
}

// merged returns what fills pages with the rows of sorted runs in order, up to the limit.
func (s *Sort) merged(ctx context.Context, runs []*segment.Segment) func(*pager) error {
	return func(p *pager) error { return s.merge(ctx, runs, p) }
}

func (s *Sort) merge(ctx context.Context, runs []*segment.Segment, p *pager) (err error) {
	left := s.cfg.Limit
	if left < 0 {
		left = math.MaxInt64
	}
	m := &merger{order: &s.order, blocks: columnar.NewPages(s.schema), pager: p, left: left}
	defer func() {
		err = errors.Join(err, m.close())
		s.reserved.Release()
	}()
	for _, run := range runs {
		s.reserved.Grow(s.largestBlock(run))
		if err := m.open(s.rt, run); err != nil {
			return fmt.Errorf("sort: %w", err)
		}
	}
	return m.merge(ctx)
}

// largestBlock returns the most bytes that reading a block of a run takes.
func (s *Sort) largestBlock(run *segment.Segment) int64 {
	most := int64(0)
	for _, b := range run.Blocks {
		most = max(most, b.Length)
	}
	return most + columnar.Overhead(len(s.schema))
}

// merger merges sorted runs.
type merger struct {
	order   *total
	cursors []*cursor       // one for each run
	blocks  *columnar.Pages // the current block of each run, as the page with the run's number
	heap    []*cursor       // those with rows left, as a heap with the first row on top
	ids     []uint32        // rows to put on the page
	pager   *pager
	left    int64 // most rows still to emit
}

// open adds a run.
func (m *merger) open(rt *operators.Runtime, run *segment.Segment) error {
	r, err := rt.Scratch.Open(run)
	if err != nil {
		return err
	}
	c := &cursor{reader: r, number: len(m.cursors)}
	c.next, c.stop = iter.Pull2(r.Partition(0, new([]byte)))
	m.cursors = append(m.cursors, c)
	more, err := m.load(c)
	if more {
		m.heap = append(m.heap, c)
	}
	return err
}

// load reads the next block of a run, if there is one.
func (m *merger) load(c *cursor) (more bool, err error) {
	if c.rows, err, more = c.next(); err != nil || !more {
		return false, err
	}
	c.at = 0
	m.blocks.Put(c.number, c.rows)
	c.words = m.order.words(c.words, c.rows)
	return true, nil
}

func (m *merger) merge(ctx context.Context) error {
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	for ; len(m.heap) > 0 && m.left > 0; m.left-- {
		c := m.heap[0]
		m.ids = append(m.ids, columnar.RowID(c.number, c.at))
		c.at++
		if c.at == c.rows.Len || len(m.ids) == putRows {
			if err := m.put(); err != nil {
				return err
			}
		}
		if c.at == c.rows.Len {
			more, err := m.load(c)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if !more {
				last := len(m.heap) - 1
				m.heap[0] = m.heap[last]
				m.heap = m.heap[:last]
			}
		}
		m.down(0)
	}
	if err := m.put(); err != nil {
		return err
	}
	return m.pager.flush()
}

// put copies rows to the page, before their blocks are replaced.
func (m *merger) put() error {
	if len(m.ids) == 0 {
		return nil
	}
	err := m.pager.add(m.blocks, m.ids)
	m.ids = m.ids[:0]
	return err
}

// down moves the i-th cursor of the heap down to where it belongs.
func (m *merger) down(i int) {
	for {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heap); child++ {
			if m.before(m.heap[child], m.heap[first]) {
				first = child
			}
		}
		if first == i {
			return
		}
		m.heap[i], m.heap[first] = m.heap[first], m.heap[i]
		i = first
	}
}

func (m *merger) before(a, b *cursor) bool {
	if x, y := a.words[a.at], b.words[b.at]; x != y {
		return x < y
	}
	return m.order.compare(a.rows, a.at, b.rows, b.at) < 0
}

func (m *merger) close() error {
	var errs []error
	for _, c := range m.cursors {
		c.stop()
		errs = append(errs, c.reader.Close())
	}
	return errors.Join(errs...)
}

// cursor is a position in a run.
type cursor struct {
	reader *segment.Reader
	number int
	next   func() (block columnar.Rows, err error, more bool)
	stop   func()
	rows   columnar.Rows // rows of the current block
	words  []uint64
	at     int
}
