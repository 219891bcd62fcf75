// Package spill keeps rows by partition, in memory while the budget allows and
// in a segment file of a scratch directory beyond that.
//
// It is the one way in which operators and queues hold more than memory does:
// an aggregate's partial states, both sides of a join, sorted runs and batches
// nobody has asked for yet are all rows of partitions that are written once and
// read back partition by partition.
package spill

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
)

// Config is what a spool works with.
type Config struct {
	Schema     columnar.Schema
	Partitions int
	Scratch    *segment.Scratch
	Budget     *budget.Budget
	Holder     string // who keeps rows here, for errors
}

// Spool holds rows of a number of partitions. Rows are added until Seal, and
// read after it. It has one user at a time.
type Spool struct {
	cfg      Config
	parts    []*columnar.Pages
	rows     []int64          // per partition, in memory and on disk
	writer   *segment.Writer  // of what does not fit, until Seal
	segment  *segment.Segment // what did not fit, after Seal
	reserved *budget.Reservation
	held     int64 // bytes that parts take
	values   int64 // bytes of the values in them
	sels     scatter
}

const (
	// minHeld is what a spool keeps in memory whatever the budget says, so that
	// even with no budget at all a write holds more than a few rows.
	minHeld = 128 << 10
	// blockBytes is about the most bytes of a block on disk, which is read back
	// as a whole, past the budget.
	blockBytes = 1 << 20
)

// New returns an empty spool. Close gives back what it holds.
func New(cfg Config) *Spool {
	s := &Spool{
		cfg: cfg, parts: make([]*columnar.Pages, cfg.Partitions), rows: make([]int64, cfg.Partitions),
		reserved: cfg.Budget.Reserve(cfg.Holder),
	}
	s.empty()
	return s
}

// empty makes the partitions empty and gives up their memory.
func (s *Spool) empty() {
	for p := range s.parts {
		s.parts[p] = columnar.NewPages(s.cfg.Schema)
	}
	s.held = 0
}

// Add copies rows into the partitions of their key hashes: partition
// Rehash(hash, seed) over the number of partitions.
func (s *Spool) Add(rows columnar.Rows, hashes []uint64, seed uint64) error {
	s.sels.split(hashes[:rows.Len], seed, len(s.parts))
	for p, part := range s.parts {
		sel, size := s.sels.of(p), part.Size()
		for lo := 0; lo < len(sel); {
			lo = part.AppendGather(rows, sel, lo)
		}
		s.rows[p] += int64(len(sel))
		s.held += part.Size() - size
	}
	return s.grown(rows)
}

// AddTo copies rows into one partition.
func (s *Spool) AddTo(p int, rows columnar.Rows) error {
	part, size := s.parts[p], s.parts[p].Size()
	for lo := 0; lo < rows.Len; {
		lo = part.Append(rows, lo)
	}
	s.rows[p] += int64(rows.Len)
	s.held += part.Size() - size
	return s.grown(rows)
}

// grown makes room by writing what there is to disk when the budget does not allow
// what was added.
func (s *Spool) grown(rows columnar.Rows) error {
	s.values += rows.ValueBytes()
	need := s.held
	if s.writer != nil {
		// Memory that is kept is filled anew. Slices that grow by doubling are three
		// quarters full on average.
		need = 3 * s.values / 2
	}
	if s.reserved.Cover(need, minHeld) {
		return nil
	}
	return s.Flush()
}

// Flush writes what is in memory to disk and keeps the memory for more, unless little of
// it was used: then it is other partitions that need it now.
func (s *Spool) Flush() error {
	err := s.WriteSegment(func(add func(p int, rows columnar.Rows) error) error {
		for p, part := range s.parts {
			for i := range part.Count() {
				rows := part.Page(i)
				if err := add(p, rows); err != nil {
					return err
				}
				s.rows[p] -= int64(rows.Len) // add counts them again
			}
			part.Reset()
		}
		return nil
	})
	if s.held > 3*s.values {
		s.empty()
	}
	s.values = 0
	return err
}

// WriteSegment writes rows past the memory of the spool: fill calls add with the
// rows of one partition after the other, as often as it likes. After an error
// the spool can only be closed.
//
// All that a spool writes goes to one file, however often and however little at
// a time: reading a partition opens one file.
func (s *Spool) WriteSegment(fill func(add func(p int, rows columnar.Rows) error) error) error {
	if s.writer == nil {
		w, err := s.cfg.Scratch.NewWriter(s.cfg.Schema)
		if err != nil {
			return fmt.Errorf("spill %s: %w", s.cfg.Holder, err)
		}
		s.writer = w
	}
	if err := fill(s.write); err != nil {
		return fmt.Errorf("spill %s: %w", s.cfg.Holder, err)
	}
	return nil
}

// write appends rows of a partition to the file, in blocks.
func (s *Spool) write(p int, rows columnar.Rows) error {
	blocks := 1 + int(rows.ValueBytes()/blockBytes)
	step := (rows.Len + blocks - 1) / blocks
	for lo := 0; lo < rows.Len; lo += step {
		if err := s.writer.Append(p, rows.Slice(lo, min(lo+step, rows.Len))); err != nil {
			return err
		}
	}
	s.rows[p] += int64(rows.Len)
	return nil
}

// Spilled reports whether any rows are on disk.
func (s *Spool) Spilled() bool { return s.writer != nil || s.segment != nil }

// Rows returns the number of rows in a partition.
func (s *Spool) Rows(p int) int64 { return s.rows[p] }

// Seal ends adding. If anything was spilled the rest is too, so that the memory
// is free for whoever reads.
func (s *Spool) Seal() error {
	if s.writer == nil {
		return nil
	}
	if err := s.Flush(); err != nil {
		return err
	}
	s.empty()
	s.sels = scatter{}
	s.reserved.Release()
	seg, err := s.writer.Finish()
	if err != nil {
		return fmt.Errorf("spill %s: %w", s.cfg.Holder, err)
	}
	s.writer, s.segment = nil, seg
	return nil
}

// Each hands the rows of a partition to f, batch by batch in the order they
// were added. f borrows them.
func (s *Spool) Each(ctx context.Context, p int, f func(columnar.Rows) error) error {
	if s.segment != nil {
		if err := s.eachSpilled(ctx, p, f); err != nil {
			return err
		}
	}
	for i := range s.parts[p].Count() {
		if err := f(s.parts[p].Page(i)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Forget gives up the memory of a partition that nobody will read any more.
func (s *Spool) Forget(p int) {
	s.held -= s.parts[p].Size()
	s.parts[p].Release()
	s.reserved.Shrink(max(0, s.reserved.Size()-s.held))
}

func (s *Spool) eachSpilled(ctx context.Context, p int, f func(columnar.Rows) error) (err error) {
	r, err := s.cfg.Scratch.Open(s.segment)
	if err != nil {
		return fmt.Errorf("read back %s: %w", s.cfg.Holder, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for rows, err := range r.Partition(p, new([]byte)) {
		if err != nil {
			return fmt.Errorf("read back %s: %w", s.cfg.Holder, err)
		}
		if err = f(rows); err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close deletes what is on disk and gives back the memory. It may be called
// again.
func (s *Spool) Close() error {
	var err error
	if s.writer != nil {
		err = s.writer.Abort()
	}
	if s.segment != nil {
		err = s.cfg.Scratch.Remove(s.segment)
	}
	s.writer, s.segment, s.parts, s.held = nil, nil, nil, 0
	s.reserved.Release()
	return err
}
