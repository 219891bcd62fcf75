package keyset

import (
	"slices"

	"analyzer/columnar"
)

// Selector selects rows by their keys, of which a Set knows the hashes. Of a key that
// is one whole number, neither negative nor large, it remembers what came of it: of
// millions of ratings each film is hashed and looked up once. It has one user at a time.
type Selector struct {
	set    *Set
	hashes []uint64
	// Two bits for each number: whether it was looked up, and above that whether its
	// rows are selected.
	seen  []uint64
	pause int // batches that are hashed at once, since numbers hardly come again

	// To look up one number.
	one  columnar.Vector
	hash [1]uint64
	hit  []int32
}

const (
	seenInWord = 64 / 2
	// maxSeen is how many numbers are remembered at most, in half a MiB.
	maxSeen = 1 << 21
	// Where more than one of so many rows has a number that is new, it costs more to
	// look them up one by one than to hash all, and a pause is made.
	rowsPerNew = 8
	pauseAfter = 3
)

// NewSelector returns a selector of the rows whose key hashes are in a set.
func NewSelector(s *Set) *Selector {
	return &Selector{set: s, one: columnar.Vector{Type: columnar.Int, Len: 1, Ints: make([]int64, 1)}}
}

// Select appends to dst the positions that Set.Select does of the rows' hashes.
func (s *Selector) Select(keys []*columnar.Vector, rows int, dst []int32) []int32 {
	if len(keys) == 1 && keys[0].Type.Kind() == columnar.KindInt64 && keys[0].Valid == nil {
		if s.pause == 0 {
			if out, ok := s.selectSeen(keys[0].Ints[:rows], dst); ok {
				return out
			}
			s.pause = pauseAfter
		}
		s.pause--
	}
	s.hashes = columnar.HashRows(s.hashes, keys, rows)
	return s.set.Select(s.hashes, dst)
}

// selectSeen is Select by numbers; false if too many of them are new.
func (s *Selector) selectSeen(ints []int64, dst []int32) ([]int32, bool) {
	at, credit := len(dst), len(ints)/rowsPerNew+1
	dst = slices.Grow(dst, len(ints))[:at+len(ints)]
	seen := s.seen
	for i, v := range ints {
		state := uint64(0)
		if word := uint64(v) / seenInWord; word < uint64(len(seen)) {
			state = seen[word] >> (uint64(v) % seenInWord * 2)
		}
		if state&1 == 0 {
			if credit--; credit < 0 {
				return nil, false
			}
			state = s.lookUp(v)
			seen = s.seen
		}
		dst[at] = int32(i)
		at += int(state >> 1 & 1)
	}
	return dst[:at], true
}

// lookUp returns the bits of a number, and remembers them if it is not too large.
func (s *Selector) lookUp(v int64) uint64 {
	s.one.Ints[0] = v
	columnar.HashRows(s.hash[:], []*columnar.Vector{&s.one}, 1)
	s.hit = s.set.Select(s.hash[:], s.hit[:0])
	state := uint64(1 + 2*len(s.hit))
	if uint64(v) < maxSeen {
		word := int(v / seenInWord)
		if word >= len(s.seen) {
			s.seen = append(s.seen, make([]uint64, max(word+1, 2*len(s.seen))-len(s.seen))...)
		}
		s.seen[word] |= state << (v % seenInWord * 2)
	}
	return state
}
