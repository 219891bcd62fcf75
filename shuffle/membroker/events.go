package membroker

import (
	"fmt"
	"slices"

	"analyzer/shuffle/broker"
)

// event is something that could happen next. Its kind says which field is set.
type event struct {
	kind   eventKind
	client *Client
	sub    *subscription
	queue  *queue
}

type eventKind uint8

const (
	arrive    eventKind = iota // a publish of client reaches the broker
	answer                     // client hears the result of a publish
	settle                     // a settlement of client reaches the broker
	reconnect                  // client reconnects
	deliver                    // a message of queue goes to a consumer
	handle                     // sub handles a delivery
	stray                      // a publish from a connection that is gone arrives
	notice                     // the server notices that client was killed
)

// eventsLocked returns all events that could happen next, always in the same order.
// They are valid until the next call.
func (s *Server) eventsLocked() []event {
	out := s.events[:0]
	for _, c := range s.clients {
		if len(c.handed) > 0 && c.connected && !s.blocked {
			out = append(out, event{kind: arrive, client: c})
		}
		if len(c.arrived) > 0 && !c.lingers {
			out = append(out, event{kind: answer, client: c})
		}
		if len(c.settlements) > 0 && c.connected {
			out = append(out, event{kind: settle, client: c})
		}
		if !c.connected && !s.down {
			out = append(out, event{kind: reconnect, client: c})
		}
		if c.lingers {
			out = append(out, event{kind: notice, client: c})
			continue
		}
		for _, sub := range c.subs {
			if len(sub.inbox) > 0 && !sub.busy && !sub.ending {
				out = append(out, event{kind: handle, sub: sub})
			}
		}
	}
	for _, q := range s.queues {
		if len(q.ready) > 0 && len(q.subs) > 0 {
			if s.takers = q.takers(s.takers[:0]); len(s.takers) > 0 {
				out = append(out, event{kind: deliver, queue: q})
			}
		}
	}
	if len(s.strays) > 0 && !s.down {
		out = append(out, event{kind: stray})
	}
	s.events = out
	return out
}

// happenLocked lets an event happen. It may return a function, which the caller calls
// without the lock.
func (s *Server) happenLocked(e event) func() {
	switch e.kind {
	case arrive:
		p := e.client.handed[0]
		e.client.handed = e.client.handed[1:]
		s.arriveLocked(p)
		e.client.arrived = append(e.client.arrived, p)
	case answer:
		return e.client.answerLocked(s.rng.IntN(len(e.client.arrived)))
	case settle:
		t := e.client.settlements[0]
		e.client.settlements = e.client.settlements[1:]
		t.applyLocked()
	case reconnect:
		s.reconnectLocked(e.client)
	case deliver:
		s.deliverLocked(e.queue)
	case handle:
		return e.sub.handleLocked()
	case stray:
		i := s.rng.IntN(len(s.strays))
		p := s.strays[i]
		s.strays = slices.Delete(s.strays, i, i+1)
		s.arriveLocked(p)
	case notice:
		s.cutLocked(e.client)
	}
	return nil
}

// arriveLocked puts a message into its queue, and notes the result for the publisher.
func (s *Server) arriveLocked(p *publish) {
	if s.rng.Float64() < s.cfg.Refuse {
		p.err = fmt.Errorf("publish to %q: %w: refused", p.queue, broker.ErrUnconfirmed)
		if s.rng.IntN(2) == 0 {
			s.trace("refuse a message for %s", p.queue)
			return
		}
	}
	q := s.named[p.queue]
	if q == nil {
		s.trace("return a message for %s", p.queue)
		p.err = fmt.Errorf("publish to %q: %w", p.queue, broker.ErrNoQueue)
		return
	}
	s.trace("keep a message for %s", p.queue)
	p.message = &message{body: p.body, published: s.cfg.Now()}
	q.ready = append(q.ready, p.message)
}

func (s *Server) deliverLocked(q *queue) {
	s.takers = q.takers(s.takers[:0])
	sub := s.takers[s.rng.IntN(len(s.takers))]
	m := q.pop(s.rng, s.rng.Float64() < s.cfg.Disorder)
	d := &delivery{sub: sub, message: m, redelivered: m.redelivered}
	sub.unacked, sub.inbox = append(sub.unacked, d), append(sub.inbox, d)
	s.trace("send a message of %s to client %d", q.spec.Name, sub.client.number)
}

// reconnectLocked connects a client, and restores its exclusive queues and its
// subscriptions.
func (s *Server) reconnectLocked(c *Client) {
	s.trace("client %d connects", c.number)
	c.connected = true
	c.counters.Connects.Add(1)
	for _, spec := range c.exclusive {
		_ = s.declareLocked(c, spec) // a mismatch shows when the client uses the queue
	}
	for _, sub := range slices.Clone(c.subs) {
		q, err := s.findLocked(c, sub.queue)
		if err != nil {
			sub.endLocked(err)
			continue
		}
		sub.attachLocked(q)
	}
}
