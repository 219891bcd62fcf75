package parquet

import (
	"slices"

	"analyzer/columnar/input"
)

// ranges says between which blocks the file can be cut: those of two row groups.
func (f *File) ranges() input.Ranges {
	r := input.Ranges{Blocks: f.blocks}
	for _, g := range f.groups {
		if g.block > 0 && g.block < f.blocks {
			r.Ends = append(r.Ends, g.block)
		}
	}
	r.Ends = slices.Compact(append(r.Ends, f.blocks))
	return r
}

// cut has workers get the blocks from first on that are before end, 0 for the end of the file. It returns false
// if a row group has blocks on both sides.
func (f *File) cut(first, end int64) bool {
	if end == 0 {
		end = f.blocks
	}
	f.order = slices.DeleteFunc(f.order, func(g int) bool { return f.groups[g].block < first || f.groups[g].block >= end })
	at := f.ranges()
	return (first == 0 || at.End(first) == first) && at.End(end) == end
}
