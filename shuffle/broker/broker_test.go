package broker_test

import (
	"errors"
	"strings"
	"testing"

	"analyzer/shuffle/broker"
)

func TestQueueValidate(t *testing.T) {
	for _, c := range []struct {
		queue broker.Queue
		want  []string // in the error; none: it is valid
	}{
		{broker.Queue{Name: "q"}, nil},
		{broker.Queue{Name: strings.Repeat("q", 255), Kind: broker.Quorum, SingleActive: true}, nil},
		{broker.Queue{Name: "q", Exclusive: true}, nil},
		{broker.Queue{}, []string{"name must have 1 to 255 bytes"}},
		{broker.Queue{Name: strings.Repeat("q", 256)}, []string{"name must have 1 to 255 bytes"}},
		{broker.Queue{Name: "q", Kind: 9}, []string{`queue "q"`, "unknown kind 9"}},
		{broker.Queue{Name: "q", Kind: broker.Quorum, Exclusive: true}, []string{"must be classic"}},
	} {
		err := c.queue.Validate()
		if (err == nil) != (len(c.want) == 0) {
			t.Errorf("%+v: error %v, want %q", c.queue, err, c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%+v: error %v, want %q in it", c.queue, err, w)
			}
		}
	}
}

func TestParseKind(t *testing.T) {
	for _, k := range []broker.Kind{broker.Classic, broker.Quorum} {
		if got, err := broker.ParseKind(k.String()); got != k || err != nil {
			t.Errorf("ParseKind(%q) = %v, %v", k.String(), got, err)
		}
	}
	if _, err := broker.ParseKind("stream"); err == nil || !strings.Contains(err.Error(), `"stream": want classic or quorum`) {
		t.Errorf("ParseKind of another kind: %v", err)
	}
}

func TestZeroDelivery(t *testing.T) {
	if err := (broker.Delivery{}).Requeue(); !errors.Is(err, broker.ErrStale) {
		t.Errorf("give nothing back: %v", err)
	}
}

func TestStateString(t *testing.T) {
	for s, want := range map[broker.State]string{
		broker.Away: "away", broker.Connected: "connected", broker.NoMemory: "blocked: memory alarm", broker.NoDisk: "blocked: disk alarm", 7: "unknown",
	} {
		if s.String() != want {
			t.Errorf("state %d is %q, want %q", s, s, want)
		}
	}
}
