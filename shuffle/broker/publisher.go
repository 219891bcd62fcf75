package broker

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Message is a body and the queue it is for.
type Message struct {
	Queue string
	Body  []byte
}

// Publisher publishes messages until the broker has them. It publishes unconfirmed
// messages again, so receivers may get a message more than once. All methods may be
// called concurrently.
//
// It may join messages: while a publish to a queue is unconfirmed, further messages for
// that queue wait, and then go as one with their bodies concatenated. The slower the
// broker, the more messages go together. A broker's cost depends more on the number of
// messages than on their size.
type Publisher struct {
	broker Broker
	watch  Watch
	join   int // up to so many bytes of bodies are joined; 0: none

	mu     sync.Mutex
	closed bool
	lines  map[string]*line // by queue; only queues with messages in flight or waiting
	due    []string         // queues whose lines have something to send
	failed []*parcel        // to be published again
	more   chan struct{}    // signals that due or failed is not empty
}

// Watch holds callbacks for what a Publisher does. They must not block; any may be nil.
type Watch struct {
	// Handed is called when a message, which may be several joined ones, was handed to
	// the broker for the first time. left is how many messages of the same Publish are
	// still to be handed over; of joined messages, the largest such number.
	Handed func(m Message, left int)
	// Again is called when such a message is published once more.
	Again func(m Message)
	// Settled is called for each message, as it was given to Publish, once it is confirmed
	// or given up and its body is not read any more.
	Settled func(m Message)
}

// NewPublisher returns a publisher that joins messages up to join bytes of bodies, or
// none if join is 0. The caller must have Run running, or call Retry.
func NewPublisher(b Broker, join int, w Watch) *Publisher {
	if w.Handed == nil {
		w.Handed = func(Message, int) {}
	}
	if w.Again == nil {
		w.Again = func(Message) {}
	}
	if w.Settled == nil {
		w.Settled = func(Message) {}
	}
	return &Publisher{broker: b, watch: w, join: join, lines: make(map[string]*line), more: make(chan struct{}, 1)}
}

// batch is the messages of one Publish. It is done when the broker has all of them.
type batch struct {
	ctx  context.Context // of the caller of Publish; nothing is published again after it ends
	done func(error)

	mu       sync.Mutex
	unhanded int // messages not yet handed to the broker
	left     int // messages that are neither confirmed nor given up
	failed   bool
}

// settled notes that a message is confirmed, or given up with an error.
func (b *batch) settled(err error) {
	b.mu.Lock()
	b.left--
	last := b.left == 0 && !b.failed
	first := err != nil && !b.failed
	b.failed = b.failed || err != nil
	b.mu.Unlock()
	if last || first {
		b.done(err)
	}
}

// handed notes that n messages were handed to the broker, and returns how many were not.
func (b *batch) handed(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unhanded -= n
	return b.unhanded
}

// The pause before an unconfirmed message is published again: it doubles with each
// attempt up to a limit.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// Publish hands messages to the broker, waiting as Broker.Publish does, or leaves them
// to Run to be joined with others. done is called once, from any goroutine, and must not
// block: with nil when the broker has all of the messages, with an error as soon as one
// cannot be delivered. Errors: as for Broker.Publish, and ErrNoQueue; ErrUnconfirmed when
// ctx has ended, after which nothing is published again except messages that were joined
// with those of other calls; ErrClosed when Run has ended. Some of the messages may still
// be in flight after an error: a body must not change until Watch.Settled is called for it.
func (p *Publisher) Publish(ctx context.Context, messages []Message, done func(error)) {
	if len(messages) == 0 {
		done(nil)
		return
	}
	b := &batch{ctx: ctx, done: done, left: len(messages), unhanded: len(messages)}
	parcels := p.pack(b, messages)
	for i, x := range parcels {
		if !p.send(ctx, x) {
			for _, y := range parcels[i+1:] {
				p.settle(y, nil) // done already has the first error
			}
			return
		}
		p.handed(x)
	}
}

// send hands a parcel to the broker, and reports whether the broker took it.
func (p *Publisher) send(ctx context.Context, x *parcel) bool {
	err := p.broker.Publish(ctx, x.message.Queue, x.message.Body, func(err error) {
		if errors.Is(err, ErrUnconfirmed) && x.wanted() {
			p.again(x)
			return
		}
		p.settle(x, err)
	})
	if err != nil {
		p.settle(x, err)
	}
	return err == nil
}

// handed reports a parcel that the broker took for the first time.
func (p *Publisher) handed(x *parcel) {
	left := 0
	for b, n := range x.batches() {
		left = max(left, b.handed(n))
	}
	p.watch.Handed(x.message, left)
}

// settle reports the outcome of a parcel to its batches and to the Watch.
func (p *Publisher) settle(x *parcel, err error) {
	p.arrived(x)
	for _, i := range x.items {
		p.watch.Settled(i.message)
		i.of.settled(err)
	}
}

// again queues a parcel to be published once more. It does not wait.
func (p *Publisher) again(x *parcel) {
	x.tries++
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.failed = append(p.failed, x)
		p.wakeLocked()
	}
	p.mu.Unlock()
	if closed {
		p.settle(x, ErrClosed)
	}
}

func (p *Publisher) wakeLocked() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// Run publishes waiting messages, and retries unconfirmed ones, until the context ends.
// It then gives up whatever is unconfirmed.
func (p *Publisher) Run(ctx context.Context) {
	var pause <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			for _, x := range p.close() {
				p.settle(x, ErrClosed)
			}
			return
		case <-p.more:
			p.flush(ctx)
			if wait := p.pause(); pause == nil && wait > 0 {
				pause = time.After(wait)
			}
		case <-pause:
			pause = nil
			p.Retry(ctx)
		}
	}
}

// pause returns how long to wait before the next retries; 0 if there are none.
func (p *Publisher) pause() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	tries := 0
	for _, x := range p.failed {
		tries = max(tries, x.tries)
	}
	if tries == 0 {
		return 0
	}
	return min(firstPause<<min(tries-1, 10), lastPause)
}

// Retry publishes waiting messages and retries unconfirmed ones at once. It tries each
// message for as long as somebody waits for it.
func (p *Publisher) Retry(ctx context.Context) {
	p.flush(ctx)
	for _, x := range p.takeFailed() {
		p.watch.Again(x.message)
		in, cancel := x.during(ctx)
		p.send(in, x)
		cancel()
	}
}

// flush hands over the waiting messages that can be sent now.
func (p *Publisher) flush(ctx context.Context) {
	for _, x := range p.takeDue() {
		in, cancel := x.during(ctx)
		if p.send(in, x) {
			p.handed(x)
		}
		cancel()
	}
}

func (p *Publisher) takeFailed() []*parcel {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.failed
	p.failed = nil
	return out
}

// close returns the parcels that are not in flight. From now on the publisher queues
// nothing.
func (p *Publisher) close() []*parcel {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.failed
	for _, l := range p.lines {
		if len(l.waiting) > 0 {
			l.flying++
			out = append(out, l.take(l.bytes))
		}
	}
	p.failed, p.due, p.closed = nil, nil, true
	return out
}
