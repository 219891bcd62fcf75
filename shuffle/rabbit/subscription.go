package rabbit

import (
	"context"
	"fmt"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// subscription is a running Consume, with a consumer on one connection after the other.
type subscription struct {
	b        *Broker
	queue    string
	prefetch int
	handle   func(broker.Delivery)

	ctx     context.Context // ends with Cancel and with the Broker
	cancel  context.CancelFunc
	started chan struct{} // closed when the broker has accepted the consumer for the first time
	running bool          // started is closed
	done    chan struct{}
	err     error // once done is closed
}

// Consume implements broker.Broker.
func (b *Broker) Consume(ctx context.Context, queue string, prefetch int, handle func(broker.Delivery)) (broker.Subscription, error) {
	if prefetch < 1 || prefetch > broker.MaxPrefetch {
		return nil, fmt.Errorf("consume from %q: prefetch %d: want 1 to %d", queue, prefetch, broker.MaxPrefetch)
	}
	s := &subscription{
		b: b, queue: queue, prefetch: prefetch, handle: handle,
		started: make(chan struct{}), done: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(b.ctx)
	if !b.spawn(s.run) {
		s.cancel()
		return nil, fmt.Errorf("consume from %q: %w", queue, broker.ErrClosed)
	}
	select {
	case <-s.started:
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("consume from %q: %w", queue, s.err)
	case <-ctx.Done():
		s.abort()
		return nil, fmt.Errorf("consume from %q: %w", queue, b.consumes.explain(ctx))
	}
}

// abort ends a subscription whose Consume was given up, without waiting for the broker.
// From now on handle is not called.
func (s *subscription) abort() {
	s.cancel()
	select {
	case <-s.started:
		<-s.done
	default: // serve finds the context ended
	}
}

// Cancel implements broker.Subscription.
func (s *subscription) Cancel() {
	s.cancel()
	<-s.done
}

// Done implements broker.Subscription.
func (s *subscription) Done() <-chan struct{} { return s.done }

// Err implements broker.Subscription.
func (s *subscription) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// run consumes until it is cancelled or the queue is gone.
func (s *subscription) run() {
	defer close(s.done)
	defer s.cancel()
	pauses := newBackoff()
	for {
		session, err := s.b.consumes.wait(s.ctx)
		if err != nil {
			break
		}
		start := time.Now()
		err = s.serve(session)
		if s.ctx.Err() != nil {
			break
		}
		if err != nil {
			judged, again := judge(err)
			if _, ours := s.b.exclusive.find(s.queue); !again && !ours {
				s.err = judged
				return
			}
			s.b.consumes.log.Info("cannot go on consuming", "queue", s.queue, "error", err)
		}
		pauses.Lasted(time.Since(start))
		pauses.Wait(s.ctx)
	}
	if s.b.ctx.Err() != nil {
		s.err = broker.ErrClosed
	}
}

// serve consumes until the channel ends or the subscription is cancelled. An error means
// that it could not start.
func (s *subscription) serve(session *session) error {
	// The stack that the calls of the library need would stay with this goroutine while it waits,
	// as thousands do.
	var c *consumer
	var err error
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		c, err = s.begin(session)
	}()
	if <-begun; err != nil {
		return err
	}
	defer s.leave(session, c)
	if !s.running {
		s.running = true
		close(s.started)
	}
	for {
		select {
		case d, open := <-c.deliveries:
			if !open {
				return nil
			}
			if s.ctx.Err() != nil {
				_ = d.Reject(true)
				return nil
			}
			c.deliver(d, s.handle)
		case <-s.ctx.Done():
			return nil
		}
	}
}

// begin starts a consumer.
func (s *subscription) begin(session *session) (*consumer, error) {
	if err := s.check(session); err != nil {
		return nil, err
	}
	carrier := session.carriers.take()
	tag, deliveries, err := carrier.consume(session, s.queue, s.prefetch)
	if err != nil {
		session.carriers.give(carrier)
		return nil, err
	}
	return &consumer{
		carrier: carrier, tag: tag, deliveries: deliveries, counters: s.b.cfg.Counters,
		held: make(map[uint64]amqp.Delivery),
	}, nil
}

// check fails if the queue cannot be consumed from, on a channel that the error may end.
// A broker of several nodes may lose an exclusive queue while the connection lives, because
// another node, which held the queue, died; then check makes it again.
func (s *subscription) check(session *session) error {
	return session.withChannel(s.ctx, func(ch *amqp.Channel) error {
		if q, ours := s.b.exclusive.find(s.queue); ours {
			return declare(ch, []broker.Queue{q})
		}
		_, err := ch.QueueDeclarePassive(s.queue, true, false, false, false, nil)
		return err
	})
}

// leave ends a consumer. From now on its deliveries are stale. Ending it waits for the
// broker, which must not delay Cancel. If the Broker is closed, nothing is spawned: it
// closes the whole connection.
func (s *subscription) leave(session *session, c *consumer) {
	held := c.release()
	s.b.spawn(func() {
		c.end(held)
		session.carriers.give(c.carrier)
	})
}
