package client

import (
	"errors"
	"testing"
	"time"

	"analyzer/compose/cluster/protocol"
)

// While the broker is blocked, only uploads wait. Whoever looks at jobs, opens or ends one,
// or fetches answers of others, is told soon.
func TestABlockedBrokerAndPatience(t *testing.T) {
	const patience = 500 * time.Millisecond
	c := startCluster(t, 1)
	cl, err := New(Config{Gateways: c.all(), Token: annToken, Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cl.Close() })
	d := dataset(t, "movies")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Run(t.Context(), upload(d), Fetch{}, discard{}); err != nil {
		t.Fatal(err)
	}
	c.broker.Block(true)
	t.Cleanup(func() { c.broker.Block(false) })
	answer := j.Spec.Plan.Answers[0]
	for name, call := range map[string]func() error{
		"list":   func() error { _, err := cl.List(t.Context()); return err },
		"status": func() error { _, err := cl.Status(t.Context(), j.Spec.ID); return err },
		"open":   func() error { _, err := cl.Open(t.Context(), request(d)); return err },
		"end":    func() error { return cl.End(t.Context(), j.Spec.ID, "cancelled") },
		"fetch":  func() error { return j.Fetch(t.Context(), Fetch{}, discard{}) },
		"page": func() error {
			return j.fetch(t.Context(), protocol.Ticket{Job: j.Spec.ID, Query: answer.Query}, j.Spec.Plan.Nodes[answer.Node].Schema, discard{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			err := call()
			if !errors.Is(err, ErrStuck) || protocol.CodeOf(err) != protocol.Busy {
				t.Errorf("it says: %v", err)
			}
			if took := time.Since(began); took > leastPatience+openingEnd {
				t.Errorf("that took %v", took)
			}
		})
	}
}

// Who only fetches the answers of a job is not taken for its client.
func TestAnOnlookerIsNotTheClient(t *testing.T) {
	c := startCluster(t, 1)
	cl := c.client(annToken, c.all()...)
	d := dataset(t, "movies")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Run(t.Context(), upload(d), Fetch{}, discard{}); err != nil {
		t.Fatal(err)
	}
	const while = 300 * time.Millisecond
	time.Sleep(while)
	for _, onlooker := range []bool{true, false} {
		began := time.Now()
		if err := j.Fetch(t.Context(), Fetch{Onlooker: onlooker}, discard{}); err != nil {
			t.Fatal(err)
		}
		s, err := cl.Status(t.Context(), j.Spec.ID)
		if err != nil {
			t.Fatal(err)
		}
		if onlooker && s.Idle < while || !onlooker && s.Idle > time.Since(began) {
			t.Errorf("onlooker %t: nothing has come from the client for %v", onlooker, s.Idle)
		}
	}
}
