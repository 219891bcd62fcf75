package ledger

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// stream is what the ledger knows of one sender's messages to one port.
type stream struct {
	seen  *roaring.Bitmap
	count uint64 // of ids in seen
	ended bool
	n     uint64 // how many ids there are, once ended
}

func newStreams(n int) []stream {
	s := make([]stream, n)
	for i := range s {
		s[i].seen = roaring.New()
	}
	return s
}

func (s *stream) add(id uint64) (fresh bool, err error) {
	if id >= MaxMessages {
		return false, fmt.Errorf("%w: id %d, there may be %d", ErrContradiction, id, MaxMessages)
	}
	if s.ended && id >= s.n {
		return false, fmt.Errorf("%w: id %d, the sender has sent %d", ErrContradiction, id, s.n)
	}
	if s.seen.Contains(uint32(id)) {
		return false, nil
	}
	s.seen.Add(uint32(id))
	s.count++
	return true, nil
}

func (s *stream) finish(n uint64) (fresh bool, err error) {
	if s.ended && n != s.n {
		return false, fmt.Errorf("%w: %d messages, the sender has said %d before", ErrContradiction, n, s.n)
	}
	if n > MaxMessages {
		return false, fmt.Errorf("%w: %d messages, there may be %d", ErrContradiction, n, MaxMessages)
	}
	if s.bound() > n {
		return false, fmt.Errorf("%w: %d messages, id %d was seen", ErrContradiction, n, s.bound()-1)
	}
	fresh = !s.ended
	s.ended, s.n = true, n
	return fresh, nil
}

// bound is one more than the largest id that was seen.
func (s *stream) bound() uint64 {
	if s.count == 0 {
		return 0
	}
	return uint64(s.seen.Maximum()) + 1
}

// complete reports whether all messages were seen. It relies on add and finish: neither
// lets an id at or beyond the end in.
func (s *stream) complete() bool { return s.ended && s.count == s.n }

// gaps reports whether an id is missing below one that was seen.
func (s *stream) gaps() bool { return s.bound() != s.count }
