package membroker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// settle lets all happen that can.
func settle(s *membroker.Server) {
	for s.Step() {
	}
}

// connected returns a client and the results of what it publishes with put.
func connected(t *testing.T, s *membroker.Server, queue string) (c *membroker.Client, put func(body string), results *[]error) {
	t.Helper()
	c = s.Connect(nil)
	must(t, c.Declare(context.Background(), broker.Queue{Name: queue}))
	results = new([]error)
	return c, func(body string) {
		t.Helper()
		must(t, c.Publish(context.Background(), queue, []byte(body), func(err error) { *results = append(*results, err) }))
	}, results
}

func TestNothingHappensWithoutAStep(t *testing.T) {
	s := membroker.New(membroker.Config{})
	c, put, results := connected(t, s, "q")
	came := 0
	_, err := c.Consume(context.Background(), "q", 1, func(broker.Delivery) { came++ })
	must(t, err)
	put("a")
	if len(*results) > 0 || came > 0 {
		t.Error("something happened")
	}
	settle(s)
	if len(*results) != 1 || came != 1 {
		t.Errorf("%d results and %d deliveries, want 1 and 1", len(*results), came)
	}
}

// Of what is on its way when a connection is cut, over some seeds, each fate is
// seen: lost, kept, kept but late.
func TestFatesOfACutPublish(t *testing.T) {
	lost, kept, late := 0, 0, 0
	for seed := range uint64(200) {
		s := membroker.New(membroker.Config{Seed: seed})
		c, put, results := connected(t, s, "q")
		put("a")
		c.Cut()
		now, _, _ := s.Depth("q")
		settle(s)
		then, _, _ := s.Depth("q")
		switch {
		case now == 1:
			kept++
		case then == 1:
			late++
		default:
			lost++
		}
		if len(*results) != 1 || !errors.Is((*results)[0], broker.ErrUnconfirmed) {
			t.Fatalf("seed %d: results %v, want one that is unconfirmed", seed, *results)
		}
	}
	t.Logf("lost %d, kept %d, late %d", lost, kept, late)
	if min(lost, kept, late) < 10 {
		t.Errorf("lost %d, kept %d, late %d: want some of each", lost, kept, late)
	}
}

// A killed client hears nothing any more, but what it had sent may arrive.
func TestKill(t *testing.T) {
	arrived := 0
	for seed := range uint64(50) {
		s := membroker.New(membroker.Config{Seed: seed})
		c, put, results := connected(t, s, "q")
		sub, err := c.Consume(context.Background(), "q", 1, func(broker.Delivery) { t.Error("a killed client handles a delivery") })
		must(t, err)
		put("a")
		c.Kill()
		settle(s)
		if len(*results) > 0 {
			t.Errorf("a killed client hears of %v", *results)
		}
		if _, held, _ := s.Depth("q"); held > 0 {
			t.Error("a killed client holds a message")
		}
		if !errors.Is(sub.Err(), broker.ErrClosed) || !errors.Is(c.Ready(context.Background()), broker.ErrClosed) {
			t.Error("a killed client lives")
		}
		ready, _, _ := s.Depth("q")
		arrived += ready
	}
	if arrived == 0 || arrived == 50 {
		t.Errorf("what a killed client had sent arrived %d times of 50, want some", arrived)
	}
}

// The connection of a killed client may linger: it holds what it was given, and what
// the client had sent arrives, until the server notices, or is told.
func TestLinger(t *testing.T) {
	held, arrived := 0, 0
	for seed := range uint64(50) {
		s := membroker.New(membroker.Config{Seed: seed, Linger: 1})
		c, put, results := connected(t, s, "q")
		put("a")
		settle(s)
		_, err := c.Consume(context.Background(), "q", 2, func(broker.Delivery) {})
		must(t, err)
		put("b")
		c.Kill()
		heir, _, _ := connected(t, s, "q")
		var got []string
		_, err = heir.Consume(context.Background(), "q", 2, func(d broker.Delivery) { got = append(got, string(d.Body)) })
		must(t, err)
		for s.Step() {
			if _, n, _ := s.Depth("q"); n > len(got) {
				held++
			}
		}
		if len(*results) != 1 || !slices.Contains(got, "a") {
			t.Fatalf("seed %d: the client heard %v, its heir got %q", seed, *results, got)
		}
		if slices.Contains(got, "b") {
			arrived++
		}
	}
	if held == 0 || arrived == 0 || arrived == 50 {
		t.Errorf("%d times a connection held something that nobody heard of; %d of 50 publishes arrived, want some", held, arrived)
	}
}

