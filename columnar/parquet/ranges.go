package parquet

import (
	"slices"

	"analyzer/columnar/input"
)

// ranges says between which blocks the file can be cut: those of two row groups.
func (f *File) ranges() input.Ranges {
	begins := make([]int64, len(f.groups))
	for i, g := range f.groups {
		begins[i] = g.block
	}
	return input.Between(f.blocks, begins)
}

// cut has workers get the blocks from first on that are before end, 0 for the end of the file. It returns false
// if a row group has blocks on both sides.
func (f *File) cut(first, end int64) bool {
	f.order = slices.DeleteFunc(f.order, func(g int) bool {
		return f.groups[g].block < first || end > 0 && f.groups[g].block >= end
	})
	return f.ranges().Has(first, end)
}
