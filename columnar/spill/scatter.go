package spill

import (
	"slices"

	"analyzer/columnar"
)

// scatter sorts the positions of rows by partition, keeping their order.
type scatter struct {
	part  []uint16
	start []int32 // start of each partition in order
	order []int32
}

// split assigns each position 0…len(hashes)-1 to its partition.
func (s *scatter) split(hashes []uint64, seed uint64, partitions int) {
	n := len(hashes)
	s.part = slices.Grow(s.part[:0], n)[:n]
	s.order = slices.Grow(s.order[:0], n)[:n]
	s.start = slices.Grow(s.start[:0], partitions+1)[:partitions+1]
	clear(s.start)
	for i, h := range hashes {
		p := Partition(h, seed, partitions)
		s.part[i] = uint16(p)
		s.start[p+1]++
	}
	for p := range partitions {
		s.start[p+1] += s.start[p]
	}
	for i, p := range s.part {
		s.order[s.start[p]] = int32(i)
		s.start[p]++
	}
}

// of returns the positions of a partition, ascending.
func (s *scatter) of(p int) []int32 {
	lo := int32(0)
	if p > 0 {
		lo = s.start[p-1]
	}
	return s.order[lo:s.start[p]]
}

// Partition returns the partition of a key hash among a number of partitions.
func Partition(hash, seed uint64, partitions int) int {
	return int(columnar.Rehash(hash, seed) >> 32 * uint64(partitions) >> 32)
}
