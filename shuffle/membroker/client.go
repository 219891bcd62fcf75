package membroker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/shuffle/broker"
)

// Client is a broker.Broker: one process's access to a Server. The server's lock
// guards all of it.
//
// Unlike rabbit.Broker, it accepts publishes while the broker is away, and a call that
// needs a connection makes one at once if the server runs. So nothing blocks in a
// simulation with one goroutine.
type Client struct {
	s        *Server
	counters *broker.Counters
	number   int

	connected   bool
	closed      bool
	lingers     bool       // killed, but the server has not noticed yet
	handed      []*publish // on their way to the broker
	arrived     []*publish // whose results are on their way back
	settlements []settlement
	subs        []*subscription // not ended
	exclusive   []broker.Queue
	calls       int // handlers and done functions that are running
}

var _ broker.Broker = (*Client)(nil)

// publish is a message on its way to a queue, and later its result on the way back.
type publish struct {
	queue   string
	body    []byte
	done    func(error)
	message *message // once it is in a queue
	err     error
}

// Ready implements broker.Broker.
func (c *Client) Ready(ctx context.Context) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.readyLocked(ctx)
}

// refusalLocked returns why a call cannot go on, or nil if it can.
func (c *Client) refusalLocked(ctx context.Context) error {
	if c.closed {
		return broker.ErrClosed
	}
	return context.Cause(ctx)
}

// readyLocked waits until the server runs, and then connects.
func (c *Client) readyLocked(ctx context.Context) error {
	for {
		if err := c.refusalLocked(ctx); err != nil || c.connected {
			return err
		}
		if c.s.down {
			c.s.waitLocked(ctx)
			continue
		}
		c.s.reconnectLocked(c)
		c.s.changedLocked()
	}
}

// State implements broker.Broker.
func (c *Client) State() broker.State {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	switch {
	case c.closed || !c.connected:
		return broker.Away
	case c.s.blocked:
		return broker.NoMemory
	}
	return broker.Connected
}

// Declare implements broker.Broker.
func (c *Client) Declare(ctx context.Context, queues ...broker.Queue) error {
	for _, q := range queues {
		if err := q.Validate(); err != nil {
			return err
		}
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if err := c.readyLocked(ctx); err != nil {
		return fmt.Errorf("declare queues: %w", err)
	}
	for _, q := range queues {
		if err := c.s.declareLocked(c, q); err != nil {
			return fmt.Errorf("declare queues: %w", err)
		}
		if q.Exclusive && !slices.Contains(c.exclusive, q) {
			c.exclusive = append(c.exclusive, q)
		}
	}
	c.s.changedLocked()
	return nil
}

// Delete implements broker.Broker.
func (c *Client) Delete(ctx context.Context, names ...string) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if err := c.readyLocked(ctx); err != nil {
		return fmt.Errorf("delete queues: %w", err)
	}
	for _, name := range names {
		if c.s.named[name] == nil {
			continue
		}
		q, err := c.s.findLocked(c, name)
		if err != nil {
			return fmt.Errorf("delete queues: %w", err)
		}
		c.exclusive = slices.DeleteFunc(c.exclusive, func(q broker.Queue) bool { return q.Name == name })
		c.s.removeLocked(q)
	}
	c.s.changedLocked()
	return nil
}

// Depth implements broker.Broker.
func (c *Client) Depth(ctx context.Context, names ...string) (waiting int, err error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if err := c.readyLocked(ctx); err != nil {
		return 0, fmt.Errorf("ask for the messages of queues: %w", err)
	}
	for _, name := range names {
		if q := c.s.named[name]; q != nil {
			waiting += len(q.ready)
		}
	}
	return waiting, nil
}

// Publish implements broker.Broker.
func (c *Client) Publish(ctx context.Context, queue string, body []byte, done func(error)) error {
	if len(body) > broker.MaxMessage {
		return fmt.Errorf("publish %d bytes to %q: %w", len(body), queue, broker.ErrTooLarge)
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if err := c.refusalLocked(ctx); err != nil {
		return fmt.Errorf("publish to %q: %w", queue, err)
	}
	c.handed = append(c.handed, &publish{queue: queue, body: bytes.Clone(body), done: done})
	c.counters.Published.Add(1)
	c.counters.PublishedBytes.Add(int64(len(body)))
	c.s.changedLocked()
	return nil
}

// answerLocked takes result i off its way, and returns the call that tells the client.
func (c *Client) answerLocked(i int) func() {
	p := c.arrived[i]
	c.arrived = slices.Delete(c.arrived, i, i+1)
	c.s.trace("client %d hears of a message for %s: %v", c.number, p.queue, p.err)
	switch {
	case p.err == nil:
		p.message.confirmed = true
		c.counters.Confirmed.Add(1)
	case errors.Is(p.err, broker.ErrNoQueue):
		c.counters.Returned.Add(1)
	default:
		c.counters.Unconfirmed.Add(1)
	}
	c.calls++
	return func() {
		p.done(p.err)
		c.s.mu.Lock()
		defer c.s.mu.Unlock()
		c.calls--
		c.s.changedLocked()
	}
}

// Close implements broker.Broker. It waits for calls of handle and done.
func (c *Client) Close() error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	c.settleLocked(len(c.settlements))
	c.s.cutLocked(c)
	c.leaveLocked()
	c.s.changedLocked()
	for len(c.arrived) > 0 {
		call := c.answerLocked(0)
		c.s.mu.Unlock()
		call()
		c.s.mu.Lock()
	}
	for c.calls > 0 {
		c.s.waitLocked(context.Background())
	}
	return nil
}

// settleLocked lets the first n settlements arrive and drops the others. On a connection
// that is closed in order all arrive.
func (c *Client) settleLocked(n int) {
	for _, t := range c.settlements[:n] {
		t.applyLocked()
	}
	c.settlements = nil
}

// leaveLocked removes a closed client and ends its publishes and subscriptions.
func (c *Client) leaveLocked() {
	c.s.trace("client %d leaves", c.number)
	c.giveUpLocked()
	c.s.clients = slices.DeleteFunc(c.s.clients, func(other *Client) bool { return other == c })
	for _, sub := range slices.Clone(c.subs) {
		sub.inbox = nil
		sub.endLocked(broker.ErrClosed)
	}
}
