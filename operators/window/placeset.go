package window

import "math/bits"

// placeSet is a set of places, numbers from 1 on that are dense in the end. It takes a bit for each place up to the
// greatest, and counts its bits by blocks, by blocks of blocks and so on: to add, to remove, to count those before a place
// and to pick one takes a few steps for any number of places.
type placeSet struct {
	words  []uint64
	counts [][]int32 // of places by blocks of the level below, the first of words; the last has one block of counts
	len    int64
	high   int // words from here on are empty
}

const (
	blockShift = 5
	blockMask  = 1<<blockShift - 1
)

// grow makes room for a place. It returns how many bytes the set takes then, or 0 if it does not grow.
func (s *placeSet) grow(place int64) (bytes int64) {
	if place <= int64(len(s.words))*64 {
		return 0
	}
	words := max(int(place+63)/64, 2*len(s.words), 1<<blockShift)
	s.words = append(s.words, make([]uint64, words-len(s.words))...)
	bytes = int64(8 * words)
	for level, below := 0, words; below > 1<<blockShift; level++ {
		n := (below + blockMask) >> blockShift
		if level == len(s.counts) {
			s.counts = append(s.counts, nil)
		}
		old := len(s.counts[level])
		s.counts[level] = append(s.counts[level], make([]int32, n-old)...)
		for i := range s.counts[level][old:] {
			s.counts[level][old+i] = s.sum(level, (old+i)<<blockShift, min((old+i+1)<<blockShift, below))
		}
		bytes += 4 * int64(n)
		below = n
	}
	return bytes
}

// sum returns how many places there are in blocks of the level below a level.
func (s *placeSet) sum(level, from, to int) (n int32) {
	if level == 0 {
		for _, w := range s.words[from:to] {
			n += int32(bits.OnesCount64(w))
		}
		return n
	}
	for _, c := range s.counts[level-1][from:to] {
		n += c
	}
	return n
}

// add adds a place that is not there; there must be room for it.
func (s *placeSet) add(place int64) { s.change(place, 1) }

// remove removes a place that is there.
func (s *placeSet) remove(place int64) { s.change(place, -1) }

func (s *placeSet) change(place int64, by int32) {
	at := int(place-1) >> 6
	s.high = max(s.high, at+1)
	s.words[at] ^= 1 << (uint(place-1) & 63)
	for level := range s.counts {
		at >>= blockShift
		s.counts[level][at] += by
	}
	s.len += int64(by)
}

// before returns how many places are less than one.
func (s *placeSet) before(place int64) int64 {
	at := int(place-1) >> 6
	if at >= len(s.words) {
		return s.len
	}
	n := int64(bits.OnesCount64(s.words[at] & (1<<(uint(place-1)&63) - 1)))
	for level := 0; level <= len(s.counts); level++ {
		n += int64(s.sum(level, at&^blockMask, at))
		at >>= blockShift
	}
	return n
}

// pick returns the n-th place, from 0 on, which there must be.
func (s *placeSet) pick(n int64) int64 {
	at, left := 0, int32(n)
	for level := len(s.counts) - 1; level >= 0; level-- {
		for left >= s.counts[level][at] {
			left -= s.counts[level][at]
			at++
		}
		at <<= blockShift
	}
	for ; left >= int32(bits.OnesCount64(s.words[at])); at++ {
		left -= int32(bits.OnesCount64(s.words[at]))
	}
	w := s.words[at]
	for ; left > 0; left-- {
		w &= w - 1
	}
	return int64(at)<<6 + int64(bits.TrailingZeros64(w)) + 1
}

// reset removes all places. It takes as long as up to the greatest that was there.
func (s *placeSet) reset() {
	high := s.high
	clear(s.words[:high])
	for _, c := range s.counts {
		high = (high + blockMask) >> blockShift
		clear(c[:high])
	}
	s.len, s.high = 0, 0
}

func (s *placeSet) free() { s.words, s.counts, s.len, s.high = nil, nil, 0, 0 }
