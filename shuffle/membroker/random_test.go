package membroker_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

const simQueue = "q"

// simulation is a sender and a receiver of numbered messages. Both are killed now and then,
// and afterwards know only the state that is marked as durable here. It runs in one
// goroutine.
type simulation struct {
	t      *testing.T
	server *membroker.Server
	rng    *rand.Rand
	trace  []string

	messages  int
	sender    *membroker.Client
	receiver  *membroker.Client
	confirmed map[string]bool // durable at the sender
	seen      map[string]int  // durable at the receiver: how often
	sending   map[string]bool // in flight

	duplicates, stale, unconfirmed, lateAfterAck int
	acked                                        map[string]bool
}

func simulate(t *testing.T, seed uint64) *simulation {
	s := &simulation{
		t: t, rng: rand.New(rand.NewPCG(seed, 1)), messages: 40,
		confirmed: make(map[string]bool), seen: make(map[string]int), acked: make(map[string]bool),
	}
	cfg := membroker.Harsh(seed)
	cfg.Trace = func(e string) { s.trace = append(s.trace, e) }
	s.server = membroker.New(cfg)
	s.startSender()
	s.startReceiver()
	for step := 0; !s.complete(); step++ {
		if step > 20000 {
			t.Fatalf("seed %d: no end; confirmed %d, seen %d of %d\n%s",
				seed, len(s.confirmed), len(s.seen), s.messages, strings.Join(s.trace[max(0, len(s.trace)-50):], "\n"))
		}
		if step < 400 {
			s.trouble()
		}
		s.send()
		s.server.Step()
	}
	for s.server.Step() {
	}
	return s
}

func (s *simulation) complete() bool {
	return len(s.confirmed) == s.messages && len(s.seen) == s.messages
}

func (s *simulation) ok(err error) {
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *simulation) startSender() {
	s.sender = s.server.Connect(nil)
	s.sending = make(map[string]bool)
	s.ok(s.sender.Declare(context.Background(), broker.Queue{Name: simQueue, SingleActive: true}))
}

func (s *simulation) startReceiver() {
	s.receiver = s.server.Connect(nil)
	s.ok(s.receiver.Declare(context.Background(), broker.Queue{Name: simQueue, SingleActive: true}))
	_, err := s.receiver.Consume(context.Background(), simQueue, 5, func(d broker.Delivery) {
		id := string(d.Body)
		if s.acked[id] {
			s.lateAfterAck++
		}
		if s.seen[id]++; s.seen[id] > 1 {
			s.duplicates++
		}
		switch err := d.Ack(); {
		case err == nil:
			s.acked[id] = true
		case errors.Is(err, broker.ErrStale):
			s.stale++
		default:
			s.t.Error(err)
		}
	})
	s.ok(err)
}

// send publishes what is neither confirmed nor on its way, a few at a time.
func (s *simulation) send() {
	sending := s.sending // of this life of the sender
	for i := 0; i < s.messages && len(sending) < 4; i++ {
		id := fmt.Sprint(i)
		if s.confirmed[id] || sending[id] {
			continue
		}
		sending[id] = true
		s.ok(s.sender.Publish(context.Background(), simQueue, []byte(id), func(err error) {
			delete(sending, id)
			if err == nil {
				s.confirmed[id] = true
			} else {
				s.unconfirmed++
			}
		}))
	}
}

func (s *simulation) trouble() {
	switch s.rng.IntN(60) {
	case 0:
		s.server.Crash()
	case 1:
		s.sender.Cut()
	case 2:
		s.receiver.Cut()
	case 3:
		s.sender.Kill()
		s.startSender()
	case 4:
		s.receiver.Kill()
		s.startReceiver()
	}
}

// TestNothingConfirmedIsLost runs simulations and checks that each ends with empty queues,
// and that faults of every kind occurred over all of them.
func TestNothingConfirmedIsLost(t *testing.T) {
	var duplicates, stale, unconfirmed, late int
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		s := simulate(t, seed)
		if ready, held, ok := s.server.Depth(simQueue); ready+held > 0 || !ok {
			t.Errorf("seed %d: %d messages wait and %d are held at the end", seed, ready, held)
		}
		duplicates += s.duplicates
		stale += s.stale
		unconfirmed += s.unconfirmed
		late += s.lateAfterAck
	}
	t.Logf("%d duplicates, %d of them acknowledged before; %d stale acknowledgements, %d unconfirmed publishes",
		duplicates, late, stale, unconfirmed)
	for what, n := range map[string]int{
		"duplicates": duplicates, "acknowledged messages that came back": late,
		"stale acknowledgements": stale, "unconfirmed publishes": unconfirmed,
	} {
		if n < 100 {
			t.Errorf("only %d %s", n, what)
		}
	}
}

func TestSameSeedSameRun(t *testing.T) {
	for seed := range uint64(20) {
		a, b := simulate(t, seed), simulate(t, seed)
		if !slices.Equal(a.trace, b.trace) {
			t.Errorf("seed %d: two runs differ", seed)
		}
		if other := simulate(t, seed+1); slices.Equal(a.trace, other.trace) {
			t.Errorf("seeds %d and %d: the same run", seed, seed+1)
		}
	}
}
