// Package spill keeps rows by partition: in memory while the budget allows, and beyond that in
// a segment file of a scratch directory.
//
// Operators and queues use it to hold more rows than fit in memory: an aggregate's partial
// states, both sides of a join, the rows of a percentile and batches that were not requested
// yet. Such rows are written once and read back partition by partition. Sorts and windows write
// their segment files themselves.
package spill

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
)

// Config configures a spool.
type Config struct {
	Schema     columnar.Schema
	Partitions int
	Scratch    *segment.Scratch
	Budget     *budget.Budget
	Holder     string // names the owner of the rows in errors
}

// Spool holds rows in a number of partitions. Rows are added until Seal and read after it. A
// spool has one user at a time.
type Spool struct {
	cfg      Config
	parts    []*columnar.Pages
	rows     []int64          // per partition, in memory and on disk
	writer   *segment.Writer  // writes rows that do not fit, until Seal
	segment  *segment.Segment // rows that did not fit, after Seal
	reserved *budget.Reservation
	held     int64 // bytes that parts take
	values   int64 // bytes of the values in them
	sels     scatter
	read     atomic.Pointer[[]byte] // memory for blocks that are read, unless it is in use
}

const (
	// minHeld is what a spool keeps in memory whatever the budget says, so that even without
	// any budget a write holds more than a few rows.
	minHeld = 128 << 10
	// blockBytes is roughly the most bytes of a block on disk. A block is read back as a whole,
	// outside the budget.
	blockBytes = 1 << 20
	// fewRows of a block are long ones.
	fewRows = 8
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

// empty empties the partitions and gives up their memory.
func (s *Spool) empty() {
	for p := range s.parts {
		s.parts[p] = columnar.NewPages(s.cfg.Schema)
	}
	s.held = 0
}

// Add copies rows into the partitions of their key hashes, as Partition computes them. Long ones that memory has no room
// for go to disk as they are.
func (s *Spool) Add(rows columnar.Rows, hashes []uint64, seed uint64) error {
	s.sels.split(hashes[:rows.Len], seed, len(s.parts))
	if s.mustPass(rows) {
		return s.pass(func(add func(p int, rows columnar.Rows) error) error {
			for p := range s.parts {
				sel, copied := s.sels.of(p), columnar.NewRows(s.cfg.Schema)
				if len(sel) == 0 {
					continue
				}
				if err := add(p, rows.Chosen(sel, &copied)); err != nil {
					return err
				}
			}
			return nil
		})
	}
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

// AddTo is Add for rows of one partition.
func (s *Spool) AddTo(p int, rows columnar.Rows) error {
	if s.mustPass(rows) {
		return s.pass(func(add func(p int, rows columnar.Rows) error) error { return add(p, rows) })
	}
	part, size := s.parts[p], s.parts[p].Size()
	for lo := 0; lo < rows.Len; {
		lo = part.Append(rows, lo)
	}
	s.rows[p] += int64(rows.Len)
	s.held += part.Size() - size
	return s.grown(rows)
}

// mustPass reports whether rows are so long that they must not be copied, since memory has no room for them.
func (s *Spool) mustPass(rows columnar.Rows) bool {
	bytes := rows.ValueBytes()
	return bytes > blockBytes && rows.Fitting(blockBytes) <= fewRows && !s.reserved.Cover(s.held+bytes, minHeld)
}

// pass has fill write rows to disk, after those in memory, whose memory it gives up.
func (s *Spool) pass(fill func(add func(p int, rows columnar.Rows) error) error) error {
	err := s.Flush()
	s.empty()
	s.reserved.Release()
	return errors.Join(err, s.WriteSegment(fill))
}

// grown makes room after rows were added: if the budget does not allow them, it writes the rows
// in memory to disk.
func (s *Spool) grown(rows columnar.Rows) error {
	s.values += rows.ValueBytes()
	need := s.held
	if s.writer != nil {
		// Memory that was kept is filled again. Slices that grow by doubling are three quarters
		// full on average.
		need = 3 * s.values / 2
	}
	if s.reserved.Cover(need, minHeld) {
		return nil
	}
	return s.Flush()
}

// Flush writes the rows in memory to disk. It keeps the memory for more, unless little of it
// was used: then other partitions need memory now.
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
			s.held -= part.Size()
			part.Reset()
			s.held += part.Size()
		}
		return nil
	})
	if s.held > 3*s.values {
		s.empty()
	}
	s.values = 0
	return err
}

// WriteSegment writes rows to disk without adding them to the spool's memory: fill calls add
// with the rows of one partition at a time, as often as it likes. After an error the spool can
// only be closed.
//
// All writes of a spool go to one file, however many and however small they are. So reading a
// partition opens one file.
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
	s.rows[p] += int64(rows.Len)
	return rows.InParts(rows.Fitting(blockBytes), func(part columnar.Rows) error { return s.writer.Append(p, part) })
}

// Spilled reports whether any rows are on disk.
func (s *Spool) Spilled() bool { return s.writer != nil || s.segment != nil }

// Rows returns the number of rows in a partition.
func (s *Spool) Rows(p int) int64 { return s.rows[p] }

// Seal ends adding. If anything was spilled, Seal spills the rest too, so that readers can use
// the memory.
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

// Each calls f with the rows of a partition, batch by batch in the order in which they were
// added. f borrows them.
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

// Forget gives up the memory of a partition that will not be read any more.
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
	buffer := s.read.Swap(nil)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer func() {
		s.read.Store(buffer)
		err = errors.Join(err, r.Close())
	}()
	for rows, err := range r.Partition(p, buffer) {
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

// Close deletes the files and gives back the memory. It may be called again.
func (s *Spool) Close() error {
	var err error
	if s.writer != nil {
		err = s.writer.Abort()
	}
	if s.segment != nil {
		err = s.cfg.Scratch.Remove(s.segment)
	}
	s.writer, s.segment, s.parts, s.held = nil, nil, nil, 0
	s.read.Store(nil)
	s.reserved.Release()
	return err
}
