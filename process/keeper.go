package process

import (
	"context"
	"time"
)

// Keeper runs a process again whenever it dies.
type Keeper struct {
	Spec
	// Grace is how long the process may take to end when it is asked to.
	Grace time.Duration
	// Died is told how a process ended that was not asked to (nil: with exit
	// status 0), and how often in a row it has by now. An error ends Keep.
	Died func(how error, inARow int) error
}

// Keep runs the process until the context ends, when it stops it, or until Died
// gives up, whose error it returns. A process that cannot be started counts as one
// that died.
func (k Keeper) Keep(ctx context.Context) error {
	var backoff Backoff
	for inARow := 1; ; inARow++ {
		began := time.Now()
		_, err := Run(ctx, k.Spec, k.Grace)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was asked to end
		}
		if time.Since(began) > settled {
			inARow, backoff = 1, Backoff{}
		}
		if err := k.Died(err, inARow); err != nil {
			return err
		}
		if !backoff.Wait(ctx) {
			return nil
		}
	}
}

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
	// settled is how long a process must live to be counted as new when it dies.
	settled = 10 * time.Second
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
