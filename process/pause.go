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

// Backoff is the pause before something that failed is tried again: 100 ms, and
// twice as long each time. The zero Backoff begins anew.
type Backoff struct {
	Most time.Duration // the longest pause; 0: 5 s
	// Apart leaves out up to half of each at random, so that those who failed together
	// do not try again together.
	Apart bool
	tries int
}

// Wait waits, unless the context ends before, which it reports by false.
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

// Lasted says for how long it went well since. What did for longer than any pause begins
// anew.
func (b *Backoff) Lasted(d time.Duration) {
	if d > b.most() {
		b.tries = 0
	}
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
