package input

import (
	"slices"

	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// Ranges says where a file can be cut into ranges of blocks. The zero value is that of a file that is read as a whole.
type Ranges struct {
	Blocks int64   // of the file
	Ends   []int64 // the blocks before which ranges may end, in order: the last is Blocks; nil: any
}

// Anywhere returns the Ranges of a file that can be cut before any block.
func Anywhere(f vfs.File, blockSize int) (Ranges, error) {
	size, err := f.Size()
	return RangesOf(size, blockSize), err
}

// RangesOf returns those of a file of some bytes.
func RangesOf(size int64, blockSize int) Ranges {
	return Ranges{Blocks: (size + int64(blockSize) - 1) / int64(blockSize)}
}

// Between returns those of a file that can be cut only between its parts, which begin with these blocks, in order.
func Between(blocks int64, begins []int64) Ranges {
	ends := append(slices.DeleteFunc(begins, func(b int64) bool { return b <= 0 || b >= blocks }), blocks)
	return Ranges{Blocks: blocks, Ends: slices.Compact(ends)}
}

// Has reports whether there is a range of the blocks from first on that are before end. A file that is not cut has that from
// 0 to 0, as well as that to its end.
func (r Ranges) Has(first, end int64) bool {
	return (first == 0 || r.End(first) == first) && (end == 0 || r.End(end) == end)
}

// End returns the first block from one on before which a range may end.
func (r Ranges) End(from int64) int64 {
	if r.Ends == nil {
		return min(from, r.Blocks)
	}
	i, _ := slices.BinarySearch(r.Ends, from)
	return r.Ends[min(i, len(r.Ends)-1)]
}

// Ranged is implemented by readers of files that can be read in Ranges.
type Ranged interface {
	// Passage is csv.Reader.Passage.
	Passage() csv.Passage
}

// Apart is embedded in Readers of files whose parts do not depend on those before them, and whose rows are numbered in the file.
type Apart struct{}

// Passage implements Ranged.
func (Apart) Passage() csv.Passage {
	return csv.Passage{Before: csv.Edge{Line: 1}, After: csv.Edge{Line: 1}}
}
