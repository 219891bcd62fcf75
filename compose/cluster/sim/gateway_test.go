package sim

import (
	"context"
	"fmt"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/membroker"
)

// gateway is one life of a gateway, as one client sees it.
type gateway struct {
	c         *client
	broker    *membroker.Client
	publisher *broker.Publisher
	replies   string
	underWay  map[batch]bool
	asked     map[uint64]*protocol.Request // by number
	next      uint64
	dead      bool
}

// batch is a batch of a table, or its end.
type batch struct {
	table, number int // number -1: the end
}

func newGateway(c *client) *gateway {
	c.w.gateways++
	g := &gateway{
		c: c, broker: c.w.broker.Connect(nil), replies: fmt.Sprintf("replies.%06d", c.w.gateways),
		underWay: make(map[batch]bool), asked: make(map[uint64]*protocol.Request),
	}
	g.publisher = broker.NewPublisher(g.broker, envelope.MaxJoined, broker.Watch{Handed: g.handed})
	if err := g.broker.Declare(context.Background(), broker.Queue{Name: g.replies, Exclusive: true}); err != nil {
		panic(err)
	}
	if _, err := g.broker.Consume(context.Background(), g.replies, 64, g.hear); err != nil {
		panic(err)
	}
	return g
}

func (g *gateway) die() {
	g.dead = true
	g.broker.Kill()
}

// send publishes the messages of a batch, and tells the client when the broker has them
// all.
func (g *gateway) send(b batch) {
	t := g.c.job.Tables[b.table]
	messages := t.Ends
	if b.number >= 0 {
		messages = g.c.messages(t, b.number)
	}
	g.underWay[b] = true
	g.publisher.Publish(context.Background(), messages, func(err error) { g.confirmed(b, err) })
	if g.c.w.cfg.AnswerFirst {
		g.confirmed(b, nil)
	}
}

// handed notes that the broker took a message. A gateway that dies now has sent some
// messages of its batch, but not all.
func (g *gateway) handed(_ broker.Message, left int) {
	if w := g.c.w; left > 0 && !g.dead && w.kills > 0 && w.rng.IntN(150) == 0 {
		w.kills--
		w.note("a gateway dies half way through a batch")
		g.c.lose(g)
	}
}

// retry publishes again what the broker has not confirmed.
func (g *gateway) retry() { g.publisher.Retry(context.Background()) }

func (g *gateway) confirmed(b batch, err error) {
	if !g.dead && g.underWay[b] {
		delete(g.underWay, b)
		g.c.confirmed(b, err)
	}
}

// ask sends a request, remembers it and returns it.
func (g *gateway) ask(replica int, r protocol.Request) *protocol.Request {
	g.next++
	asked := r
	g.asked[g.next] = &asked
	r.ID, r.ReplyTo = g.next, g.replies
	_ = g.broker.Publish(context.Background(), protocol.ControlQueue(replica), g.c.request(r), func(error) {})
	return &asked
}

// hear hands a response to the client.
func (g *gateway) hear(d broker.Delivery) {
	defer func() { _ = d.Ack() }()
	out, err := protocol.DecodeResponse(d.Body)
	if err != nil {
		panic(err)
	}
	if r, ok := g.asked[out.ID]; ok && !g.dead {
		delete(g.asked, out.ID)
		g.c.answer(r, out)
	}
}
