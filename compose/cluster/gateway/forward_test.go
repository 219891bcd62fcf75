package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"analyzer/shuffle/broker"
)

// scripted is a broker whose publishes end as a test says.
type scripted struct {
	broker.Broker
	publish func(n int, done func(error)) error // of the n-th publish, from 1
	n       atomic.Int64
}

func (s *scripted) Publish(_ context.Context, _ string, _ []byte, done func(error)) error {
	return s.publish(int(s.n.Add(1)), done)
}

// forwarding is a forwarder under test.
type forwarding struct {
	*forwarder
	broker *scripted
	held   atomic.Int64
	mu     sync.Mutex
	told   []error
	points int
	stop   context.CancelFunc
	ended  chan struct{}
}

// newForwarding must be called within a synctest bubble.
func newForwarding(publish func(n int, done func(error)) error) *forwarding {
	f := &forwarding{broker: &scripted{publish: publish}, ended: make(chan struct{})}
	f.forwarder = newForwarder(f.broker, newCredit(100, &f.held), new(Metrics), func(string) { f.points++ })
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	go func() { defer close(f.ended); f.run(ctx) }()
	return f
}

// send sends n messages of ten bytes, and waits until nothing happens any more.
func (f *forwarding) send(ctx context.Context, n int) {
	var messages []broker.Message
	for i := range n {
		messages = append(messages, broker.Message{Queue: fmt.Sprint("queue", i), Body: make([]byte, 10)})
	}
	f.credit.exchange(0, bytesOf(messages))
	f.forwarder.send(ctx, messages, func(err error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.told = append(f.told, err)
	})
	synctest.Wait()
}

func (f *forwarding) end() {
	f.stop()
	<-f.ended
}

func TestForwarding(t *testing.T) {
	unconfirmed := fmt.Errorf("x: %w", broker.ErrUnconfirmed)
	noQueue := fmt.Errorf("x: %w", broker.ErrNoQueue)
	for name, test := range map[string]struct {
		publish func(n int, done func(error)) error
		want    error // nil: confirmed
		total   int64 // publishes
	}{
		"all is confirmed":     {func(_ int, done func(error)) error { done(nil); return nil }, nil, 3},
		"one is not":           {func(n int, done func(error)) error { done(only(n == 2, unconfirmed)); return nil }, nil, 4},
		"none is at first":     {func(n int, done func(error)) error { done(only(n < 10, unconfirmed)); return nil }, nil, 12},
		"a queue is missing":   {func(n int, done func(error)) error { done(only(n == 2, noQueue)); return nil }, broker.ErrNoQueue, 3},
		"two are missing":      {func(n int, done func(error)) error { done(only(n > 1, noQueue)); return nil }, broker.ErrNoQueue, 3},
		"the broker is closed": {func(int, func(error)) error { return broker.ErrClosed }, broker.ErrClosed, 1},
		"it is closed later": {func(n int, done func(error)) error {
			if n > 1 {
				return broker.ErrClosed
			}
			done(nil)
			return nil
		}, broker.ErrClosed, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newForwarding(test.publish)
				f.send(t.Context(), 3)
				time.Sleep(time.Minute)
				synctest.Wait()
				if len(f.told) != 1 || !errors.Is(f.told[0], test.want) {
					t.Errorf("told %v, want %v once", f.told, test.want)
				}
				if f.broker.n.Load() != test.total || f.held.Load() != 0 {
					t.Errorf("%d publishes, want %d; %d bytes held", f.broker.n.Load(), test.total, f.held.Load())
				}
				f.end()
			})
		})
	}
}

func only(when bool, err error) error {
	if when {
		return err
	}
	return nil
}

// Nothing is published again for somebody who has left.
func TestForwardingForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done []func(error) // of publishes by this goroutine
		f := newForwarding(func(_ int, d func(error)) error { done = append(done, d); return nil })
		ctx, leave := context.WithCancel(t.Context())
		f.send(ctx, 2)
		leave()
		for _, d := range done {
			d(broker.ErrUnconfirmed)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if f.broker.n.Load() != 2 || len(f.told) != 1 || f.held.Load() != 0 {
			t.Errorf("%d publishes, told %v, %d bytes held", f.broker.n.Load(), f.told, f.held.Load())
		}
		f.end()
	})
}

// What is to be published again when the gateway ends is given up, and so is what
// comes later.
func TestForwardingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done []func(error) // of publishes by this goroutine
		f := newForwarding(func(_ int, d func(error)) error { done = append(done, d); return nil })
		f.send(t.Context(), 1)
		f.send(t.Context(), 1)
		f.stop()
		synctest.Wait()
		done[0](broker.ErrUnconfirmed)
		f.end()
		done[1](broker.ErrUnconfirmed)
		if len(f.told) != 2 || !errors.Is(f.told[0], errStopping) || !errors.Is(f.told[1], errStopping) || f.held.Load() != 0 {
			t.Errorf("told %v, %d bytes held", f.told, f.held.Load())
		}
	})
}

// A batch of one message is never handed over half.
func TestHalfForwardIsBetweenMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newForwarding(func(_ int, done func(error)) error { done(nil); return nil })
		f.send(t.Context(), 1)
		if f.points != 0 {
			t.Errorf("passed %d times with one message", f.points)
		}
		f.send(t.Context(), 3)
		if f.points != 2 {
			t.Errorf("passed %d times with three messages", f.points)
		}
		f.end()
	})
}
