package gateway

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// credit bounds the bytes that are held for all streams together, first come, first
// served.
type credit struct {
	gauge *atomic.Int64
	limit int64
	free  *semaphore.Weighted

	mu   sync.Mutex
	debt int64 // held without room for it
}

func newCredit(limit int64, gauge *atomic.Int64) *credit {
	return &credit{gauge: gauge, limit: limit, free: semaphore.NewWeighted(limit)}
}

// acquire waits until n bytes may be held. More than the limit may be held by one
// alone.
func (c *credit) acquire(ctx context.Context, n int64) error {
	room := min(n, c.limit)
	if err := c.free.Acquire(ctx, room); err != nil {
		return context.Cause(ctx)
	}
	c.owe(n - room)
	c.gauge.Add(n)
	return nil
}

// exchange makes a holder of n bytes one of m. It does not wait, since what is held
// already cannot be put aside: where there is no room, nobody else is let in until
// there is.
func (c *credit) exchange(n, m int64) {
	c.gauge.Add(m - n)
	if m <= n {
		c.free.Release(c.pay(n - m))
		return
	}
	more := m - n
	for part := more; part > 0; part /= 2 { // all the room there is, which a semaphore does not tell
		for more >= part && c.free.TryAcquire(part) {
			more -= part
		}
	}
	c.owe(more)
}

// release gives back n bytes.
func (c *credit) release(n int64) { c.exchange(n, 0) }

func (c *credit) owe(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.debt += n
}

// pay takes what is owed off n bytes that are given back, and returns the rest.
func (c *credit) pay(n int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	paid := min(n, c.debt)
	c.debt -= paid
	return n - paid
}