// A queue that is lost is gone for all who use it.
func TestLose(t *testing.T) {
	s := membroker.New(membroker.Config{})
	c, put, results := connected(t, s, "q")
	sub, err := c.Consume(context.Background(), "q", 1, func(broker.Delivery) {})
	must(t, err)
	s.Lose("q")
	s.Lose("another")
	put("a")
	settle(s)
	if !errors.Is(sub.Err(), broker.ErrNoQueue) || len(*results) != 1 || !errors.Is((*results)[0], broker.ErrNoQueue) {
		t.Errorf("the subscription ended with %v, a publish with %v", sub.Err(), *results)
	}
}

// A crash keeps what was confirmed, and what else is up to the odds.
func TestCrashOdds(t *testing.T) {
	for _, odds := range []float64{0, 1} {
		s := membroker.New(membroker.Config{Seed: 1, KeepUnconfirmed: odds, ReturnAcked: odds})
		c, put, results := connected(t, s, "q")
		for i := range 10 {
			put(fmt.Sprint(i))
		}
		settle(s)
		for _, err := range *results {
			must(t, err)
		}
		sub, err := c.Consume(context.Background(), "q", 3, func(d broker.Delivery) {
			if d.Body[0] < '4' {
				must(t, d.Ack())
			}
		})
		must(t, err)
		settle(s) // 0 to 3 are acknowledged, 4 to 6 held
		sub.Cancel()
		s.Crash()
		settle(s)
		want := 6 + int(odds)*4
		if ready, _, _ := s.Depth("q"); ready != want {
			t.Errorf("odds %v: %d messages after a crash, want %d", odds, ready, want)
		}
	}
}

// A message that was kept, but whose confirm has not come, is lost in a crash if
// the odds say so, even when it was delivered.
func TestCrashLosesUnconfirmed(t *testing.T) {
	seen := make(map[int]bool)
	for seed := range uint64(100) {
		s := membroker.New(membroker.Config{Seed: seed})
		c, put, results := connected(t, s, "q")
		_, err := c.Consume(context.Background(), "q", 1, func(broker.Delivery) {})
		must(t, err)
		put("a")
		for range 2 {
			s.Step()
		}
		confirmed := len(*results) == 1
		s.Crash()
		ready, _, _ := s.Depth("q")
		if confirmed != (ready == 1) {
			t.Fatalf("seed %d: confirmed %v, %d messages after a crash", seed, confirmed, ready)
		}
		seen[ready] = true
	}
	if len(seen) != 2 {
		t.Errorf("seen %v, want confirmed and unconfirmed messages", seen)
	}
}

func TestDisorder(t *testing.T) {
	for _, disorder := range []float64{0, 1} {
		s := membroker.New(membroker.Config{Seed: 5, Disorder: disorder})
		c, put, _ := connected(t, s, "q")
		for i := range 20 {
			put(string(rune('a' + i)))
		}
		settle(s)
		var order []string
		_, err := c.Consume(context.Background(), "q", 1, func(d broker.Delivery) {
			order = append(order, string(d.Body))
			must(t, d.Ack())
		})
		must(t, err)
		settle(s)
		if got := slices.IsSorted(order); got != (disorder == 0) || len(order) != 20 {
			t.Errorf("disorder %v: order %v", disorder, order)
		}
	}
}

// What a handler does with its delivery is its own affair.
func TestBodiesAreCopies(t *testing.T) {
	s := membroker.New(membroker.Config{})
	c, put, _ := connected(t, s, "q")
	put("body")
	var bodies []string
	_, err := c.Consume(context.Background(), "q", 1, func(d broker.Delivery) {
		bodies = append(bodies, string(d.Body))
		d.Body[0] = 'X'
		if len(bodies) < 3 {
			must(t, d.Requeue())
		} else {
			must(t, d.Ack())
		}
	})
	must(t, err)
	settle(s)
	if !slices.Equal(bodies, []string{"body", "body", "body"}) {
		t.Errorf("bodies %q", bodies)
	}
}
