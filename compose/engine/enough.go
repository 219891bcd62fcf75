package engine

import (
	"context"
	"sync"
)

// enough decides when the rest of a table is not needed: a stage that keeps only the first
// limit rows in the order of their file has them once the table's first blocks, without a
// gap, have yielded that many.
type enough struct {
	limit int64

	mu      sync.Mutex
	yields  map[int64]int64 // rows by block, of blocks after a gap
	skipped map[int64]int64 // by a number that no block has: the next that one has
	rows    int64           // yielded by the blocks before the gap
	blocks  int64           // before the gap
	known   chan struct{}   // closed when the gap moves
}

// newEnough returns nil if all of the table is needed.
func newEnough(first *int64) *enough {
	if first == nil {
		return nil
	}
	return &enough{limit: *first, yields: make(map[int64]int64), skipped: make(map[int64]int64), known: make(chan struct{})}
}

// add records how many rows a block has yielded.
func (e *enough) add(block, rows int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.yields[block] = rows
	if block == e.blocks {
		close(e.known)
		e.known = make(chan struct{})
	}
	e.advanceLocked()
}

// skip says that there are no blocks from number from up to number to.
func (e *enough) skip(from, to int64) {
	if e == nil || from == to {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.skipped[from] = to
	e.advanceLocked()
}

func (e *enough) advanceLocked() {
	for e.rows < e.limit {
		if to, ok := e.skipped[e.blocks]; ok {
			e.blocks = to
			continue
		}
		n, ok := e.yields[e.blocks]
		if !ok {
			return
		}
		delete(e.yields, e.blocks)
		e.rows += n
		e.blocks++
	}
}

// reached reports whether there are enough rows. For a nil enough there never are.
func (e *enough) reached() bool {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rows >= e.limit
}

// counts reports whether a block is needed, which it is unless the blocks before it have
// enough rows. It waits until that is known. The block itself must have been added.
func (e *enough) counts(ctx context.Context, block int64) (bool, error) {
	for {
		e.mu.Lock()
		counts, reached, known := block < e.blocks, e.rows >= e.limit, e.known
		e.mu.Unlock()
		if counts || reached {
			return counts, nil
		}
		if err := wait(ctx, known); err != nil {
			return false, err
		}
	}
}

// First returns how many rows that pass the conditions the plan needs, from the table's
// beginning; negative: all. If it is not negative, whoever takes a block must call Yields.
func (p *Pass) First() int64 {
	if p.enough == nil {
		return -1
	}
	return p.enough.limit
}

// Yields records how many rows the plan gets from a block, and reports whether it needs them.
// To let that depend only on the table and the plan, it waits for the yields of the blocks
// before. It may be called concurrently.
func (p *Pass) Yields(ctx context.Context, block, rows int64) (needed bool, err error) {
	p.enough.add(block, rows)
	return p.enough.counts(ctx, block)
}
