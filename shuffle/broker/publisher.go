package broker

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Message is a body for a queue.
type Message struct {
	Queue string
	Body  []byte
}

// Publisher publishes messages until the broker has them. What is not confirmed it
// publishes again, so that receivers may get a message more than once. All methods
// may be called concurrently.
//
// It may join messages: while the broker has not confirmed what it was handed for a
// queue, others for that queue wait, and go as one, body behind body. The slower the
// broker, the more of them go together. A broker's work goes by the number of messages
// more than by their size.
type Publisher struct {
	broker Broker
	watch  Watch
	join   int // bytes of bodies

	mu     sync.Mutex
	closed bool
	lines  map[string]*line // by queue, of those that have one
	due    []string         // queues of lines that have something to send
	failed []*parcel        // to be published again
	more   chan struct{}    // there is something in due or failed
}

// Watch is told what a Publisher does. Its functions must not wait; any may be nil.
type Watch struct {
	// Handed is told that the broker took a message for the first time, which may be
	// several that were joined, and how many are to follow of what was published with
	// one of these.
	Handed func(m Message, left int)
	// Again is told that such a message is published once more.
	Again func(m Message)
	// Settled is told that a message, as it was published, is confirmed or given up, and
	// not read any more.
	Settled func(m Message)
}

// NewPublisher returns a publisher that joins bodies of up to so many bytes together, or
// none if that is 0. Somebody has to call Run, or Retry.
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

// batch is a set of messages that the broker is to have, all of them.
type batch struct {
	ctx  context.Context // of who waits; nothing is published again after it
	done func(error)

	mu       sync.Mutex
	unhanded int // messages that the broker did not get yet
	left     int // messages that are neither confirmed nor given up
	failed   bool
}

// settled is told of a message that is confirmed, or given up with an error.
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

// handed notes that the broker got n messages, and returns how many it did not.
func (b *batch) handed(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unhanded -= n
	return b.unhanded
}

// A message that the broker did not confirm is published again after this long,
// twice as long the next time, and so on to a limit.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// Publish hands messages to the broker, and waits as Broker.Publish does, or leaves them
// to Run to be joined with others. done is called once, from any goroutine, and must not
// wait: with nil when the broker has all of the messages, with an error as soon as one
// cannot be delivered. Errors: as of Broker.Publish, and ErrNoQueue; ErrUnconfirmed when
// ctx has ended, after which nothing is published again but what was joined with
// something else; ErrClosed when Run has. Some of the messages may be on their way then,
// and no body may change until Watch.Settled was told.
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
				p.settle(y, nil) // who waits was told of the first that failed
			}
			return
		}
		p.handed(x)
	}
}

// send hands a parcel over and reports whether the broker took it.
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

// handed tells of a parcel that the broker took for the first time.
func (p *Publisher) handed(x *parcel) {
	left := 0
	for b, n := range x.batches() {
		left = max(left, b.handed(n))
	}
	p.watch.Handed(x.message, left)
}

// settle is told what became of a parcel.
func (p *Publisher) settle(x *parcel, err error) {
	p.arrived(x)
	for _, i := range x.items {
		p.watch.Settled(i.message)
		i.of.settled(err)
	}
}

// again keeps a parcel to be published once more. It does not wait.
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

// Run publishes what waits, and again what was not confirmed, until the context ends.
// What is unconfirmed then is given up.
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

// pause returns how long to wait before the next attempts; 0 if there are none to make.
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

// Retry publishes at once what waits, and again what was not confirmed, each message for
// as long as somebody waits for it.
func (p *Publisher) Retry(ctx context.Context) {
	p.flush(ctx)
	for _, x := range p.takeFailed() {
		p.watch.Again(x.message)
		in, cancel := x.during(ctx)
		p.send(in, x)
		cancel()
	}
}

// flush hands over what waits and can be sent now.
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

// close returns what is not on its way, and keeps nothing from now on.
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
