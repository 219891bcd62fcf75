package membroker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"analyzer/shuffle/broker"
)

// Server is the broker. All methods may be called concurrently. Concurrent calls of
// Step and Run run several handlers at a time.
type Server struct {
	cfg Config

	mu       sync.Mutex
	rng      *rand.Rand
	clients  []*Client
	connects int      // clients ever connected, which numbers them
	queues   []*queue // in order of declaration
	named    map[string]*queue
	strays   []*publish // written to connections that are gone, not yet read by the server
	down     bool
	blocked  bool
	moved    chan struct{} // closed when anything changes; nil if nobody waits

	events []event         // memory of eventsLocked
	takers []*subscription // memory for queue.takers
}

// New returns a running server.
func New(cfg Config) *Server {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Server{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x6d656d)), named: make(map[string]*queue)}
}

// Connect returns a connected client. counters may be nil.
func (s *Server) Connect(counters *broker.Counters) *Client {
	if counters == nil {
		counters = new(broker.Counters)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Client{s: s, counters: counters, number: s.connects}
	s.connects++
	s.clients = append(s.clients, c)
	if !s.down {
		s.reconnectLocked(c)
	}
	s.changedLocked()
	return c
}

// Step lets one event happen, and reports whether there was one. It calls handlers and
// done functions.
func (s *Server) Step() bool {
	s.mu.Lock()
	events := s.eventsLocked()
	if len(events) == 0 {
		s.mu.Unlock()
		return false
	}
	call := s.happenLocked(events[s.rng.IntN(len(events))])
	s.changedLocked()
	s.mu.Unlock()
	if call != nil {
		call()
	}
	return true
}

// Run calls Step until the context ends, and waits when there is nothing to do.
// If handlers wait for the broker, more than one goroutine must call Run.
func (s *Server) Run(ctx context.Context) {
	for ctx.Err() == nil {
		s.mu.Lock()
		moved := s.movedLocked()
		s.mu.Unlock()
		if s.Step() {
			continue
		}
		select {
		case <-moved:
		case <-ctx.Done():
		}
	}
}

// Idle reports whether no event can happen until somebody calls a method.
func (s *Server) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.eventsLocked()) == 0
}

// Depth returns how many messages of a queue wait and how many its consumers hold;
// ok is false when there is no such queue.
func (s *Server) Depth(name string) (ready, held int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.named[name]
	if q == nil {
		return 0, 0, false
	}
	for _, sub := range q.subs {
		held += len(sub.unacked)
	}
	return len(q.ready), held, true
}

// Queues returns the names of all queues in order of declaration.
func (s *Server) Queues() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, q := range s.queues {
		names = append(names, q.spec.Name)
	}
	return names
}

// changedLocked wakes everybody who waits for a change.
func (s *Server) changedLocked() {
	if s.moved != nil {
		close(s.moved)
		s.moved = nil
	}
}

// movedLocked returns a channel that is closed when anything changes.
func (s *Server) movedLocked() <-chan struct{} {
	if s.moved == nil {
		s.moved = make(chan struct{})
	}
	return s.moved
}

// waitLocked releases the lock until something changes or the context ends.
func (s *Server) waitLocked(ctx context.Context) {
	moved := s.movedLocked()
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-moved:
	case <-ctx.Done():
	}
}

func (s *Server) trace(format string, args ...any) {
	if s.cfg.Trace != nil {
		s.cfg.Trace(fmt.Sprintf(format, args...))
	}
}

// declareLocked creates a queue unless it exists.
func (s *Server) declareLocked(c *Client, spec broker.Queue) error {
	q := s.named[spec.Name]
	if q == nil {
		q = &queue{spec: spec}
		if spec.Exclusive {
			q.owner = c
		}
		s.named[spec.Name] = q
		s.queues = append(s.queues, q)
		s.trace("declare %s", spec.Name)
		return nil
	}
	if q.spec != spec || q.owner != nil && q.owner != c {
		return fmt.Errorf("queue %q: %w", spec.Name, broker.ErrMismatch)
	}
	return nil
}

// removeLocked removes a queue and ends its subscriptions.
func (s *Server) removeLocked(q *queue) {
	s.trace("remove %s", q.spec.Name)
	delete(s.named, q.spec.Name)
	s.queues = slices.DeleteFunc(s.queues, func(other *queue) bool { return other == q })
	for _, sub := range slices.Clone(q.subs) {
		sub.detachLocked()
		sub.endLocked(broker.ErrNoQueue)
	}
}

// findLocked returns a queue if it exists and the client may use it.
func (s *Server) findLocked(c *Client, name string) (*queue, error) {
	q := s.named[name]
	if q == nil {
		return nil, fmt.Errorf("queue %q: %w", name, broker.ErrNoQueue)
	}
	if q.owner != nil && q.owner != c {
		return nil, fmt.Errorf("queue %q: %w", name, broker.ErrMismatch)
	}
	return q, nil
}
