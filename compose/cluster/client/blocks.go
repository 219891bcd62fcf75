package client

import (
	"sync"
	"time"

	"analyzer/columnar/scan"
)

// Blocks remembers what the blocks of tables held that an upload has read. It may be
// used concurrently; the zero value knows of none.
type Blocks struct {
	mu     sync.Mutex
	tables map[string][]blockEnd
}

type blockEnd struct {
	bytes int64 // up to the end of the block's last record, decompressed
	rows  int64 // valid ones
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
	ends[c.Index()] = blockEnd{c.End(), int64(c.Rows()), time.Now()}
	b.tables[table] = ends
}

// First returns up to where a table's first blocks reach, in decompressed bytes, and
// how many valid rows they have; nothing of those that were not read.
func (b *Blocks) First(table string, blocks uint64) (bytes, rows int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ends := b.tables[table]
	for _, e := range ends[:min(blocks, uint64(len(ends)))] {
		bytes = max(bytes, e.bytes)
		rows += e.rows
	}
	return bytes, rows
}

// Read returns when each of a table's blocks was read, but for the first ones.
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
