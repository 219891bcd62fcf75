package input

import (
	"sync/atomic"

	"analyzer/columnar/csv"
)

// Counter counts the rows and blocks that were read of a file whose rows come as vectors, and
// estimates bytes from them. It is safe for concurrent use.
type Counter struct {
	Size         int64 // of the file in bytes
	Rows         int64 // of the file
	done, blocks atomic.Int64
}

// Bytes estimates how many bytes the first rows take in the file.
func (c *Counter) Bytes(rows int64) int64 {
	if rows == c.Rows {
		return c.Size
	}
	return int64(float64(c.Size) * float64(rows) / float64(c.Rows))
}

// Count counts a block.
func (c *Counter) Count(rows int) {
	c.done.Add(int64(rows))
	c.blocks.Add(1)
}

// Progress returns how much has been read.
func (c *Counter) Progress() csv.Progress {
	read := c.Bytes(c.done.Load())
	return csv.Progress{File: read, Data: read, Blocks: c.blocks.Load(), End: read}
}
