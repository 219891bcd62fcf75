package ledger

import (
	"math/rand/v2"
	"testing"

	"analyzer/shuffle/envelope"
)

// Two ports, of a scan's batches and of two replicas' pages.
var (
	scan  = envelope.ScanSender(0, 0)
	left  = envelope.StageSender(1, 0)
	right = envelope.StageSender(1, 1)
	ports = []Port{
		{Node: 3, Input: 0, Senders: []envelope.Sender{scan}},
		{Node: 3, Input: 1, Senders: []envelope.Sender{left, right}},
	}
)

func newLedger(t testing.TB, ports []Port) *Ledger {
	t.Helper()
	l, err := New(ports)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func marshal(t testing.TB, l books) string {
	t.Helper()
	data, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// record records ids that must all be fresh.
func record(t testing.TB, l *Ledger, port int, from envelope.Sender, ids ...uint64) {
	t.Helper()
	for _, id := range ids {
		if fresh, err := l.Record(port, from, id); err != nil || !fresh {
			t.Fatalf("id %d of %s: fresh %t, %v", id, from, fresh, err)
		}
	}
}

func end(t testing.TB, l *Ledger, port int, from envelope.Sender, n uint64) {
	t.Helper()
	if fresh, err := l.End(port, from, n); err != nil || !fresh {
		t.Fatalf("end %d of %s: fresh %t, %v", n, from, fresh, err)
	}
}

func shuffled(rng *rand.Rand, n int) []uint64 {
	ids := make([]uint64, n)
	for i, id := range rng.Perm(n) {
		ids[i] = uint64(id)
	}
	return ids
}
