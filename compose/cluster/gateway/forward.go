package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"analyzer/shuffle/broker"
)

// delivery is a set of messages that the broker is to have, all of them.
type delivery struct {
	ctx  context.Context // of who waits; nothing is published again after it
	done func(error)     // called once; see forwarder.send

	mu     sync.Mutex
	left   int // messages that are neither confirmed nor given up
	failed bool
}

// settled is told of n messages that are confirmed, or given up with an error.
func (d *delivery) settled(n int, err error) {
	d.mu.Lock()
	d.left -= n
	last := d.left == 0 && !d.failed
	first := err != nil && !d.failed
	d.failed = d.failed || err != nil
	d.mu.Unlock()
	if last || first {
		d.done(err)
	}
}

// forwarder hands messages to the broker until it has them.
type forwarder struct {
	broker  broker.Broker
	credit  *credit
	metrics *Metrics
	crash   func(point string)

	mu      sync.Mutex
	closed  bool
	pending []attempt     // to be published again
	more    chan struct{} // there are some
}

// attempt is a message on its way.
type attempt struct {
	message broker.Message
	of      *delivery
	tries   int // before this one
}

// A message that the broker did not confirm is published again after this long,
// twice as long the next time, and so on to a limit.
const (
	republishAfter = 50 * time.Millisecond
	republishLimit = 2 * time.Second
)

func newForwarder(b broker.Broker, c *credit, m *Metrics, crash func(string)) *forwarder {
	return &forwarder{broker: b, credit: c, metrics: m, crash: crash, more: make(chan struct{}, 1)}
}

// send hands messages to the broker. done is called once, from any goroutine:
// with nil when the broker has all of them, with an error as soon as one cannot be
// delivered or ctx has ended. It must not wait for anything. The bodies' bytes are
// held in credit by the caller, and given back one by one.
func (f *forwarder) send(ctx context.Context, messages []broker.Message, done func(error)) {
	d := &delivery{ctx: ctx, done: done, left: len(messages)}
	if len(messages) == 0 {
		done(nil)
		return
	}
	for i, m := range messages {
		f.metrics.Messages.Add(1)
		f.metrics.MessageBytes.Add(int64(len(m.Body)))
		if !f.publish(ctx, attempt{message: m, of: d}) {
			f.drop(d, messages[i+1:])
			return
		}
		if i < len(messages)-1 {
			f.crash(PointHalfForward)
		}
	}
}

// drop gives up messages that were never handed over, after one that failed.
func (f *forwarder) drop(d *delivery, messages []broker.Message) {
	for _, m := range messages {
		f.credit.release(int64(len(m.Body)))
	}
	d.settled(len(messages), nil)
}

// publish hands one message over and reports whether the broker took it.
func (f *forwarder) publish(ctx context.Context, a attempt) bool {
	err := f.broker.Publish(ctx, a.message.Queue, a.message.Body, func(err error) {
		if errors.Is(err, broker.ErrUnconfirmed) && a.of.ctx.Err() == nil {
			f.again(a)
			return
		}
		f.settle(a, err)
	})
	if err != nil {
		f.settle(a, err)
	}
	return err == nil
}

func (f *forwarder) settle(a attempt, err error) {
	f.credit.release(int64(len(a.message.Body)))
	if errors.Is(err, broker.ErrNoQueue) {
		err = &noQueueError{queue: a.message.Queue, err: err}
	}
	a.of.settled(1, err)
}

// again keeps a message to be published once more. It does not wait.
func (f *forwarder) again(a attempt) {
	a.tries++
	f.mu.Lock()
	closed := f.closed
	if !closed {
		f.pending = append(f.pending, a)
	}
	f.mu.Unlock()
	if closed {
		f.settle(a, errStopping)
		return
	}
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// run publishes again what was not confirmed, until the context ends.
func (f *forwarder) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			f.giveUp()
			return
		case <-f.more:
		}
		round, tries := f.takePending(false), 1
		for _, a := range round {
			tries = max(tries, a.tries)
		}
		_ = sleep(ctx, min(republishAfter<<min(tries-1, 10), republishLimit))
		for _, a := range round {
			f.metrics.Republished.Add(1)
			f.republish(ctx, a)
		}
	}
}

// republish publishes a message again for as long as somebody waits for it.
func (f *forwarder) republish(ctx context.Context, a attempt) {
	both, cancel := context.WithCancelCause(a.of.ctx)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer func() { stop(); cancel(nil) }()
	f.publish(both, a)
}

func (f *forwarder) takePending(last bool) []attempt {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.pending
	f.pending, f.closed = nil, last
	return out
}

func (f *forwarder) giveUp() {
	for _, a := range f.takePending(true) {
		f.settle(a, errStopping)
	}
}

// noQueueError says which queue there is not.
type noQueueError struct {
	queue string
	err   error
}

func (e *noQueueError) Error() string { return "the broker has no queue " + e.queue }
func (e *noQueueError) Unwrap() error { return e.err }
