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
	at       *queue      // nil while it is not attached
	unacked  []*delivery // of this attachment, not settled as far as the broker knows
	inbox    []*delivery // delivered, not yet handled
	busy     bool        // handle is running
	ending   bool        // handle will not be called again
	err      error
	done     chan struct{}
}

// delivery is a message at a consumer.
type delivery struct {
	sub         *subscription
	message     *message
	redelivered bool
	held        bool // the consumer may settle it
}

// settlement is an acknowledgement or a requeue on its way to the broker.
type settlement struct {
	of  *delivery
	ack bool
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
		s.client.settleLocked(len(s.client.settlements))
		s.detachLocked()
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
	s.at = q
	q.subs = append(q.subs, s)
}

// detachLocked gives the unsettled messages back to the queue, if one is attached.
func (s *subscription) detachLocked() {
	if s.at == nil {
		return
	}
	s.at.subs = slices.DeleteFunc(s.at.subs, func(other *subscription) bool { return other == s })
	var back []*message
	for _, d := range s.unacked {
		d.held = false
		back = append(back, d.message)
	}
	s.at.giveBack(back)
	s.at, s.unacked = nil, nil
}

// endLocked ends a subscription. Done is closed once its handler has returned.
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
	d.held = slices.Contains(s.unacked, d)
	s.client.s.trace("client %d handles a message of %s, redelivered %v, stale %v",
		s.client.number, s.queue, d.redelivered, !d.held)
	count := s.client.counters
	count.Delivered.Add(1)
	count.DeliveredBytes.Add(int64(len(d.message.body)))
	if d.redelivered {
		count.Redelivered.Add(1)
	}
	return func() {
		s.handle(broker.Delivery{Body: bytes.Clone(d.message.body), Redelivered: d.redelivered, Published: d.message.published, Settle: d.settle})
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

// settle sends a settlement to the broker.
func (d *delivery) settle(ack bool) error {
	c := d.sub.client
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.closed || !d.held {
		c.counters.Stale.Add(1)
		return broker.ErrStale
	}
	d.held = false
	c.settlements = append(c.settlements, settlement{d, ack})
	if ack {
		c.counters.Acked.Add(1)
	}
	c.s.changedLocked()
	return nil
}

// applyLocked carries out a settlement that has reached the broker.
func (t settlement) applyLocked() {
	sub := t.of.sub
	i := slices.Index(sub.unacked, t.of)
	if i < 0 {
		return // already given back
	}
	sub.unacked = slices.Delete(sub.unacked, i, i+1)
	if t.ack {
		sub.at.forget(t.of.message)
	} else {
		sub.at.giveBack([]*message{t.of.message})
	}
}
