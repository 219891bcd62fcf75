package membroker

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"analyzer/shuffle/broker"
)

// subscription is a consumer. It is attached to its queue while its client is
// connected.
type subscription struct {
	client   *Client
	queue    string
	prefetch int
	handle   func(broker.Delivery)
	lease    *lease      // of the attachment now or last
	inbox    []*delivery // delivered, not handled
	busy     bool        // handle runs
	ending   bool        // handle is not to be called again
	err      error
	done     chan struct{}
}

// lease is what one attachment was delivered and the broker has not seen settled.
type lease struct {
	sub     *subscription
	queue   *queue
	over    bool
	next    uint64
	unacked []*delivery // by tag
}

// delivery is a message at a consumer.
type delivery struct {
	lease       *lease
	tag         uint64
	message     *message
	redelivered bool
	held        bool // the consumer may settle it
}

// settlement is an acknowledgement or rejection on its way to the broker.
type settlement struct {
	lease *lease
	tag   uint64
	how   broker.Settlement
}

// Consume implements broker.Broker.
func (c *Client) Consume(ctx context.Context, queue string, prefetch int, handle func(broker.Delivery)) (broker.Subscription, error) {
	if prefetch < 1 || prefetch > broker.MaxPrefetch {
		return nil, fmt.Errorf("consume from %q: prefetch %d: want 1 to %d", queue, prefetch, broker.MaxPrefetch)
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if err := c.readyLocked(ctx); err != nil {
		return nil, fmt.Errorf("consume from %q: %w", queue, err)
	}
	q, err := c.s.findLocked(c, queue)
	if err != nil {
		return nil, fmt.Errorf("consume: %w", err)
	}
	sub := &subscription{client: c, queue: queue, prefetch: prefetch, handle: handle, done: make(chan struct{})}
	c.subs = append(c.subs, sub)
	sub.attachLocked(q)
	c.s.changedLocked()
	return sub, nil
}

// Cancel implements broker.Subscription.
func (s *subscription) Cancel() {
	server := s.client.s
	server.mu.Lock()
	if !s.ending {
		s.client.flushLocked()
		if !s.lease.over {
			s.detachLocked(s.lease.queue)
		}
		s.endLocked(nil)
		server.changedLocked()
	}
	server.mu.Unlock()
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

func (s *subscription) attachLocked(q *queue) {
	s.lease = &lease{sub: s, queue: q}
	q.subs = append(q.subs, s)
}

// detachLocked gives all that is unsettled back to the queue.
func (s *subscription) detachLocked(q *queue) {
	q.subs = slices.DeleteFunc(q.subs, func(other *subscription) bool { return other == s })
	l := s.lease
	l.over = true
	var back []*message
	for _, d := range l.unacked {
		d.held = false
		back = append(back, d.message)
	}
	l.unacked = nil
	q.giveBack(back)
}

// endLocked ends a subscription, once its handler has returned.
func (s *subscription) endLocked(err error) {
	if s.ending {
		return
	}
	s.ending, s.err, s.inbox = true, err, nil
	s.client.subs = slices.DeleteFunc(s.client.subs, func(other *subscription) bool { return other == s })
	if !s.busy {
		close(s.done)
	}
}

// handleLocked returns the call that handles the next delivery.
func (s *subscription) handleLocked() func() {
	d := s.inbox[0]
	s.inbox = s.inbox[1:]
	s.busy = true
	s.client.calls++
	d.held = !d.lease.over
	s.client.s.trace("client %d handles a message of %s, redelivered %v, stale %v",
		s.client.number, s.queue, d.redelivered, d.lease.over)
	count := s.client.counters
	count.Delivered.Add(1)
	count.DeliveredBytes.Add(int64(len(d.message.body)))
	if d.redelivered {
		count.Redelivered.Add(1)
	}
	return func() {
		given := broker.NewDelivery(s.queue, bytes.Clone(d.message.body), d.redelivered, d.lease, d.tag)
		given.Published = d.message.published
		s.handle(given)
		server := s.client.s
		server.mu.Lock()
		defer server.mu.Unlock()
		s.busy = false
		s.client.calls--
		if s.ending {
			close(s.done)
		}
		server.changedLocked()
	}
}

func (l *lease) addLocked(m *message) *delivery {
	l.next++
	d := &delivery{lease: l, tag: l.next, message: m, redelivered: m.redelivered}
	l.unacked = append(l.unacked, d)
	return d
}

func (l *lease) find(tag uint64) int {
	return slices.IndexFunc(l.unacked, func(d *delivery) bool { return d.tag == tag })
}

// Settle implements broker.Settler: it sends a settlement on its way.
func (l *lease) Settle(tag uint64, how broker.Settlement) error {
	c := l.sub.client
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	i := l.find(tag)
	if c.closed || l.over || i < 0 || !l.unacked[i].held {
		c.counters.Stale.Add(1)
		return broker.ErrStale
	}
	l.unacked[i].held = false
	c.settlements = append(c.settlements, settlement{l, tag, how})
	if how == broker.Ack {
		c.counters.Acked.Add(1)
	}
	c.s.changedLocked()
	return nil
}

// applyLocked does at the broker what a settlement says.
func (l *lease) applyLocked(t settlement) {
	i := l.find(t.tag)
	if i < 0 {
		return // given back before
	}
	m := l.unacked[i].message
	l.unacked = slices.Delete(l.unacked, i, i+1)
	switch t.how {
	case broker.Ack:
		l.queue.forget(m)
	case broker.Requeue:
		l.queue.giveBack([]*message{m})
	case broker.Discard:
	}
}
