package scan

import (
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// Chunk holds the valid rows of one block of the file, or of a part of it: see Options.Parts. It belongs to a worker and is valid
// until that worker's next call of Next.
type Chunk interface {
	// Index returns the number of the block, from 0. It depends on the file and the block
	// size alone.
	Index() int64
	// Part returns which part of the block the chunk is, and how many parts a block has that is not the last one of
	// a file.
	Part() (part, of int)
	// Rows returns the number of valid rows.
	Rows() int
	// Rejected returns the number of rejected rows of the block.
	Rejected() int
	// Line returns the physical line, from 1, on which a valid row begins. In a Parquet
	// file it is the number of the row.
	Line(row int) int64
	// Bytes returns the size of the block's records in the file, after decompression. It
	// is an upper bound of the text of a column. It is 0 for a Parquet file.
	Bytes() int
	// End returns the offset in the decompressed file after the last record; see
	// csv.Block.End. In a Parquet file it is estimated from the number of rows.
	End() int64
	// Materialise returns columns of the valid rows. columns are positions in Scan.Schema;
	// sel are the numbers of the wanted rows among the valid ones, ascending, or nil for
	// all. The result belongs to the worker and is valid until the worker's next
	// Materialise or Next.
	Materialise(columns []int, sel []int32) (columnar.Rows, error)
}

// Coded is implemented by chunks of files that may store which values a column has apart from which
// row has which.
type Coded interface {
	// Coded returns the values that a column may have, and the place among them of the value of
	// each valid row; nil if they are not stored so. The values are the same for all chunks that
	// get the same vector; they are read only, and may be kept. The places are valid until the
	// worker's Next.
	Coded(column int) (values *columnar.Vector, places []int32, err error)
	// Values returns what Coded does, if it does, without finding the places; nil if it is not known. A null that no
	// row has may follow the values.
	Values(column int) (*columnar.Vector, error)
}

// Bounded is implemented by chunks of files that may say something of the values of a column.
type Bounded interface {
	// Bounds returns what is known of a column, a position in Scan.Schema; see input.BoundedWorker.
	Bounds(column int, closer bool) input.Bounds
}

func (w *cellWorker) Index() int64 { return w.block.Index() / int64(w.scan.opts.Parts) }
func (w *cellWorker) Part() (part, of int) {
	of = w.scan.opts.Parts
	return int(w.block.Index() % int64(of)), of
}
func (w *cellWorker) Rows() int          { return len(w.valid) }
func (w *cellWorker) Rejected() int      { return w.rejects }
func (w *cellWorker) Line(row int) int64 { return w.block.Line(int(w.valid[row])) }
func (w *cellWorker) Bytes() int         { return len(w.block.Data()) }
func (w *cellWorker) End() int64         { return w.block.End() }

func (w *cellWorker) Materialise(columns []int, sel []int32) (columnar.Rows, error) {
	s := w.scan
	records, err := w.selected(sel)
	if err != nil {
		return columnar.Rows{}, err
	}
	// If every byte is invalid, text becomes three times as long.
	if w.Bytes() > math.MaxInt32/3 {
		return columnar.Rows{}, fmt.Errorf("scan %s: block %d has %d bytes, more than a column of text may", s.file, w.Index(), w.Bytes())
	}
	rows := columnar.Rows{Len: len(records), Cols: make([]*columnar.Vector, len(columns))}
	for i, column := range columns {
		if err := s.checkOutput(column); err != nil {
			return columnar.Rows{}, err
		}
		if rows.Cols[i], err = w.read(column, records); err != nil {
			return columnar.Rows{}, fmt.Errorf("scan %s: column %q: %w", s.file, s.outputs[column].Header, err)
		}
	}
	return rows, nil
}

func (s *Scan) checkOutput(column int) error {
	if column < 0 || column >= len(s.outputs) {
		return fmt.Errorf("scan %s: there is no column %d among the %d asked for", s.file, column, len(s.outputs))
	}
	return nil
}

// selected returns the record numbers of the rows that sel selects.
func (w *cellWorker) selected(sel []int32) ([]int32, error) {
	rows := w.valid
	if sel == nil {
		return rows, nil
	}
	w.records = growTo(w.records, len(sel))
	for i, row := range sel {
		if uint(row) >= uint(len(rows)) {
			return nil, fmt.Errorf("scan %s: block %d has %d rows, none is %d", w.scan.file, w.Index(), len(rows), row)
		}
		w.records[i] = rows[row]
	}
	return w.records, nil
}
