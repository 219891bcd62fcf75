package scan

import (
	"fmt"
	"math"

	"analyzer/columnar"
)

// Chunk is the valid rows of one block of the file. It belongs to a worker and
// is valid until the worker's next call of Next.
type Chunk struct {
	worker  *Worker
	rows    int
	records []int32 // of the rows selected, during Materialise
}

// Index returns the number of the block, from 0: a function of the file and the
// block size.
func (c *Chunk) Index() int64 { return c.worker.block.Index() }

// Rows returns the number of valid rows.
func (c *Chunk) Rows() int { return c.rows }

// Line returns the physical line, from 1, on which a valid row begins.
func (c *Chunk) Line(row int) int64 { return c.worker.block.Line(int(c.worker.valid[row])) }

// Bytes returns the size of the chunk's records in the file, after decompression:
// no column's text is longer.
func (c *Chunk) Bytes() int { return len(c.worker.block.Data()) }

// End returns where in the decompressed file the last record ends; see csv.Block.End.
func (c *Chunk) End() int64 { return c.worker.block.End() }

// Materialise copies columns of rows: columns are positions in Scan.Schema, sel the numbers
// of valid rows, ascending, or nil for all. What it returns is the worker's, and
// valid until the worker's next Materialise or Next.
func (c *Chunk) Materialise(columns []int, sel []int32) (columnar.Rows, error) {
	s := c.worker.scan
	records, err := c.selected(sel)
	if err != nil {
		return columnar.Rows{}, err
	}
	// Where every byte is invalid, text becomes three times as long.
	if c.Bytes() > math.MaxInt32/3 {
		return columnar.Rows{}, fmt.Errorf("scan %s: block %d has %d bytes, more than a column of text may", s.file, c.Index(), c.Bytes())
	}
	rows := columnar.Rows{Len: len(records), Cols: make([]*columnar.Vector, len(columns))}
	for i, column := range columns {
		if column < 0 || column >= len(s.outputs) {
			return columnar.Rows{}, fmt.Errorf("scan %s: there is no column %d among the %d asked for", s.file, column, len(s.outputs))
		}
		if rows.Cols[i], err = c.worker.read(column, records); err != nil {
			return columnar.Rows{}, fmt.Errorf("scan %s: column %q: %w", s.file, s.outputs[column].Header, err)
		}
	}
	return rows, nil
}

// selected returns the records of the rows that sel selects.
func (c *Chunk) selected(sel []int32) ([]int32, error) {
	rows := c.worker.valid
	if sel == nil {
		return rows, nil
	}
	c.records = growTo(c.records, len(sel))
	for i, row := range sel {
		if uint(row) >= uint(len(rows)) {
			return nil, fmt.Errorf("scan %s: block %d has %d rows, none is %d", c.worker.scan.file, c.Index(), len(rows), row)
		}
		c.records[i] = rows[row]
	}
	return c.records, nil
}
