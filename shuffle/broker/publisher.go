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
type Publisher struct {
	broker Broker
	watch  Watch

	mu      sync.Mutex
	closed  bool
	pending []attempt     // to be published again
	more    chan struct{} // there are some
}

// Watch is told what a Publisher does. Its functions must not wait; any may be nil.
type Watch struct {
	// Handed is told that the broker took a message for the first time, and how many
	// of those published with it are to follow.
	Handed func(m Message, left int)
	// Again is told that a message is published once more.
	Again func(m Message)
	// Settled is told that a message is confirmed or given up, and not read any more.
	Settled func(m Message)
}

// NewPublisher returns a publisher. Somebody has to call Run, or Retry.
func NewPublisher(b Broker, w Watch) *Publisher {
	if w.Handed == nil {
		w.Handed = func(Message, int) {}
	}
	if w.Again == nil {
		w.Again = func(Message) {}
	}
	if w.Settled == nil {
		w.Settled = func(Message) {}
	}
	return &Publisher{broker: b, watch: w, more: make(chan struct{}, 1)}
}

// batch is a set of messages that the broker is to have, all of them.
type batch struct {
	ctx  context.Context // of who waits; nothing is published again after it
	done func(error)

	mu     sync.Mutex
	left   int // messages that are neither confirmed nor given up
	failed bool
}

// settled is told of n messages that are confirmed, or given up with an error.
func (b *batch) settled(n int, err error) {
	b.mu.Lock()
	b.left -= n
	last := b.left == 0 && !b.failed
	first := err != nil && !b.failed
	b.failed = b.failed || err != nil
	b.mu.Unlock()
	if last || first {
		b.done(err)
	}
}

// attempt is a message on its way.
type attempt struct {
	message Message
	of      *batch
	tries   int // before this one
}

// A message that the broker did not confirm is published again after this long,
// twice as long the next time, and so on to a limit.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// Publish hands messages to the broker, and waits as Broker.Publish does. done is
// called once, from any goroutine, and must not wait: with nil when the broker has all
// of the messages, with an error as soon as one cannot be delivered. Errors: as of
// Broker.Publish, and ErrNoQueue; ErrUnconfirmed when ctx has ended, after which
// nothing is published again; ErrClosed when Run has. Some of the messages may be on
// their way then, and no body may change until Watch.Settled was told.
func (p *Publisher) Publish(ctx context.Context, messages []Message, done func(error)) {
	if len(messages) == 0 {
		done(nil)
		return
	}
	b := &batch{ctx: ctx, done: done, left: len(messages)}
	for i, m := range messages {
		if !p.publish(ctx, attempt{message: m, of: b}) {
			p.drop(b, messages[i+1:])
			return
		}
		p.watch.Handed(m, len(messages)-1-i)
	}
}

// drop gives up messages that were never handed over, after one that failed.
func (p *Publisher) drop(b *batch, messages []Message) {
	for _, m := range messages {
		p.watch.Settled(m)
	}
	b.settled(len(messages), nil)
}

// publish hands one message over and reports whether the broker took it.
func (p *Publisher) publish(ctx context.Context, a attempt) bool {
	err := p.broker.Publish(ctx, a.message.Queue, a.message.Body, func(err error) {
		if errors.Is(err, ErrUnconfirmed) && a.of.ctx.Err() == nil {
			p.again(a)
			return
		}
		p.settle(a, err)
	})
	if err != nil {
		p.settle(a, err)
	}
	return err == nil
}

func (p *Publisher) settle(a attempt, err error) {
	p.watch.Settled(a.message)
	a.of.settled(1, err)
}

// again keeps a message to be published once more. It does not wait.
func (p *Publisher) again(a attempt) {
	a.tries++
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.pending = append(p.pending, a)
	}
	p.mu.Unlock()
	if closed {
		p.settle(a, ErrClosed)
		return
	}
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// Run publishes again what was not confirmed, until the context ends. What is
// unconfirmed then is given up.
func (p *Publisher) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			for _, a := range p.takePending(true) {
				p.settle(a, ErrClosed)
			}
			return
		case <-p.more:
		}
		p.pause(ctx)
		p.Retry(ctx)
	}
}

// pause waits before the next attempts, or until ctx has ended.
func (p *Publisher) pause(ctx context.Context) {
	p.mu.Lock()
	tries := 1
	for _, a := range p.pending {
		tries = max(tries, a.tries)
	}
	p.mu.Unlock()
	t := time.NewTimer(min(firstPause<<min(tries-1, 10), lastPause))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// Retry publishes again at once what was not confirmed, each message for as long as
// somebody waits for it.
func (p *Publisher) Retry(ctx context.Context) {
	for _, a := range p.takePending(false) {
		p.watch.Again(a.message)
		p.republish(ctx, a)
	}
}

func (p *Publisher) republish(ctx context.Context, a attempt) {
	both, cancel := context.WithCancelCause(a.of.ctx)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer func() { stop(); cancel(nil) }()
	p.publish(both, a)
}

func (p *Publisher) takePending(last bool) []attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.pending
	p.pending, p.closed = nil, p.closed || last
	return out
}
