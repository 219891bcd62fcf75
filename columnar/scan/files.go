package scan

import (
	"context"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/vfs"
)

// Files are the files of a table, in the order of its rows.
type Files struct {
	Len int
	// Open opens file i, which All closes, and says how it is written. That description has
	// those columns of the table that the file has. Open may be called from any goroutine, and
	// is called at most once for each file of a reading.
	Open func(ctx context.Context, i int) (vfs.File, *columnar.Table, error)
	// Values returns one row with the values that the columns of the table have in all rows of
	// file i (columnar.TableColumn.OfFile), in their order. It may be nil if there are none.
	Values func(i int) columnar.Rows
	// First is the number of file 0 among those of the table; for a Slice.
	First int
}

// Slice returns n files from file first on, which keep their numbers.
func (f Files) Slice(first, n int) Files {
	slice := Files{
		Len: n, First: f.First + first,
		Open: func(ctx context.Context, i int) (vfs.File, *columnar.Table, error) { return f.Open(ctx, first+i) },
	}
	if f.Values != nil {
		slice.Values = func(i int) columnar.Rows { return f.Values(first + i) }
	}
	return slice
}

// AllOptions configure the reading of all files of a table.
type AllOptions struct {
	Options // of each file; OnReject is called in the order of the files, LimitRejects is about each
	// InTurn reads one file after the other, and numbers blocks without gaps. Otherwise files
	// are read side by side, so that those that only one core at a time can decompress keep
	// all of them busy; the blocks of each have numbers of their own.
	InTurn bool
	// Watches, if set, is Options.Watch for the blocks of file i.
	Watches func(i int) func(input.Block)
	// Skip reports whether no row of file i is wanted, which is not opened then. It may be nil.
	Skip func(i int) bool
	// Ended is called once for each file that was read to its end, or skipped, after its chunks
	// were used. It may be called by several goroutines at a time, and its error ends the
	// reading as one of that file. It may be nil.
	Ended func(f Ended) error
	// Spare is memory of earlier readings, and gets that of this one; it may be nil.
	Spare *Spare
}

// Ended says what was read of a file.
type Ended struct {
	File        int
	First, Next int64 // the number of its first block, and that of the first one of the next file
	Blocks      int64
	Parts       int         // of the last block, if there is one
	Stats       *Stats      // nil: it was skipped
	Passage     csv.Passage // of a file that can be read in ranges
}

// fileBlocks is how many numbers each file has for its blocks when files are read side by side.
const fileBlocks = 1 << 40
