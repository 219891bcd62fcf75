package sim

import (
	"context"
	"fmt"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

// gate is one life of a gateway, as far as one client has to do with it.
type gate struct {
	c       *client
	broker  *membroker.Client
	replies string
	state   map[*sending]bool
	open    map[uint64]protocol.Request // questions, by number
	next    uint64
	dead    bool
}

// sending is a batch, or an end of a table, on its way.
type sending struct {
	table, batch int // batch -1: the end
	open         int // messages not confirmed
	err          error
}

func newGate(c *client) *gate {
	c.w.gates++
	g := &gate{
		c: c, broker: c.w.broker.Connect(nil), replies: fmt.Sprintf("replies.%06d", c.w.gates),
		state: make(map[*sending]bool), open: make(map[uint64]protocol.Request),
	}
	if err := g.broker.Declare(context.Background(), broker.Queue{Name: g.replies, Exclusive: true}); err != nil {
		panic(err)
	}
	if _, err := g.broker.Consume(context.Background(), g.replies, 64, g.hear); err != nil {
		panic(err)
	}
	return g
}

func (g *gate) die() {
	g.dead = true
	g.broker.Kill()
}

func (g *gate) has(table, batch int) bool {
	for s := range g.state {
		if s.table == table && s.batch == batch {
			return true
		}
	}
	return false
}

// send publishes the messages of a batch; a gateway that dies in between leaves
// some of them sent.
func (g *gate) send(table, batch int) {
	t := g.c.job.Tables[table]
	messages := t.Ends
	if batch >= 0 {
		messages = g.c.batch(t, batch)
	}
	s := &sending{table: table, batch: batch, open: len(messages)}
	g.state[s] = true
	w := g.c.w
	for i, m := range messages {
		if i > 0 && w.kills > 0 && w.rng.IntN(150) == 0 {
			w.kills--
			w.note("a gateway dies half way through table %d batch %d", table, batch)
			g.c.lose(g)
			return
		}
		_ = g.broker.Publish(context.Background(), m.Queue, m.Body, func(err error) { g.confirmed(s, err) })
	}
}

func (g *gate) confirmed(s *sending, err error) {
	s.open--
	if s.err == nil {
		s.err = err
	}
	if s.open == 0 && !g.dead {
		delete(g.state, s)
		g.c.confirmed(s)
	}
}

// ask sends a request and remembers what it was.
func (g *gate) ask(replica int, r protocol.Request) {
	g.next++
	g.open[g.next] = r
	r.ID, r.ReplyTo = g.next, g.replies
	_ = g.broker.Publish(context.Background(), protocol.ControlQueue(replica), g.c.request(r), func(error) {})
}

// hear is told of each response.
func (g *gate) hear(d broker.Delivery) {
	defer func() { _ = d.Ack() }()
	out, err := protocol.DecodeResponse(d.Body)
	if err != nil {
		panic(err)
	}
	if r, ok := g.open[out.ID]; ok && !g.dead {
		delete(g.open, out.ID)
		g.c.answer(r, out)
	}
}
