package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/shuffle/envelope"
)

// naive is a ledger of one port in its simplest form, and its history.
type naive struct {
	seen map[envelope.Sender]map[uint64]bool
	ends map[envelope.Sender]uint64
}

func newNaive() *naive {
	return &naive{seen: map[envelope.Sender]map[uint64]bool{left: {}, right: {}}, ends: map[envelope.Sender]uint64{}}
}

func (n *naive) clone() *naive {
	c := newNaive()
	for from, ids := range n.seen {
		for id := range ids {
			c.seen[from][id] = true
		}
	}
	for from, end := range n.ends {
		c.ends[from] = end
	}
	return c
}

func (n *naive) record(from envelope.Sender, id uint64) (fresh, fault bool) {
	if end, ok := n.ends[from]; ok && id >= end {
		return false, true
	}
	fresh = !n.seen[from][id]
	n.seen[from][id] = true
	return fresh, false
}

func (n *naive) end(from envelope.Sender, count uint64) (fresh, fault bool) {
	if end, ok := n.ends[from]; ok {
		return false, end != count
	}
	for id := range n.seen[from] {
		if id >= count {
			return false, true
		}
	}
	n.ends[from] = count
	return true, false
}

// missing returns every unseen id below the ends, or below the largest seen id, and the
// senders without an end.
func (n *naive) missing() []string {
	var all []string
	for _, from := range []envelope.Sender{left, right} {
		bound, ended := n.ends[from]
		if !ended {
			for id := range n.seen[from] {
				bound = max(bound, id+1)
			}
		}
		for id := range bound {
			if !n.seen[from][id] {
				all = append(all, fmt.Sprint(from, id))
			}
		}
		if !ended {
			all = append(all, fmt.Sprint(from, bound, "open"))
		}
	}
	return all
}

func flat(gaps []Gap) []string {
	var all []string
	for _, g := range gaps {
		if g.End == Open {
			all = append(all, fmt.Sprint(g.Sender, g.First, "open"))
			continue
		}
		for id := g.First; id < g.End; id++ {
			all = append(all, fmt.Sprint(g.Sender, id))
		}
	}
	return all
}

// Whatever comes, in any order and any number of times, the ledger agrees with plain sets.
func TestTheLedgerAgreesWithPlainSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, err := New([]Port{{Node: 1, Senders: []envelope.Sender{left, right}}})
		if err != nil {
			t.Fatal(err)
		}
		now, committed := newNaive(), newNaive()
		data, _ := l.MarshalBinary()
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			from := rapid.SampledFrom([]envelope.Sender{left, right}).Draw(t, "from")
			n := rapid.Uint64Range(0, 9).Draw(t, "n")
			var fresh, wantFresh, wantFault bool
			err = nil
			switch rapid.SampledFrom([]string{"id", "id", "id", "id", "id", "id", "end", "commit", "forget"}).Draw(t, "do") {
			case "id":
				fresh, err = l.Record(0, from, n)
				wantFresh, wantFault = now.record(from, n)
			case "end":
				fresh, err = l.End(0, from, n)
				wantFresh, wantFault = now.end(from, n)
			case "commit":
				data, _ = l.MarshalBinary()
				committed = now.clone()
			case "forget":
				if err := l.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
				now = committed.clone()
			}
			if fresh != wantFresh || (err != nil) != wantFault {
				t.Fatalf("fresh %t, %v; want fresh %t, fault %t", fresh, err, wantFresh, wantFault)
			}
			missing := now.missing()
			if got := flat(l.Missing(0, 100)); !slices.Equal(got, missing) {
				t.Fatalf("missing %v, want %v", got, missing)
			}
			if l.Complete(0) != (len(missing) == 0) {
				t.Fatalf("complete: %t, missing %v", l.Complete(0), missing)
			}
		}
	})
}

// Ids are many, so that bitmaps have containers of every kind, and the history
// leads through others than the last: equal sets have equal bytes.
func TestEqualLedgersHaveEqualBytes(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		kept := keep(rng, shuffled(rng, 1+rng.IntN(150_000)))
		slices.Sort(kept)
		plain := newLedger(t, ports)
		record(t, plain, 0, scan, kept...)
		want := marshal(t, plain)

		detour := newLedger(t, ports)
		for _, i := range rng.Perm(len(kept)) {
			record(t, detour, 0, scan, kept[i])
			if rng.IntN(len(kept)) < 4 {
				marshal(t, detour)
			}
			if rng.IntN(len(kept)) < 4 {
				before := marshal(t, detour)
				for range 5000 {
					if _, err := detour.Record(0, scan, rng.Uint64N(300_000)); err != nil {
						t.Fatal(err)
					}
				}
				if err := detour.UnmarshalBinary([]byte(before)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := marshal(t, detour); got != want {
			t.Fatalf("seed %d: %d bytes after a detour, %d without, of %d ids", seed, len(got), len(want), len(kept))
		}
		read := newLedger(t, ports)
		if err := read.UnmarshalBinary([]byte(want)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := marshal(t, read); got != want || read.Stats(0) != plain.Stats(0) {
			t.Fatalf("seed %d: read %+v, wrote %+v", seed, read.Stats(0), plain.Stats(0))
		}
		if limit := len(kept)/8 + 8*4 + 64 + 2<<13; len(want) > limit {
			t.Errorf("seed %d: %d bytes for %d ids", seed, len(want), len(kept))
		}
	}
}

// keep returns some of ids: all, most, half, few, or whole ranges.
func keep(rng *rand.Rand, ids []uint64) []uint64 {
	shape := rng.IntN(5)
	width := uint64(1 + rng.IntN(5000))
	return slices.DeleteFunc(ids, func(id uint64) bool {
		switch shape {
		case 0:
			return false
		case 1:
			return rng.IntN(100) == 0
		case 2:
			return id%2 == 0
		case 3:
			return rng.IntN(100) > 0
		}
		return id/width%2 == 0
	})
}
