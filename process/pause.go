package process

import (
	"context"
	"sync"
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
	return Sleep(ctx, pause) == nil
}

// Sleep waits, or returns why the context ended before.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Every has something done again and again, until the function that it returns is
// called, which waits for what is being done. It may be called again.
func Every(d time.Duration, do func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(d) // however long it takes
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				do()
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		wait.Wait()
	}
}
