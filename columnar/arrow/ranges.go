package arrow

import (
	"slices"

	"analyzer/columnar/input"
)

// ranges says between which blocks the file can be cut: those of two batches.
func (f *file) ranges() input.Ranges {
	begins := make([]int64, len(f.batches))
	for i, b := range f.batches {
		begins[i] = b.block
	}
	return input.Between(f.blocks, begins)
}

// cut has workers get the blocks from first on that are before end, 0 for the end of the file. It returns false
// if a batch has blocks on both sides.
func (f *file) cut(first, end int64) bool {
	at := f.ranges()
	f.batches = slices.DeleteFunc(f.batches, func(b batch) bool { return b.block < first || end > 0 && b.block >= end })
	return at.Has(first, end)
}
