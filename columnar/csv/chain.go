package csv

import (
	"context"
	"sync"
)

// chain composes the summaries of blocks in file order while their workers
// finish in any order. Safe for concurrent use.
type chain struct {
	mu      sync.Mutex
	block   int64               // the first block whose summary is not yet applied
	edge    Edge                // the edge before that block
	entered map[int64]*entrance // blocks that wait for their edge
	failed  int64               // the first block that failed, if err is set
	err     error
}

// entrance is one worker's wait for the edge before its block.
type entrance struct {
	sum   summary
	edge  Edge
	err   error
	ready chan struct{}
}

func newChain(first int64, before Edge) *chain {
	return &chain{block: first, edge: before, entered: map[int64]*entrance{}}
}

// enter adds the summary of block k and waits for the edge before the block. If the
// block is irregular after that edge, the caller must call leave.
func (c *chain) enter(ctx context.Context, k int64, s summary) (Edge, error) {
	e := &entrance{sum: s, ready: make(chan struct{})}
	c.mu.Lock()
	if c.err != nil && k > c.failed {
		c.mu.Unlock()
		return Edge{}, &endedError{c.err}
	}
	c.entered[k] = e
	c.advanceLocked()
	c.mu.Unlock()
	select {
	case <-e.ready:
		return e.edge, e.err
	case <-ctx.Done():
		return Edge{}, context.Cause(ctx)
	}
}

// leave sets the edge after the irregular block k.
func (c *chain) leave(k int64, out Edge) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.block, c.edge = k+1, out
	c.advanceLocked()
}

func (c *chain) advanceLocked() {
	for {
		e, ok := c.entered[c.block]
		if !ok {
			return
		}
		delete(c.entered, c.block)
		e.edge = c.edge
		close(e.ready)
		if !e.sum.isRegular(c.edge) {
			return
		}
		c.edge = e.sum.apply(c.edge)
		c.block++
	}
}

// fail ends the reading of blocks after block k, since the edge they wait for may never
// come.
func (c *chain) fail(k int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil && c.failed <= k {
		return
	}
	c.failed, c.err = k, err
	for j, e := range c.entered {
		if j > k {
			delete(c.entered, j)
			e.err = &endedError{err}
			close(e.ready)
		}
	}
}

// failure returns why blocks after block k cannot be read, or nil.
func (c *chain) failure(k int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil && k > c.failed {
		return &endedError{c.err}
	}
	return nil
}
