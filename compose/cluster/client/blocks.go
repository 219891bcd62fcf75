package client

import (
	"sync"
	"time"

	"analyzer/columnar/scan"
)

// Blocks remembers, for each block that an upload has read, where it ends and how many rows
// it has. It may be used concurrently; the zero value is ready to use.
type Blocks struct {
	mu     sync.Mutex
	tables map[string][]blockEnd
}

type blockEnd struct {
	bytes int64   // decompressed offset of the end of the block's last record
	rows  []int64 // valid ones, by part
	read  time.Time
}

func (b *Blocks) add(table string, c scan.Chunk) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tables == nil {
		b.tables = make(map[string][]blockEnd)
	}
	ends := b.tables[table]
	for int64(len(ends)) <= c.Index() {
		ends = append(ends, blockEnd{})
	}
	e := &ends[c.Index()]
	part, of := c.Part()
	if len(e.rows) < of {
		e.rows = make([]int64, of)
	}
	e.bytes, e.rows[part], e.read = max(e.bytes, c.End()), int64(c.Rows()), time.Now()
	b.tables[table] = ends
}

// First returns the decompressed offset up to which a table's first blocks reach, and how
// many valid rows they have. Blocks that were not read count as nothing.
func (b *Blocks) First(table string, blocks uint64) (bytes, rows int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ends := b.tables[table]
	for _, e := range ends[:min(blocks, uint64(len(ends)))] {
		bytes = max(bytes, e.bytes)
		for _, n := range e.rows {
			rows += n
		}
	}
	return bytes, rows
}

// Read returns when each of a table's blocks was read, skipping the first ones.
func (b *Blocks) Read(table string, after uint64) []time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	var times []time.Time
	ends := b.tables[table]
	for _, e := range ends[min(after, uint64(len(ends))):] {
		times = append(times, e.read)
	}
	return times
}
