package keyset

import (
	"slices"
	"sync"
	"sync/atomic"

	"analyzer/columnar"
)

// Selector selects rows whose key hashes are in a Set. If the key is one whole number, neither
// negative nor large, the set remembers the result for all its selectors: among millions of ratings, each
// film is hashed and looked up about once. A selector has one user at a time.
type Selector struct {
	set    *Set
	hashes []uint64
	pause  int // how many batches are still hashed as a whole, because numbers hardly repeat

	// Memory to look up one number.
	one  columnar.Vector
	hash [1]uint64
	hit  []int32
}

const (
	// If more than one in rowsPerNew rows has a new number, looking numbers up one by one costs
	// more than hashing all rows, and the selector pauses, but learns from what it hashes.
	rowsPerNew = 8
	pauseAfter = 3
)

// NewSelector returns a selector of the rows whose key hashes are in a set.
func NewSelector(s *Set) *Selector {
	return &Selector{set: s, one: columnar.Vector{Type: columnar.Int, Len: 1, Ints: make([]int64, 1)}}
}

// Select appends to dst the positions that Set.Select returns for the rows' hashes.
func (s *Selector) Select(keys []*columnar.Vector, rows int, dst []int32) []int32 {
	numbers := len(keys) == 1 && keys[0].Type.Kind() == columnar.KindInt64 && keys[0].Valid == nil
	if numbers {
		if s.pause == 0 {
			if out, ok := s.selectSeen(keys[0].Ints[:rows], dst); ok {
				return out
			}
			s.pause = pauseAfter
		}
		s.pause--
	}
	s.hashes = columnar.HashRows(s.hashes, keys, rows)
	before := len(dst)
	if dst = s.set.Select(s.hashes, dst); numbers {
		s.set.seen.learn(keys[0].Ints[:rows], dst[before:])
	}
	return dst
}

// selectSeen is Select by what the set remembers. It returns false if too many numbers are new.
func (s *Selector) selectSeen(ints []int64, dst []int32) ([]int32, bool) {
	at, credit := len(dst), len(ints)/rowsPerNew+1
	dst = slices.Grow(dst, len(ints))[:at+len(ints)]
	words := s.set.seen.load()
	for i, v := range ints {
		state := uint64(0)
		if word := uint64(v) / seenInWord; word < uint64(len(words)) {
			state = words[word].Load() >> (uint64(v) % seenInWord * 2)
		}
		if state&1 == 0 {
			if credit--; credit < 0 {
				return nil, false
			}
			state = s.lookUp(v)
			words = s.set.seen.load()
		}
		dst[at] = int32(i)
		at += int(state >> 1 & 1)
	}
	return dst[:at], true
}

// lookUp returns the two bits of a number, and has the set remember them.
func (s *Selector) lookUp(v int64) uint64 {
	s.one.Ints[0] = v
	columnar.HashRows(s.hash[:], []*columnar.Vector{&s.one}, 1)
	s.hit = s.set.Select(s.hash[:], s.hit[:0])
	state := uint64(1 + 2*len(s.hit))
	s.set.seen.add(v, state)
	return state
}

// seen has two bits for each number: whether it was looked up, and above that whether its rows are
// selected. It may be used concurrently.
type seen struct {
	grow  sync.Mutex
	words atomic.Pointer[[]atomic.Uint64]
}

const (
	seenInWord = 64 / 2
	// maxSeen is the most numbers that are remembered, in half a MiB.
	maxSeen = 1 << 21
)

func (s *seen) load() []atomic.Uint64 {
	if words := s.words.Load(); words != nil {
		return *words
	}
	return nil
}

// add remembers the bits of a number, unless it is too large. What others add meanwhile may get lost.
func (s *seen) add(v int64, state uint64) {
	if uint64(v) >= maxSeen {
		return
	}
	word := int(v / seenInWord)
	words := s.load()
	if word >= len(words) {
		words = s.reach(word)
	}
	words[word].Or(state << (v % seenInWord * 2))
}

// learn remembers the bits of all numbers of which some rows are selected, so that there are soon few new ones.
func (s *seen) learn(ints []int64, selected []int32) {
	words := s.load()
	for i, v := range ints {
		state := uint64(1)
		if len(selected) > 0 && int(selected[0]) == i {
			state, selected = 3, selected[1:]
		}
		word := uint64(v) / seenInWord
		if word >= uint64(len(words)) {
			if uint64(v) >= maxSeen {
				continue
			}
			words = s.reach(int(word))
		}
		if shift := uint64(v) % seenInWord * 2; words[word].Load()>>shift&1 == 0 {
			words[word].Or(state << shift)
		}
	}
}

// reach makes room for a word.
func (s *seen) reach(word int) []atomic.Uint64 {
	s.grow.Lock()
	defer s.grow.Unlock()
	old := s.load()
	if word < len(old) {
		return old
	}
	words := make([]atomic.Uint64, min(max(word+1, 2*len(old)), maxSeen/seenInWord))
	for i := range old {
		words[i].Store(old[i].Load())
	}
	s.words.Store(&words)
	return words
}
