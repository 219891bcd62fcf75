package membroker

import (
	"fmt"
	"slices"

	"analyzer/shuffle/broker"
)

// Cut ends the connection of a client, which reconnects in a later Step.
func (c *Client) Cut() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.cutLocked(c)
	c.s.changedLocked()
}

// Kill ends a client as SIGKILL ends a process: messages in flight may arrive,
// and none of the client's callbacks is called again.
func (c *Client) Kill() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	if c.connected && c.s.rng.Float64() < c.s.cfg.Linger {
		c.s.trace("client %d is killed, and its connection lingers", c.number)
		c.lingers = true
	} else {
		c.s.cutLocked(c)
		c.buryLocked()
	}
	c.s.changedLocked()
}

// buryLocked removes a killed client, once the server has noticed.
func (c *Client) buryLocked() {
	c.leaveLocked()
	c.lingers, c.arrived = false, nil
}

// Lose removes a queue with all messages in it, as a broker that loses its data does.
func (s *Server) Lose(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.named[name]; q != nil {
		s.removeLocked(q)
		s.changedLocked()
	}
}

// Crash ends the server as SIGKILL would and starts it again. Clients lose their
// connections.
func (s *Server) Crash() {
	s.Stop()
	s.Start()
}

// Stop is the first half of Crash: nobody can reach the server until Start.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return
	}
	s.trace("crash")
	s.down, s.blocked = true, false
	for _, c := range slices.Clone(s.clients) {
		s.cutLocked(c)
	}
	for _, p := range s.strays {
		if s.rng.Float64() < s.cfg.KeepUnconfirmed {
			s.arriveLocked(p)
		}
	}
	s.strays = nil
	for _, q := range s.queues {
		q.crash(s.rng, s.cfg)
	}
	s.changedLocked()
}

// Start is the second half of Crash.
func (s *Server) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = false
	s.changedLocked()
}

// Block begins or ends an alarm, during which no publish arrives.
func (s *Server) Block(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on && !s.blocked {
		for _, c := range s.clients {
			c.counters.Blocks.Add(1)
		}
	}
	s.blocked = on
	s.changedLocked()
}

// cutLocked ends a connection.
func (s *Server) cutLocked(c *Client) {
	if !c.connected {
		return
	}
	s.trace("cut client %d", c.number)
	c.connected = false
	c.counters.Disconnects.Add(1)
	c.settleLocked(s.rng.IntN(len(c.settlements) + 1))
	for _, sub := range c.subs {
		sub.detachLocked()
		if s.rng.IntN(2) == 0 {
			sub.inbox = nil
		}
	}
	for _, q := range slices.Clone(s.queues) {
		if q.owner == c {
			s.removeLocked(q)
		}
	}
	s.losePublishesLocked(c)
	if c.lingers {
		c.buryLocked()
	}
}

// losePublishesLocked lets the first few publishes in flight arrive, now or later, and
// loses the others. All are ErrUnconfirmed to the client.
func (s *Server) losePublishesLocked(c *Client) {
	n := s.rng.IntN(len(c.handed) + 1)
	for i, p := range c.handed {
		switch {
		case i >= n:
		case s.rng.IntN(2) == 0:
			s.arriveLocked(p)
		default:
			late := *p
			s.strays = append(s.strays, &late)
		}
	}
	c.giveUpLocked()
}

// giveUpLocked ends all unanswered publishes with ErrUnconfirmed.
func (c *Client) giveUpLocked() {
	c.arrived = append(c.arrived, c.handed...)
	c.handed = nil
	for _, p := range c.arrived {
		p.err = fmt.Errorf("publish to %q: %w: connection lost", p.queue, broker.ErrUnconfirmed)
	}
}
