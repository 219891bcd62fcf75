package scan

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"analyzer/columnar"
)

// Chunk is the valid rows of one block of the file. It belongs to a worker and
// is valid until the worker's next call of Next.
type Chunk struct {
	worker  *Worker
	rows    int
	records []int32 // of the rows selected, during Materialise

	schemas []knownSchema
}

// knownSchema is the Arrow schema of some columns.
type knownSchema struct {
	columns []int
	schema  *arrow.Schema
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

// Materialise copies columns into a new batch: columns are positions in
// Scan.Schema, sel the numbers of valid rows, ascending, or nil for all. The
// caller releases the batch, which shares no memory with the chunk.
func (c *Chunk) Materialise(columns []int, sel []int32) (columnar.RecordBatch, error) {
	s := c.worker.scan
	records, err := c.selected(sel)
	if err != nil {
		return nil, err
	}
	// Where every byte is invalid, text becomes three times as long.
	if c.Bytes() > math.MaxInt32/3 {
		return nil, fmt.Errorf("scan %s: block %d has %d bytes, more than a column of text may", s.file, c.Index(), c.Bytes())
	}
	arrays := make([]arrow.Array, 0, len(columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for _, i := range columns {
		if i < 0 || i >= len(s.outputs) {
			return nil, fmt.Errorf("scan %s: there is no column %d among the %d asked for", s.file, i, len(s.outputs))
		}
		a, err := c.worker.column(i, records)
		if err != nil {
			return nil, fmt.Errorf("scan %s: column %q: %w", s.file, s.outputs[i].Header, err)
		}
		arrays = append(arrays, a)
	}
	return array.NewRecord(c.arrowSchema(columns), arrays, int64(len(records))), nil
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

// arrowSchema returns the schema of some columns. Consumers ask for the same few
// choices of columns again and again.
func (c *Chunk) arrowSchema(columns []int) *arrow.Schema {
	for _, known := range c.schemas {
		if slices.Equal(known.columns, columns) {
			return known.schema
		}
	}
	schema := make(columnar.Schema, len(columns))
	for i, j := range columns {
		schema[i] = c.worker.scan.schema[j]
	}
	if len(c.schemas) == maxKnownSchemas {
		c.schemas = c.schemas[:0]
	}
	c.schemas = append(c.schemas, knownSchema{columns: slices.Clone(columns), schema: schema.Arrow()})
	return c.schemas[len(c.schemas)-1].schema
}

const maxKnownSchemas = 64
