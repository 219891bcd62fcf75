package process

import (
	"context"
	"time"
)

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Backoff is the pause before something that failed is tried again: 100 ms, and
// twice as long each time, up to 5 s. The zero Backoff begins anew.
type Backoff struct{ next time.Duration }

// Wait waits, unless the context ends before, which it reports by false.
func (b *Backoff) Wait(ctx context.Context) bool {
	pause := max(b.next, firstPause)
	b.next = min(2*pause, lastPause)
	select {
	case <-time.After(pause):
		return true
	case <-ctx.Done():
		return false
	}
}
