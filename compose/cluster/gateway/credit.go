package gateway

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// credit bounds the bytes that the gateway holds for all streams together, first come,
// first served.
type credit struct {
	gauge *atomic.Int64
	limit int64
	free  *semaphore.Weighted

	mu   sync.Mutex
	debt int64 // bytes held beyond the limit
}

func newCredit(limit int64, gauge *atomic.Int64) *credit {
	return &credit{gauge: gauge, limit: limit, free: semaphore.NewWeighted(limit)}
}

// acquire waits until n bytes may be held. For more bytes than the limit it waits until
// nothing else is held.
func (c *credit) acquire(ctx context.Context, n int64) error {
	room := min(n, c.limit)
	if err := c.free.Acquire(ctx, room); err != nil {
		return context.Cause(ctx)
	}
	c.owe(n - room)
	c.gauge.Add(n)
	return nil
}

// try lets n bytes be held, unless that would have to wait.
func (c *credit) try(n int64) bool {
	free := n <= c.limit && c.free.TryAcquire(n)
	if free {
		c.gauge.Add(n)
	}
	return free
}

// exchange replaces a holding of n bytes by one of m. It does not wait, since the bytes
// are in memory already: if m does not fit, acquire lets nobody in until it does.
func (c *credit) exchange(n, m int64) {
	c.gauge.Add(m - n)
	if m <= n {
		c.free.Release(c.pay(n - m))
		return
	}
	more := m - n
	for part := more; part > 0; part /= 2 { // takes all free room; a semaphore does not tell how much that is
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

// pay settles debt with n released bytes, and returns how many are left.
func (c *credit) pay(n int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	paid := min(n, c.debt)
	c.debt -= paid
	return n - paid
}
