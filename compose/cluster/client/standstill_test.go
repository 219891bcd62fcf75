package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
)

// A broker that loses a message which it has confirmed, of a table or of a stage, does
// not have clients wait for ever: they say what is waited for.
func TestAMessageThatTheBrokerLoses(t *testing.T) {
	const patience = 600 * time.Millisecond
	c := startCluster(t, 1)
	cl, err := New(Config{Gateways: c.all(), Token: annToken, Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cl.Close() })
	d := dataset(t, "movies")
	for _, sender := range []string{"scan", "stage"} {
		t.Run(sender, func(t *testing.T) {
			j, err := cl.Open(t.Context(), request(d))
			if err != nil {
				t.Fatal(err)
			}
			var lost atomic.Bool
			forget := func(body []byte) bool {
				return comesFrom(j, body, sender) && lost.CompareAndSwap(false, true)
			}
			c.forgets.Store(&forget)
			defer c.forgets.Store(nil)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err = j.Run(ctx, upload(d), Fetch{}, discard{})
			if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), sender) {
				t.Errorf("lost %t: %v", lost.Load(), err)
			}
			if sender == "stage" {
				if err := j.Fetch(ctx, Fetch{}, discard{}); !errors.Is(err, ErrLost) {
					t.Errorf("somebody who comes for the answers: %v", err)
				}
			}
			if err := cl.End(ctx, j.Spec.ID, "cancelled"); err != nil {
				t.Error(err)
			}
		})
	}
}

// comesFrom reports whether a scan or a stage of a job has sent a message, or the first
// of some that were joined.
func comesFrom(j *Job, body []byte, sender string) bool {
	message, _ := envelope.Cut(body)
	e, _, err := envelope.Decode(message)
	return err == nil && e.Job == j.Spec.ID && strings.HasPrefix(e.Sender.String(), sender)
}

func TestWhatWaitsForOthersIsNotSaid(t *testing.T) {
	never, begun, gap := "port 5.0: stage1.0: 0 and on, no end", "port 3.0: scan0: 10 and on, no end", "port 2.0: scan1: 4 to 9"
	if got := worst([]string{never, begun, never, gap}); !slices.Equal(got, []string{begun, gap}) {
		t.Errorf("%q", got)
	}
	if got := worst([]string{never}); !slices.Equal(got, []string{never}) {
		t.Errorf("%q", got)
	}
}

// A job stands still when nothing happens though all answer, and only then.
func TestStandstill(t *testing.T) {
	waits := func(change func(*protocol.Status)) *protocol.Status {
		s := &protocol.Status{
			Waiting: []string{"port 1.0: scan0: 3"},
			Stages:  []protocol.Stage{{Batches: 7, Phases: map[protocol.Phase]int{protocol.Receiving: 1, protocol.Emitted: 1}}},
		}
		change(s)
		return s
	}
	none := func(*protocol.Status) {}
	for name, c := range map[string]struct {
		at    int // the fourth of so many looks
		other func(*protocol.Status)
		lost  bool
	}{
		"nothing happens":  {-1, none, true},
		"a worker is away": {3, func(s *protocol.Status) { s.Silent = []int{1} }, false},
		"a batch comes":    {3, func(s *protocol.Status) { s.Stages[0].Batches++ }, false},
		"an end comes":     {3, func(s *protocol.Status) { s.Waiting = []string{"port 1.0: scan0: 4"} }, false},
		"one computes":     {3, func(s *protocol.Status) { s.Stages[0].Phases[protocol.Computing] = 1 }, false},
		"one sends":        {3, func(s *protocol.Status) { s.Stages[0].Phases[protocol.Emitting] = 1 }, false},
		"none waits":       {3, func(s *protocol.Status) { s.Waiting = nil }, false},
	} {
		var still standstill
		var err error
		for i := range 6 {
			s := waits(none)
			if i >= c.at && c.at >= 0 {
				s = waits(c.other)
			}
			if e := still.after(time.Second, 4*time.Second-1, s); e != nil {
				err = e
			}
		}
		if errors.Is(err, ErrLost) != c.lost {
			t.Errorf("%s: %v", name, err)
		}
	}
}
