package ledger

import (
	"fmt"
	"iter"
	"math"

	"analyzer/shuffle/envelope"
)

// Open is the End of a Gap whose sender has not said how many messages there are.
const Open = math.MaxUint64

// Gap is a range of ids that have not come: from First up to, but not including, End.
type Gap struct {
	Sender     envelope.Sender
	First, End uint64
}

// String returns "scan2: 4 to 9", "stage1.0: 4", or "scan2: 12 and on, no end".
func (g Gap) String() string {
	switch g.End {
	case Open:
		return fmt.Sprintf("%s: %d and on, no end", g.Sender, g.First)
	case g.First + 1:
		return fmt.Sprintf("%s: %d", g.Sender, g.First)
	}
	return fmt.Sprintf("%s: %d to %d", g.Sender, g.First, g.End-1)
}

// Missing returns the ids that a port waits for, as at most limit gaps, by sender and then
// by id. With a positive limit it is empty exactly when the port is complete.
func (l *Ledger) Missing(port, limit int) []Gap {
	var gaps []Gap
	for i, from := range l.ports[port].Senders {
		for first, end := range l.ports[port].streams[i].missing() {
			if len(gaps) >= limit {
				return gaps
			}
			gaps = append(gaps, Gap{Sender: from, First: first, End: end})
		}
	}
	return gaps
}

// missing yields the ranges of ids that were not seen.
func (s *stream) missing() iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) {
		next := uint64(0)
		for first, end := range s.seen.Ranges() {
			if uint64(first) > next && !yield(next, uint64(first)) {
				return
			}
			next = end
		}
		switch {
		case !s.ended:
			yield(next, Open)
		case next < s.n:
			yield(next, s.n)
		}
	}
}

// Stats summarizes the progress of a port.
type Stats struct {
	Senders int    // expected ones
	Ended   int    // senders that have said how many messages they send
	Known   uint64 // messages of those senders, all together
}

// Stats returns the progress of a port.
func (l *Ledger) Stats(port int) Stats {
	p := &l.ports[port]
	stats := Stats{Senders: len(p.Senders)}
	for i := range p.streams {
		s := &p.streams[i]
		if s.ended {
			stats.Ended++
			stats.Known += s.n
		}
	}
	return stats
}
