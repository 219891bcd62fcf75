package keyset

// Set is an immutable set of key hashes. It is safe for concurrent use.
type Set struct {
	table table
	keys  int
}

// Len returns the number of different hashes in the set.
func (s *Set) Len() int { return s.keys }

// Select appends to dst the positions of the hashes that may be in the set,
// ascending, and returns it: all that are, and few others.
//
// The slot of a hash is its upper bits. Rows that were routed together agree in
// the hash modulo the number of receivers, which leaves the upper bits even.
func (s *Set) Select(hashes []uint64, dst []int32) []int32 {
	slots, shift := s.table.slots, s.table.shift
	mask := uint64(len(slots) - 1)
	if len(slots) == 0 {
		return dst
	}
	for i, h := range hashes {
		at := h >> (shift & 63)
		v := slots[at&mask]
		for v != h && v != 0 {
			at++
			v = slots[at&mask]
		}
		if v == h {
			dst = append(dst, int32(i))
		}
	}
	return dst
}
