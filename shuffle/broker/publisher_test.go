package broker_test

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

// publishing is a Publisher under test.
type publishing struct {
	*broker.Publisher
	broker *scripted
	held   atomic.Int64 // bytes not settled
	mu     sync.Mutex
	told   []error
	halves int // times that some messages were handed over, and others not
	stop   context.CancelFunc
	ended  chan struct{}
}

// newPublishing must be called within a synctest bubble.
func newPublishing(join int, publish func(n int, done func(error)) error) *publishing {
	p := &publishing{broker: &scripted{publish: publish}, ended: make(chan struct{})}
	p.Publisher = broker.NewPublisher(p.broker, join, broker.Watch{
		Handed: func(_ broker.Message, left int) {
			if left > 0 {
				p.halves++
			}
		},
		Settled: func(m broker.Message) { p.held.Add(-int64(len(m.Body))) },
	})
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	go func() { defer close(p.ended); p.Run(ctx) }()
	return p
}

// send publishes n messages of ten bytes, and waits until nothing happens any more.
func (p *publishing) send(ctx context.Context, n int) {
	var messages []broker.Message
	for i := range n {
		messages = append(messages, broker.Message{Queue: fmt.Sprint("queue", i), Body: make([]byte, 10)})
		p.held.Add(10)
	}
	p.Publish(ctx, messages, func(err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.told = append(p.told, err)
	})
	synctest.Wait()
}

func (p *publishing) end() {
	p.stop()
	<-p.ended
}

func TestPublishing(t *testing.T) {
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
			eachWay(t, func(t *testing.T, join int) {
				p := newPublishing(join, test.publish)
				p.send(t.Context(), 3)
				time.Sleep(time.Minute)
				synctest.Wait()
				if len(p.told) != 1 || !errors.Is(p.told[0], test.want) {
					t.Errorf("told %v, want %v once", p.told, test.want)
				}
				if p.broker.n.Load() != test.total || p.held.Load() != 0 {
					t.Errorf("%d publishes, want %d; %d bytes held", p.broker.n.Load(), test.total, p.held.Load())
				}
				p.end()
			})
		})
	}
}

// eachWay runs a test in a synctest bubble, without and with messages being joined.
func eachWay(t *testing.T, test func(t *testing.T, join int)) {
	for _, join := range []int{0, 1000} {
		synctest.Test(t, func(t *testing.T) { test(t, join) })
	}
}

func only(when bool, err error) error {
	if when {
		return err
	}
	return nil
}

// Nothing is published again for somebody who has left.
func TestPublishingForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done []func(error) // of publishes by this goroutine
		p := newPublishing(0, func(_ int, d func(error)) error { done = append(done, d); return nil })
		ctx, leave := context.WithCancel(t.Context())
		p.send(ctx, 2)
		leave()
		for _, d := range done {
			d(broker.ErrUnconfirmed)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if p.broker.n.Load() != 2 || len(p.told) != 1 || p.held.Load() != 0 {
			t.Errorf("%d publishes, told %v, %d bytes held", p.broker.n.Load(), p.told, p.held.Load())
		}
		p.end()
	})
}

// When the publisher ends, it gives up the messages to be retried, and those that come
// later.
func TestPublishingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done []func(error) // of publishes by this goroutine
		p := newPublishing(0, func(_ int, d func(error)) error { done = append(done, d); return nil })
		p.send(t.Context(), 1)
		p.send(t.Context(), 1)
		p.stop()
		synctest.Wait()
		done[0](broker.ErrUnconfirmed)
		p.end()
		done[1](broker.ErrUnconfirmed)
		if len(p.told) != 2 || !errors.Is(p.told[0], broker.ErrClosed) || !errors.Is(p.told[1], broker.ErrClosed) || p.held.Load() != 0 {
			t.Errorf("told %v, %d bytes held", p.told, p.held.Load())
		}
	})
}

// Without Run, the caller decides when unconfirmed messages are published again.
func TestPublishingStepByStep(t *testing.T) {
	again, confirmed := 0, false
	s := &scripted{publish: func(n int, done func(error)) error { done(only(n < 3, broker.ErrUnconfirmed)); return nil }}
	p := broker.NewPublisher(s, 0, broker.Watch{Again: func(broker.Message) { again++ }})
	p.Publish(t.Context(), []broker.Message{{Queue: "q"}}, func(err error) { confirmed = err == nil })
	for n := range int64(4) {
		if want := min(n+1, 3); s.n.Load() != want || confirmed != (n >= 2) {
			t.Errorf("after %d retries: %d publishes, confirmed %t", n, s.n.Load(), confirmed)
		}
		p.Retry(t.Context())
	}
	if again != 2 {
		t.Errorf("%d publishes were made again, want 2", again)
	}
}

// A batch of one message is never half handed over.
func TestHalfIsBetweenMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublishing(0, func(_ int, done func(error)) error { done(nil); return nil })
		p.send(t.Context(), 1)
		if p.halves != 0 {
			t.Errorf("passed %d times with one message", p.halves)
		}
		p.send(t.Context(), 3)
		if p.halves != 2 {
			t.Errorf("passed %d times with three messages", p.halves)
		}
		p.end()
	})
}
