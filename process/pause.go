package process

import (
	"cmp"
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Backoff is the pause before a retry: 100 ms, doubled each time. The zero Backoff is ready
// to use.
type Backoff struct {
	Most time.Duration // the longest pause; 0: 5 s
	// Apart shortens each pause by a random part, up to half (jitter), so that those who
	// failed together do not retry together.
	Apart bool
	tries int
}

// Wait waits for the next pause. It returns false if ctx ends first.
func (b *Backoff) Wait(ctx context.Context) bool { return Sleep(ctx, b.next()) == nil }

func (b *Backoff) next() time.Duration {
	d := min(firstPause<<min(b.tries, 16), b.most())
	b.tries++
	if b.Apart {
		d -= rand.N(d / 2)
	}
	return d
}

func (b *Backoff) most() time.Duration { return cmp.Or(b.Most, lastPause) }

// Lasted tells the Backoff how long things went well since the last failure. If that was
// longer than the longest pause, the pauses start over.
func (b *Backoff) Lasted(d time.Duration) {
	if d > b.most() {
		b.tries = 0
	}
}

// Sleep waits for d, or returns the cause if ctx ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Every calls do repeatedly until stop is called, which waits for a call that is under way.
// stop may be called more than once.
func Every(d time.Duration, do func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(d) // at a fixed rate, however long a call takes
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
