package sim

import (
	"context"
	"fmt"
	"slices"

	"analyzer/shuffle/broker"
)

// conn is one process's access to the hub.
type conn struct {
	hub     *hub
	closed  bool // seen from the process
	ghost   bool // the process is no more, and the broker has not noticed
	pending []publish
	// exclusive is a queue that goes with the connection; "" for none.
	exclusive string
}

type publish struct {
	queue string
	body  []byte
	done  func(error)
}

// movable reports whether the broker has something to do for a connection.
func (c *conn) movable() bool { return len(c.pending) > 0 || c.ghost }

// move decides about the publish made longest ago, or that a ghost is one.
func (c *conn) move() {
	if c.ghost && (len(c.pending) == 0 || c.hub.rng.IntN(8) == 0) {
		c.kill()
		return
	}
	p := c.pending[0]
	c.pending = c.pending[1:]
	switch {
	case c.hub.rng.IntN(12) == 0: // lost on its way, one way or the other
		if c.hub.rng.IntN(2) == 0 {
			c.hub.arrive(p)
		}
		p.done(broker.ErrUnconfirmed)
	case c.hub.arrive(p):
		p.done(nil)
	default:
		p.done(broker.ErrNoQueue)
	}
}

// die is the end of the process. The broker may take a while to notice: until
// then the connection holds what was delivered, is delivered more, and what it
// has published arrives.
func (c *conn) die() {
	c.closed = true
	for i := range c.pending {
		c.pending[i].done = func(error) {}
	}
	if c.hub.rng.IntN(2) == 0 {
		c.ghost = true
		return
	}
	c.kill()
}

// kill ends a connection at the broker.
func (c *conn) kill() {
	c.closed, c.ghost = true, false
	c.lose()
	for _, q := range c.hub.sorted {
		q.consumers = slices.DeleteFunc(q.consumers, func(k *consumer) bool {
			if k.conn == c {
				c.hub.requeue(k)
			}
			return k.conn == c
		})
	}
	c.hub.delete(c.exclusive)
	c.hub.conns = slices.DeleteFunc(c.hub.conns, func(o *conn) bool { return o == c })
}

// drop loses a connection that is made again: what was not acknowledged goes back
// to its queue, acknowledgements of it come too late, and its consumers stand
// behind those that wait.
func (c *conn) drop() {
	if c.ghost {
		c.kill()
		return
	}
	c.lose()
	for _, q := range c.hub.sorted {
		at := slices.IndexFunc(q.consumers, func(k *consumer) bool { return k.conn == c })
		if at >= 0 {
			k := q.consumers[at]
			c.hub.requeue(k)
			c.hub.comeBack(q)
			q.consumers = append(slices.Delete(q.consumers, at, at+1), k)
		}
	}
}

// lose lets what was handed over arrive or not.
func (c *conn) lose() {
	lost := c.pending
	c.pending = nil
	for _, p := range lost {
		if c.hub.rng.IntN(2) == 0 {
			c.hub.arrive(p)
		}
		p.done(broker.ErrUnconfirmed)
	}
}

// remembered is how many acknowledged messages a queue may bring back.
const remembered = 20

// Settle takes an acknowledgement or a refusal.
func (k *consumer) Settle(tag uint64, how broker.Settlement) error {
	m, ok := k.unacked[tag]
	if !ok || k.conn.closed {
		return broker.ErrStale
	}
	delete(k.unacked, tag)
	switch how {
	case broker.Ack:
		k.queue.acked = append(k.queue.acked, m)
		if len(k.queue.acked) > remembered {
			k.queue.acked = k.queue.acked[1:]
		}
	case broker.Requeue:
		m.redelivered = true
		k.queue.ready = append(k.queue.ready, m)
	}
	return nil
}

// Declare makes queues.
func (c *conn) Declare(_ context.Context, queues ...broker.Queue) error {
	if c.closed {
		return broker.ErrClosed
	}
	for _, q := range queues {
		c.hub.declare(q.Name)
	}
	return nil
}

// Delete removes queues.
func (c *conn) Delete(_ context.Context, names ...string) error {
	if c.closed {
		return broker.ErrClosed
	}
	for _, name := range names {
		c.hub.delete(name)
	}
	return nil
}

// Publish takes a message.
func (c *conn) Publish(_ context.Context, queue string, body []byte, done func(error)) error {
	if c.closed {
		return broker.ErrClosed
	}
	c.pending = append(c.pending, publish{queue, body, done})
	return nil
}

// Consume attaches a consumer, which waits until those before it have gone.
func (c *conn) Consume(_ context.Context, name string, prefetch int, handle func(broker.Delivery)) (broker.Subscription, error) {
	q := c.hub.queues[name]
	switch {
	case c.closed:
		return nil, broker.ErrClosed
	case q == nil:
		return nil, fmt.Errorf("consume %s: %w", name, broker.ErrNoQueue)
	}
	k := &consumer{conn: c, queue: q, handle: handle, limit: prefetch, unacked: make(map[uint64]msg), done: make(chan struct{})}
	q.consumers = append(q.consumers, k)
	return k, nil
}

// Cancel ends a subscription.
func (k *consumer) Cancel() {
	if at := slices.Index(k.queue.consumers, k); at >= 0 && !k.conn.closed {
		k.queue.consumers = slices.Delete(k.queue.consumers, at, at+1)
		k.conn.hub.requeue(k)
	}
}

// Done is closed when the queue is lost.
func (k *consumer) Done() <-chan struct{} { return k.done }

// Err is nil as long as there is a queue.
func (k *consumer) Err() error { return k.err }

// Ready returns at once.
func (c *conn) Ready(context.Context) error { return nil }

// State is always connected.
func (c *conn) State() broker.State { return broker.Connected }

// Close kills the connection.
func (c *conn) Close() error {
	if !c.closed {
		c.kill()
	}
	return nil
}

var _ broker.Broker = (*conn)(nil)
