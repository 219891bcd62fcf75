package window

import (
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/operators"
)

// tape is a sequence of rows in blocks, numbered from 0 on. Rows are added at one end and
// dropped at the other when they are no longer needed. Blocks that do not fit the budget are on
// disk. Cursors read the tape.
type tape struct {
	rt       *operators.Runtime
	schema   columnar.Schema
	reserved *budget.Reservation
	blocks   []block // blocks that were not dropped
	rows     int64   // the number of the next row
	bytes    int64   // of blocks in memory
	cursors  []*cursor
}

// block is the rows from number from up to, not including, to.
type block struct {
	from, to int64
	rows     columnar.Rows // without columns if the block is on disk
	borrowed bool          // until the next trim
	file     *file
	at       int // position in the file
}

// file holds blocks that were written together.
type file struct {
	segment *segment.Segment
	left    int // how many of its blocks are still on the tape
}

const (
	// LeastBytes is what a tape holds in memory whatever the budget says.
	LeastBytes = 128 << 10
	// blockBytes is roughly the most bytes of a block on disk.
	blockBytes = 64 << 10
)

// add appends rows, which it borrows until the next trim.
func (t *tape) add(rows columnar.Rows) {
	to := t.rows + int64(rows.Len)
	t.blocks = append(t.blocks, block{from: t.rows, to: to, rows: rows, borrowed: true})
	t.rows = to
}

// trim drops the blocks before a row, and copies the borrowed rows that remain.
func (t *tape) trim(from int64) error {
	for _, c := range t.cursors {
		c.from, c.to = 0, 0
	}
	dropped := 0
	for ; dropped < len(t.blocks) && t.blocks[dropped].to <= from; dropped++ {
		if err := t.drop(t.blocks[dropped]); err != nil {
			return err
		}
	}
	t.blocks = slices.Delete(t.blocks, 0, dropped)
	if n := len(t.blocks); n > 0 && t.blocks[n-1].borrowed {
		b := &t.blocks[n-1]
		own := columnar.NewRows(t.schema)
		lo := max(0, int(from-b.from))
		own.AppendRange(b.rows, lo, b.rows.Len)
		b.rows, b.from, b.borrowed = own, b.from+int64(lo), false
		t.bytes += own.Size()
	}
	if t.reserved.Cover(t.bytes, LeastBytes) {
		return nil
	}
	return t.spill()
}

func (t *tape) drop(b block) error {
	switch {
	case b.borrowed:
	case b.file == nil:
		t.bytes -= b.rows.Size()
		t.reserved.Shrink(max(0, t.reserved.Size()-max(t.bytes, 0)))
	default:
		if b.file.left--; b.file.left == 0 {
			for _, c := range t.cursors {
				if c.file == b.file {
					if err := c.close(); err != nil {
						return err
					}
				}
			}
			return t.rt.Scratch.Remove(b.file.segment)
		}
	}
	return nil
}

// spill writes the blocks in memory to disk.
func (t *tape) spill() error {
	w, err := t.rt.Scratch.NewWriter(t.schema)
	if err != nil {
		return fmt.Errorf("spill window: %w", err)
	}
	f, kept := &file{}, make([]block, 0, len(t.blocks))
	for _, b := range t.blocks {
		if b.file != nil {
			kept = append(kept, b)
			continue
		}
		at := b.from
		err := b.rows.InParts(b.rows.Fitting(blockBytes), func(part columnar.Rows) error {
			kept = append(kept, block{from: at, to: at + int64(part.Len), file: f, at: f.left})
			at += int64(part.Len)
			f.left++
			return w.Append(0, part)
		})
		if err != nil {
			return fmt.Errorf("spill window: %w", errors.Join(err, w.Abort()))
		}
	}
	if f.segment, err = w.Finish(); err != nil {
		return fmt.Errorf("spill window: %w", err)
	}
	t.blocks, t.bytes = kept, 0
	t.reserved.Release()
	return nil
}

// close forgets all rows and gives back memory and files.
func (t *tape) close() error {
	errs := columnar.Each(t.cursors, (*cursor).close)
	for _, b := range t.blocks {
		errs = append(errs, t.drop(b))
	}
	t.blocks, t.rows, t.bytes = nil, 0, 0
	t.reserved.Release()
	return errors.Join(errs...)
}

// cursor reads rows of a tape, fastest in their order. It holds one block.
type cursor struct {
	tape     *tape
	rows     columnar.Rows
	from, to int64
	file     *file // of the block
	reader   *segment.Reader
	memory   []byte
}

func (t *tape) cursor() *cursor {
	c := &cursor{tape: t}
	t.cursors = append(t.cursors, c)
	return c
}

// seek moves the cursor to the block with a row and returns the row's position in c.rows. The
// block is held until the next seek or trim.
func (c *cursor) seek(row int64) (int, error) {
	if row < c.from || row >= c.to {
		if err := c.load(row); err != nil {
			return 0, err
		}
	}
	return int(row - c.from), nil
}

func (c *cursor) load(row int64) error {
	i, ok := slices.BinarySearchFunc(c.tape.blocks, row, func(b block, row int64) int {
		switch {
		case b.to <= row:
			return -1
		case b.from > row:
			return 1
		}
		return 0
	})
	if !ok {
		return fmt.Errorf("window: row %d is not held any more", row)
	}
	b := c.tape.blocks[i]
	rows := b.rows
	if b.file != nil {
		var err error
		if rows, err = c.read(b); err != nil {
			return fmt.Errorf("window: %w", err)
		}
	}
	c.rows, c.from, c.to = rows, b.from, b.to
	return nil
}

func (c *cursor) read(b block) (rows columnar.Rows, err error) {
	if c.file != b.file {
		if err := c.close(); err != nil {
			return rows, err
		}
		if c.reader, err = c.tape.rt.Scratch.Open(b.file.segment); err != nil {
			return rows, err
		}
		c.file = b.file
	}
	rows, c.memory, err = c.reader.ReadBlock(b.at, c.memory)
	return rows, err
}

func (c *cursor) close() error {
	c.from, c.to, c.file = 0, 0, nil
	r := c.reader
	c.reader = nil
	if r == nil {
		return nil
	}
	return r.Close()
}
