package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// sortedItems are items in order, of which any can be removed again: blocks of some hundred, none
// of them empty. To add or remove an item moves the items of one block; to pick one passes over
// whole blocks.
type sortedItems struct {
	mem    *memory
	blocks [][]int64
	len    int64
}

// blockItems is the room of a block.
const blockItems = 512

// add adds items.
func (s *sortedItems) add(items []int64) {
	for _, item := range items {
		i := s.blockOf(item)
		if i == len(s.blocks) {
			s.insert(i)
		}
		if len(s.blocks[i]) == blockItems {
			i = s.split(i, item)
		}
		at, _ := slices.BinarySearch(s.blocks[i], item)
		s.blocks[i] = slices.Insert(s.blocks[i], at, item)
	}
	s.len += int64(len(items))
}

// blockOf returns the block that has an item, or would have it: the first whose last item is not
// less, or else the last one. It is 0 if there are no blocks.
func (s *sortedItems) blockOf(item int64) int {
	i, _ := slices.BinarySearchFunc(s.blocks, item, func(block []int64, item int64) int {
		if block[len(block)-1] < item {
			return -1
		}
		return 1
	})
	return max(0, min(i, len(s.blocks)-1))
}

// insert makes room for a block at a place.
func (s *sortedItems) insert(at int) {
	s.mem.claim(8 * blockItems)
	s.blocks = slices.Insert(s.blocks, at, make([]int64, 0, blockItems))
}

// split moves the upper half of a full block to a new one, and returns which of them has room for
// an item.
func (s *sortedItems) split(i int, item int64) int {
	s.insert(i + 1)
	from := s.blocks[i]
	s.blocks[i+1] = append(s.blocks[i+1], from[blockItems/2:]...)
	s.blocks[i] = from[:blockItems/2]
	if item > s.blocks[i+1][0] {
		return i + 1
	}
	return i
}

// remove removes items. It reports false if one of them is not there.
func (s *sortedItems) remove(items []int64) bool {
	for _, item := range items {
		i := s.blockOf(item)
		if i == len(s.blocks) {
			return false
		}
		at, ok := slices.BinarySearch(s.blocks[i], item)
		if !ok {
			return false
		}
		if s.blocks[i] = slices.Delete(s.blocks[i], at, at+1); len(s.blocks[i]) == 0 {
			s.mem.unclaim(8 * blockItems)
			s.blocks = slices.Delete(s.blocks, i, i+1)
		}
		s.len--
	}
	return true
}

// pick appends the result of a picker: null if there are no items.
func (s *sortedItems) pick(p picker, out *columnar.Vector) {
	if s.len == 0 {
		out.AppendNull()
		return
	}
	p.begin(s.len)
	for _, block := range s.blocks {
		p.take(block)
	}
	p.append(out)
}

func (s *sortedItems) reset() {
	s.mem.unclaim(8 * blockItems * int64(len(s.blocks)))
	s.blocks, s.len = nil, 0
}
