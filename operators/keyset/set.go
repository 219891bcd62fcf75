package keyset

import "slices"

// Set is a set of key hashes that does not change. It is safe for concurrent use.
//
// The upper bits of a hash choose its slot. Rows that were routed together have equal hashes
// modulo the number of receivers, but their upper bits are still evenly distributed.
type Set struct {
	table table
	keys  int
	// A bit for each hash. It rules out most hashes that are not in the set without a branch
	// that the processor could mispredict.
	filter []uint64
	shift  uint8 // of a hash, to its word of the filter
	seen   seen  // by selectors
}

// filterBits is the number of filter bits per slot of the table. With two slots per key, at
// most one in sixteen of the hashes that are not in the set passes the filter.
const filterBits = 8

func newSet(t table, keys int) *Set {
	words := len(t.slots) * filterBits / 64
	s := &Set{table: t, keys: keys, filter: make([]uint64, words), shift: t.shift + 3}
	for _, h := range t.slots {
		if h != 0 {
			s.filter[h>>s.shift] |= bit(h)
		}
	}
	s.filter[0] |= bit(0) // for zero, which no slot holds, see table
	return s
}

// bit returns the bit of a hash within its word.
func bit(h uint64) uint64 { return 1 << (h >> 16 & 63) }

// Len returns the number of distinct hashes in the set, not counting zero.
func (s *Set) Len() int { return s.keys }

// Select appends to dst the positions, ascending, of the hashes that may be in the set, and
// returns it. These are all hashes in the set, and perhaps zero, which is the hash of no known
// key.
func (s *Set) Select(hashes []uint64, dst []int32) []int32 {
	before := len(dst)
	dst = s.pass(hashes, dst)
	return s.verify(hashes, dst, before)
}

// pass appends the positions of the hashes whose filter bits are set.
func (s *Set) pass(hashes []uint64, dst []int32) []int32 {
	n := len(dst)
	dst = slices.Grow(dst, len(hashes))[:n+len(hashes)]
	filter, shift := s.filter, s.shift&63
	mask := uint64(len(filter) - 1)
	for i, h := range hashes {
		dst[n] = int32(i)
		n += int(filter[h>>shift&mask] >> (h >> 16 & 63) & 1)
	}
	return dst[:n]
}

// verify keeps those positions, from dst[from] on, whose hashes are in the table.
func (s *Set) verify(hashes []uint64, dst []int32, from int) []int32 {
	slots, shift := s.table.slots, s.table.shift&63
	mask := uint64(len(slots) - 1)
	n := from
	for _, i := range dst[from:] {
		h := hashes[i]
		at := h >> shift
		v := slots[at&mask]
		for v != h && v != 0 {
			at++
			v = slots[at&mask]
		}
		dst[n] = i
		if v == h {
			n++
		}
	}
	return dst[:n]
}
