package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"analyzer/shuffle/broker"
)

// hub is the broker of a world. Nothing in it moves unless a step moves it.
type hub struct {
	rng    *rand.Rand
	queues map[string]*queue
	conns  []*conn
	tags   uint64
}

type queue struct {
	ready    []msg
	consumer *consumer
	acked    []msg // the last that were, for a broker that forgets
}

type msg struct {
	body        []byte
	redelivered bool
}

type consumer struct {
	conn    *conn
	queue   string
	handle  func(broker.Delivery)
	limit   int
	unacked map[uint64]msg
	done    chan struct{}
	err     error
}

// conn is one process's access to the hub.
type conn struct {
	hub     *hub
	dead    bool
	pending []publish
}

type publish struct {
	queue string
	body  []byte
	done  func(error)
}

func newHub(rng *rand.Rand) *hub { return &hub{rng: rng, queues: make(map[string]*queue)} }

func (h *hub) connect() *conn {
	c := &conn{hub: h}
	h.conns = append(h.conns, c)
	return c
}

// step lets one thing happen: a delivery or a confirmation. It reports whether
// anything could.
func (h *hub) step() bool {
	var moves []func()
	for _, name := range h.names() {
		q := h.queues[name]
		if q.consumer != nil && len(q.ready) > 0 && len(q.consumer.unacked) < q.consumer.limit {
			moves = append(moves, func() { h.deliver(name, q) })
		}
	}
	for _, c := range h.conns {
		if len(c.pending) > 0 {
			moves = append(moves, c.confirm)
		}
	}
	if len(moves) == 0 {
		return false
	}
	moves[h.rng.IntN(len(moves))]()
	return true
}

