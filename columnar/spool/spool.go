package spool

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
)

// Config is what a spool works with.
type Config struct {
	Schema     columnar.Schema
	Partitions int
	Scratch    *segment.Scratch
	Alloc      columnar.Allocator
	Budget     *budget.Budget
	Holder     string // who keeps rows here, for errors
}

// Spool holds rows of a number of partitions. Rows are added until Seal, and
// read after it. It has one user at a time.
type Spool struct {
	cfg      Config
	schema   *arrow.Schema
	parts    []columnar.Rows
	rows     []int64 // per partition, in memory and in segments
	segments []*segment.Segment
	reserved *budget.Reservation
	held     int64 // bytes in parts
	sels     scatter
}

// minHeld is what a spool keeps in memory whatever the budget says, so that
// even with no budget at all a write holds more than a few rows.
const minHeld = 128 << 10

// New returns an empty spool. Close gives back what it holds.
func New(cfg Config) *Spool {
	s := &Spool{
		cfg: cfg, schema: cfg.Schema.Arrow(),
		parts: make([]columnar.Rows, cfg.Partitions), rows: make([]int64, cfg.Partitions),
		reserved: cfg.Budget.Reserve(cfg.Holder),
	}
	for p := range s.parts {
		s.parts[p] = columnar.NewRows(cfg.Schema)
	}
	return s
}

// Add copies rows into the partitions of their key hashes: partition
// Rehash(hash, seed) over the number of partitions.
func (s *Spool) Add(rows columnar.Rows, hashes []uint64, seed uint64) error {
	s.sels.split(hashes[:rows.Len], seed, len(s.parts))
	for p := range s.parts {
		if sel := s.sels.of(p); len(sel) > 0 {
			s.parts[p].AppendGather(rows, sel)
			s.rows[p] += int64(len(sel))
		}
	}
	return s.grown(rows)
}

// AddTo copies rows into one partition.
func (s *Spool) AddTo(p int, rows columnar.Rows) error {
	s.parts[p].AppendRange(rows, 0, rows.Len)
	s.rows[p] += int64(rows.Len)
	return s.grown(rows)
}

// grown accounts for rows that were added, and makes room by writing a segment
// when the budget says no.
func (s *Spool) grown(rows columnar.Rows) error {
	// Appending leaves room for half as much again.
	bytes := 3 * rows.ValueBytes() / 2
	s.held += bytes
	if s.held <= s.reserved.Size() {
		return nil
	}
	if s.reserved.TryGrow(s.held - s.reserved.Size()) {
		if s.held < columnar.MaxVectorBytes {
			return nil
		}
	} else if s.held < minHeld {
		s.reserved.Grow(s.held - s.reserved.Size())
		return nil
	}
	return s.Flush()
}

// Flush writes what is in memory as one segment and keeps the memory for more.
func (s *Spool) Flush() error {
	err := s.WriteSegment(func(add func(p int, rows columnar.Rows) error) error {
		for p := range s.parts {
			if s.parts[p].Len == 0 {
				continue
			}
			if err := add(p, s.parts[p]); err != nil {
				return err
			}
			s.rows[p] -= int64(s.parts[p].Len) // add counts them again
			s.parts[p].Reset()
		}
		return nil
	})
	s.held = 0
	return err
}

// WriteSegment writes rows past the memory of the spool, as one segment: fill
// calls add with the rows of one partition after the other.
func (s *Spool) WriteSegment(fill func(add func(p int, rows columnar.Rows) error) error) error {
	w, err := s.cfg.Scratch.NewWriter(s.cfg.Schema)
	if err != nil {
		return fmt.Errorf("spill %s: %w", s.cfg.Holder, err)
	}
	err = fill(func(p int, rows columnar.Rows) error {
		b := columnar.Batch(s.cfg.Alloc, s.schema, rows.Cols, rows.Len)
		defer b.Release()
		s.rows[p] += int64(rows.Len)
		return w.Append(p, b)
	})
	if err != nil {
		return fmt.Errorf("spill %s: %w", s.cfg.Holder, errors.Join(err, w.Abort()))
	}
	seg, err := w.Finish()
	if err != nil {
		return fmt.Errorf("spill %s: %w", s.cfg.Holder, err)
	}
	s.segments = append(s.segments, seg)
	return nil
}

// Spilled reports whether any rows are on disk.
func (s *Spool) Spilled() bool { return len(s.segments) > 0 }

// Rows returns the number of rows in a partition.
func (s *Spool) Rows(p int) int64 { return s.rows[p] }

// Seal ends adding. If anything was spilled the rest is too, so that the memory
// is free for whoever reads.
func (s *Spool) Seal() error {
	if !s.Spilled() {
		return nil
	}
	if s.held > 0 {
		if err := s.Flush(); err != nil {
			return err
		}
	}
	for p := range s.parts {
		s.parts[p] = columnar.NewRows(s.cfg.Schema)
	}
	s.reserved.Release()
	return nil
}

// Each hands the rows of a partition to f, batch by batch in the order they
// were added. f borrows them.
func (s *Spool) Each(ctx context.Context, p int, f func(columnar.Rows) error) error {
	for _, seg := range s.segments {
		if err := s.eachOf(ctx, seg, p, f); err != nil {
			return err
		}
	}
	if s.parts[p].Len == 0 {
		return nil
	}
	return f(s.parts[p])
}

func (s *Spool) eachOf(ctx context.Context, seg *segment.Segment, p int, f func(columnar.Rows) error) (err error) {
	r, err := s.cfg.Scratch.Open(seg)
	if err != nil {
		return fmt.Errorf("read back %s: %w", s.cfg.Holder, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for b, err := range r.Partition(p, s.cfg.Alloc) {
		if err != nil {
			return fmt.Errorf("read back %s: %w", s.cfg.Holder, err)
		}
		err = f(columnar.View(s.cfg.Schema, b))
		b.Release()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close deletes the segments and gives back the memory. It may be called again.
func (s *Spool) Close() error {
	var errs []error
	for _, seg := range s.segments {
		errs = append(errs, s.cfg.Scratch.Remove(seg))
	}
	s.segments, s.parts, s.held = nil, nil, 0
	s.reserved.Release()
	return errors.Join(errs...)
}
