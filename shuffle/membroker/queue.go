package membroker

import (
	"math/rand/v2"
	"slices"
	"time"

	"analyzer/shuffle/broker"
)

// queue is a queue of the server. The oldest message comes first.
type queue struct {
	spec  broker.Queue
	owner *Client // if the queue is exclusive
	ready []*message
	subs  []*subscription // attached; the first is the active one
	acked []*message      // recently acknowledged, oldest first
}

type message struct {
	body        []byte
	published   time.Time
	confirmed   bool // its publisher has the confirm
	redelivered bool
}

// rememberAcked is how many acknowledged messages of a queue may come back.
const rememberAcked = 64

func (q *queue) forget(m *message) {
	q.acked = append(q.acked, m)
	if len(q.acked) > rememberAcked {
		q.acked = slices.Delete(q.acked, 0, 1)
	}
}

// pop removes and returns the oldest message, or a random one.
func (q *queue) pop(rng *rand.Rand, any bool) *message {
	if any {
		i := rng.IntN(len(q.ready))
		q.ready[0], q.ready[i] = q.ready[i], q.ready[0]
	}
	m := q.ready[0]
	q.ready[0] = nil
	q.ready = q.ready[1:]
	return m
}

// giveBack puts delivered messages back at the front.
func (q *queue) giveBack(ms []*message) {
	for _, m := range ms {
		m.redelivered = true
	}
	q.ready = append(ms, q.ready...)
}

// takers appends the subscriptions that can take a message.
func (q *queue) takers(out []*subscription) []*subscription {
	subs := q.subs
	if q.spec.SingleActive && len(subs) > 0 {
		subs = subs[:1]
	}
	for _, s := range subs {
		if len(s.unacked) < s.prefetch && !s.ending {
			out = append(out, s)
		}
	}
	return out
}

// crash changes the queue to what the broker finds after a crash.
func (q *queue) crash(rng *rand.Rand, cfg Config) {
	kept := q.ready[:0]
	for _, m := range q.ready {
		if m.confirmed || rng.Float64() < cfg.KeepUnconfirmed {
			kept = append(kept, m)
		}
	}
	for _, m := range q.acked {
		if rng.Float64() < cfg.ReturnAcked {
			kept = append(kept, m)
		}
	}
	for _, m := range kept {
		m.redelivered = m.redelivered && rng.IntN(2) == 0
	}
	q.ready, q.acked = kept, nil
}
