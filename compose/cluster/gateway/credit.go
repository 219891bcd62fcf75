package gateway

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// credit bounds the bytes that are held for all streams together. Who wants to
// hold more waits for others to let go, first come, first served.
type credit struct {
	held  *atomic.Int64 // mirror of used, for metrics
	limit int64

	mu      sync.Mutex
	used    int64
	waiting []*waiter
}

type waiter struct {
	n       int64
	granted chan struct{} // closed
}

func newCredit(limit int64, held *atomic.Int64) *credit { return &credit{limit: limit, held: held} }

// acquire waits until n bytes may be held. More than the limit may be held by one
// alone.
func (c *credit) acquire(ctx context.Context, n int64) error {
	c.mu.Lock()
	if len(c.waiting) == 0 && c.fitsLocked(n) {
		c.addLocked(n)
		c.mu.Unlock()
		return nil
	}
	w := &waiter{n: n, granted: make(chan struct{})}
	c.waiting = append(c.waiting, w)
	c.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
		return c.giveUp(ctx, w)
	}
}

// giveUp takes a waiter off the queue, or gives back what it was granted in the
// meantime.
func (c *credit) giveUp(ctx context.Context, w *waiter) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.Index(c.waiting, w); at >= 0 {
		c.waiting = slices.Delete(c.waiting, at, at+1)
	} else {
		c.addLocked(-w.n)
	}
	c.grantLocked()
	return context.Cause(ctx)
}

// exchange makes a holder of n bytes one of m. It does not wait: what is held
// already cannot be put aside.
func (c *credit) exchange(n, m int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addLocked(m - n)
	c.grantLocked()
}

// release gives back n bytes.
func (c *credit) release(n int64) { c.exchange(n, 0) }

func (c *credit) fitsLocked(n int64) bool { return c.used == 0 || c.used+n <= c.limit }

func (c *credit) addLocked(n int64) {
	c.used += n
	c.held.Store(c.used)
}

func (c *credit) grantLocked() {
	for len(c.waiting) > 0 && c.fitsLocked(c.waiting[0].n) {
		c.addLocked(c.waiting[0].n)
		close(c.waiting[0].granted)
		c.waiting = slices.Delete(c.waiting, 0, 1)
	}
}
