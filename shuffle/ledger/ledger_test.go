package ledger

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"analyzer/shuffle/envelope"
)

func TestAPortIsCompleteWithExactlyItsMessages(t *testing.T) {
	l := newLedger(t, ports)
	for _, id := range []uint64{4, 0, 2, 1} {
		record(t, l, 0, scan, id)
		if l.Complete(0) {
			t.Fatalf("complete without id 3 and an end, after %d", id)
		}
	}
	end(t, l, 0, scan, 5)
	if l.Complete(0) {
		t.Error("complete without id 3")
	}
	if fresh, err := l.Record(0, scan, 4); fresh || err != nil {
		t.Errorf("id 4 again: fresh %t, %v", fresh, err)
	}
	if l.Complete(0) {
		t.Error("a repeated message stands for a missing one")
	}
	record(t, l, 0, scan, 3)
	if !l.Complete(0) || l.Complete(1) {
		t.Errorf("port 0 complete: %t, port 1: %t", l.Complete(0), l.Complete(1))
	}
}

func TestEverySenderMustEnd(t *testing.T) {
	l := newLedger(t, ports)
	end(t, l, 1, right, 0)
	if l.Complete(1) {
		t.Error("complete without the end of one sender")
	}
	end(t, l, 1, left, 1)
	if l.Complete(1) {
		t.Error("complete without a message")
	}
	record(t, l, 1, left, 0)
	if !l.Complete(1) {
		t.Error("not complete")
	}
	if fresh, err := l.End(1, left, 1); fresh || err != nil {
		t.Errorf("the same end again: fresh %t, %v", fresh, err)
	}
}

func TestWhatCannotBeIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*Ledger) (bool, error)
		want error
	}{
		"id at the end":        {func(l *Ledger) (bool, error) { return l.Record(0, scan, 10) }, ErrContradiction},
		"id beyond the end":    {func(l *Ledger) (bool, error) { return l.Record(0, scan, 1<<20) }, ErrContradiction},
		"huge id":              {func(l *Ledger) (bool, error) { return l.Record(1, left, MaxMessages) }, ErrContradiction},
		"id over 32 bits":      {func(l *Ledger) (bool, error) { return l.Record(1, left, 1<<32+7) }, ErrContradiction},
		"a later end":          {func(l *Ledger) (bool, error) { return l.End(0, scan, 11) }, ErrContradiction},
		"an earlier end":       {func(l *Ledger) (bool, error) { return l.End(0, scan, 9) }, ErrContradiction},
		"an end before an id":  {func(l *Ledger) (bool, error) { return l.End(1, left, 7) }, ErrContradiction},
		"an end before all":    {func(l *Ledger) (bool, error) { return l.End(1, left, 0) }, ErrContradiction},
		"a huge end":           {func(l *Ledger) (bool, error) { return l.End(1, right, MaxMessages+1) }, ErrContradiction},
		"another port's":       {func(l *Ledger) (bool, error) { return l.Record(0, left, 0) }, ErrUnknown},
		"another replica's":    {func(l *Ledger) (bool, error) { return l.End(1, envelope.StageSender(1, 2), 0) }, ErrUnknown},
		"a port there is not":  {func(l *Ledger) (bool, error) { return l.Record(2, left, 0) }, ErrUnknown},
		"a port below the 0th": {func(l *Ledger) (bool, error) { return l.End(-1, left, 0) }, ErrUnknown},
	} {
		l := newLedger(t, ports)
		record(t, l, 0, scan, 1, 3)
		end(t, l, 0, scan, 10)
		record(t, l, 1, left, 7)
		before := marshal(t, l)
		fresh, err := c.do(l)
		if fresh || !errors.Is(err, c.want) {
			t.Errorf("%s: fresh %t, %v", name, fresh, err)
		}
		if marshal(t, l) != before {
			t.Errorf("%s: it left a trace", name)
		}
	}
}

// The largest allowed values.
func TestTheLastMessage(t *testing.T) {
	l := newLedger(t, ports)
	record(t, l, 0, scan, MaxMessages-1)
	end(t, l, 0, scan, MaxMessages)
	want := []Gap{{Sender: scan, First: 0, End: MaxMessages - 1}}
	if got := l.Missing(0, 5); !slices.Equal(got, want) {
		t.Errorf("missing %v", got)
	}
	read := newLedger(t, ports)
	if err := read.UnmarshalBinary([]byte(marshal(t, l))); err != nil {
		t.Error(err)
	}
}

func TestPortsThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		ports []Port
		want  string
	}{
		"no senders":     {[]Port{{Node: 1}}, "nobody sends to node 1 input 0"},
		"a port twice":   {[]Port{ports[0], ports[1], ports[0]}, "node 3 input 0 occurs twice"},
		"a sender twice": {[]Port{{Node: 1, Input: 2, Senders: []envelope.Sender{left, right, left}}}, "stage1.0 sends twice to node 1 input 2"},
	} {
		if l, err := New(c.ports); l != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := newLedger(t, nil)
	if err := l.UnmarshalBinary([]byte(marshal(t, l))); err != nil {
		t.Errorf("no ports: %v", err)
	}
}

// The ledger keeps no slice of its maker.
func TestPortsAreCopied(t *testing.T) {
	senders := []envelope.Sender{left, right}
	l := newLedger(t, []Port{{Node: 1, Senders: senders}})
	senders[0] = scan
	if got := l.Missing(0, 1); got[0].Sender != left {
		t.Errorf("missing %v", got)
	}
}

// Reading the bytes of the last commit forgets everything recorded since.
func TestACommitThatFailed(t *testing.T) {
	l := newLedger(t, ports)
	record(t, l, 0, scan, 0, 2)
	end(t, l, 1, left, 3)
	before := marshal(t, l)
	record(t, l, 0, scan, 1, 3, 70_000)
	end(t, l, 0, scan, 70_001)
	record(t, l, 1, left, 2)
	if err := l.UnmarshalBinary([]byte(before)); err != nil {
		t.Fatal(err)
	}
	if got := marshal(t, l); got != before {
		t.Errorf("%x after it was read, %x before", got, before)
	}
	record(t, l, 0, scan, 1)
	end(t, l, 0, scan, 3)
	if !l.Complete(0) {
		t.Error("it is not complete")
	}
}

func TestWhatIsMissing(t *testing.T) {
	l := newLedger(t, ports)
	record(t, l, 1, left, 0, 1, 3, 7, 8)
	record(t, l, 1, right, 1)
	end(t, l, 1, right, 5)
	all := []Gap{
		{Sender: left, First: 2, End: 3},
		{Sender: left, First: 4, End: 7},
		{Sender: left, First: 9, End: Open},
		{Sender: right, First: 0, End: 1},
		{Sender: right, First: 2, End: 5},
	}
	for limit := range 7 {
		if got := l.Missing(1, limit); !slices.Equal(got, all[:min(limit, len(all))]) {
			t.Errorf("%d of what is missing: %v", limit, got)
		}
	}
	for i, want := range []string{"stage1.0: 2", "stage1.0: 4 to 6", "stage1.0: 9 and on, no end"} {
		if got := all[i].String(); got != want {
			t.Errorf("gap %d: %q, want %q", i, got, want)
		}
	}
	if got, want := l.Stats(1), (Stats{Senders: 2, Ended: 1, Known: 5}); got != want {
		t.Errorf("stats %+v", got)
	}
	record(t, l, 1, right, 0, 4, 2, 3)
	end(t, l, 1, left, 9)
	record(t, l, 1, left, 2, 4, 5, 6)
	if got := l.Missing(1, 9); len(got) > 0 || !l.Complete(1) {
		t.Errorf("missing %v", got)
	}
}

// Ten million messages, of which every hundredth comes after all others, take little room
// at any time, and are complete with the last one.
func TestTenMillionMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes two seconds")
	}
	const n, late = 10_000_000, 100
	l := newLedger(t, ports)
	take := func(lates bool) {
		for i := range uint64(n) {
			id := i ^ 7 // nearly in order
			if (id%late == 0) != lates {
				continue
			}
			if fresh, err := l.Record(0, scan, id); err != nil || !fresh {
				t.Fatalf("id %d: fresh %t, %v", id, fresh, err)
			}
		}
	}
	take(false)
	end(t, l, 0, scan, n)
	if size, gaps := len(marshal(t, l)), len(l.Missing(0, n)); size > n/8+n/64 || gaps != n/late {
		t.Errorf("%d bytes, %d gaps", size, gaps)
	}
	take(true)
	if size := len(marshal(t, l)); size > 32 || !l.Complete(0) {
		t.Errorf("%d bytes; complete: %t", size, l.Complete(0))
	}
}
