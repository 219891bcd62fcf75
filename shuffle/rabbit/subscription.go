package rabbit

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// subscription is one consumer, on a channel of its own.
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

// serve consumes on a channel of its own until the channel ends or the subscription is
// cancelled. An error means that it could not start.
func (s *subscription) serve(session *session) error {
	ch, err := session.conn.Channel()
	if err != nil {
		return err
	}
	// Closing waits for the broker, which must not delay Cancel. If the Broker is
	// closed, nothing is spawned: it closes the whole connection.
	defer s.b.spawn(func() { _ = ch.Close() })
	if err := ch.Qos(s.prefetch, 0, false); err != nil {
		return err
	}
	// A broker of several nodes may lose an exclusive queue while the connection lives,
	// because another node, which held the queue, died.
	if q, ours := s.b.exclusive.find(s.queue); ours {
		if err := declare(ch, []broker.Queue{q}); err != nil {
			return err
		}
	}
	deliveries, err := ch.Consume(s.queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	if !s.running {
		s.running = true
		close(s.started)
	}
	over := new(atomic.Bool) // deliveries of this channel are no longer held
	defer over.Store(true)
	for {
		select {
		case d, open := <-deliveries:
			if !open || s.ctx.Err() != nil {
				return nil
			}
			s.deliver(d, over)
		case <-s.ctx.Done():
			return nil
		}
	}
}

func (s *subscription) deliver(d amqp.Delivery, over *atomic.Bool) {
	c := s.b.cfg.Counters
	c.Delivered.Add(1)
	c.DeliveredBytes.Add(int64(len(d.Body)))
	if d.Redelivered {
		c.Redelivered.Add(1)
	}
	settled := new(atomic.Bool)
	given := broker.Delivery{Body: d.Body, Redelivered: d.Redelivered, Settle: func(ack bool) error {
		if over.Load() || settled.Swap(true) {
			c.Stale.Add(1)
			return broker.ErrStale
		}
		return settleAt(d, ack, c)
	}}
	if at, ok := d.Headers[publishedHeader].(int64); ok {
		given.Published = time.UnixMicro(at)
	}
	s.handle(given)
}

// settleAt acknowledges or requeues a delivery at the broker. The caller calls it at most
// once for each delivery.
func settleAt(d amqp.Delivery, ack bool, c *broker.Counters) error {
	var err error
	if ack {
		err = d.Ack(false)
	} else {
		err = d.Reject(true)
	}
	if err != nil {
		c.Stale.Add(1)
		return fmt.Errorf("%w: %w", broker.ErrStale, err)
	}
	if ack {
		c.Acked.Add(1)
	}
	return nil
}