func (h *hub) names() []string {
	names := make([]string, 0, len(h.queues))
	for name := range h.queues {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// deliver hands out a message; most often the first, sometimes any.
func (h *hub) deliver(name string, q *queue) {
	i := 0
	if h.rng.IntN(4) == 0 {
		i = h.rng.IntN(len(q.ready))
	}
	m := q.ready[i]
	q.ready = slices.Delete(q.ready, i, i+1)
	h.tags++
	q.consumer.unacked[h.tags] = m
	q.consumer.handle(broker.NewDelivery(name, m.body, m.redelivered, settler{h, q.consumer}, h.tags))
}

// confirm decides about the publish a connection made longest ago.
func (c *conn) confirm() {
	p := c.pending[0]
	c.pending = c.pending[1:]
	q := c.hub.queues[p.queue]
	switch {
	case q == nil:
		p.done(broker.ErrNoQueue)
	case c.hub.rng.IntN(12) == 0: // lost on its way, one way or the other
		if c.hub.rng.IntN(2) == 0 {
			q.ready = append(q.ready, msg{body: p.body})
		}
		p.done(broker.ErrUnconfirmed)
	default:
		q.ready = append(q.ready, msg{body: p.body})
		p.done(nil)
	}
}

// kill ends a connection: what was handed over arrives or does not, and what was
// not acknowledged goes back in any order.
func (c *conn) kill() {
	c.dead = true
	for _, p := range c.pending {
		if q := c.hub.queues[p.queue]; q != nil && c.hub.rng.IntN(2) == 0 {
			q.ready = append(q.ready, msg{body: p.body})
		}
	}
	c.pending = nil
	for _, name := range c.hub.names() {
		q := c.hub.queues[name]
		if q.consumer != nil && q.consumer.conn == c {
			c.hub.requeue(q, q.consumer)
			q.consumer = nil
		}
	}
	c.hub.conns = slices.DeleteFunc(c.hub.conns, func(o *conn) bool { return o == c })
}

func (h *hub) requeue(q *queue, c *consumer) {
	var back []msg
	for _, tag := range sortedTags(c.unacked) {
		m := c.unacked[tag]
		m.redelivered = true
		back = append(back, m)
	}
	clear(c.unacked)
	h.rng.Shuffle(len(back), func(i, j int) { back[i], back[j] = back[j], back[i] })
	at := h.rng.IntN(len(q.ready) + 1)
	q.ready = slices.Insert(q.ready, at, back...)
}

func sortedTags(m map[uint64]msg) []uint64 {
	tags := make([]uint64, 0, len(m))
	for t := range m {
		tags = append(tags, t)
	}
	slices.Sort(tags)
	return tags
}

// crash restarts the broker: consumers stay, but what they hold goes back, and
// some of what was acknowledged last comes again.
func (h *hub) crash() {
	for _, name := range h.names() {
		q := h.queues[name]
		if q.consumer != nil {
			h.requeue(q, q.consumer)
		}
		for _, m := range q.acked {
			if h.rng.IntN(3) == 0 {
				q.ready = append(q.ready, m)
			}
		}
		q.acked = nil
	}
	for _, c := range h.conns {
		lost := c.pending
		c.pending = nil
		for _, p := range lost {
			if q := h.queues[p.queue]; q != nil && h.rng.IntN(2) == 0 {
				q.ready = append(q.ready, msg{body: p.body})
			}
			p.done(broker.ErrUnconfirmed)
		}
	}
}

type settler struct {
	hub *hub
	c   *consumer
}

// remembered is how many acknowledged messages a queue may bring back.
const remembered = 20

func (s settler) Settle(tag uint64, how broker.Settlement) error {
	m, ok := s.c.unacked[tag]
	if !ok || s.c.conn.dead {
		return broker.ErrStale
	}
	delete(s.c.unacked, tag)
	q := s.hub.queues[s.c.queue]
	if q == nil {
		return nil
	}
	switch how {
	case broker.Ack:
		q.acked = append(q.acked, m)
		if len(q.acked) > remembered {
			q.acked = q.acked[1:]
		}
	case broker.Requeue:
		m.redelivered = true
		q.ready = append(q.ready, m)
	}
	return nil
}

// Declare makes queues.
func (c *conn) Declare(_ context.Context, queues ...broker.Queue) error {
	for _, q := range queues {
		if c.hub.queues[q.Name] == nil {
			c.hub.queues[q.Name] = &queue{}
		}
	}
	return nil
}

// Delete removes queues.
func (c *conn) Delete(_ context.Context, names ...string) error {
	for _, name := range names {
		delete(c.hub.queues, name)
	}
	return nil
}

// Publish takes a message.
func (c *conn) Publish(_ context.Context, queue string, body []byte, done func(error)) error {
	if c.dead {
		return broker.ErrClosed
	}
	c.pending = append(c.pending, publish{queue, slices.Clone(body), done})
	return nil
}

// Consume attaches a consumer, or one that waits for its turn.
func (c *conn) Consume(_ context.Context, name string, prefetch int, handle func(broker.Delivery)) (broker.Subscription, error) {
	q := c.hub.queues[name]
	if q == nil {
		return nil, fmt.Errorf("consume %s: %w", name, broker.ErrNoQueue)
	}
	k := &consumer{conn: c, queue: name, handle: handle, limit: prefetch, unacked: make(map[uint64]msg), done: make(chan struct{})}
	q.consumer = k
	return k, nil
}

// Cancel ends a subscription.
func (k *consumer) Cancel() {
	q := k.conn.hub.queues[k.queue]
	if q != nil && q.consumer == k {
		k.conn.hub.requeue(q, k)
		q.consumer = nil
	}
}

// Done is never closed: a simulation looks at queues instead.
func (k *consumer) Done() <-chan struct{} { return k.done }

// Err is nil.
func (k *consumer) Err() error { return k.err }

// Ready returns at once.
func (c *conn) Ready(context.Context) error { return nil }

// State is always connected.
func (c *conn) State() broker.State { return broker.Connected }

// Close kills the connection.
func (c *conn) Close() error {
	if !c.dead {
		c.kill()
	}
	return nil
}

var _ broker.Broker = (*conn)(nil)
