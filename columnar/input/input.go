// Package input is the contract between the formats of files that hold tables and those who read
// them. A format is a value, a Format; package known lists them all. A new format is a package
// that makes such a value, and a line in that list.
//
// The rows of a table come in one of two forms. Where the file says what type a column has, they
// come as vectors (VectorReader). Otherwise they come as cells (CellReader): texts, which whoever
// scans the table checks and converts, and whose types depend on all of them.
package input

import (
	"context"
	"iter"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// Format is a kind of file that holds a table.
type Format struct {
	Name       string   // for people, such as Parquet
	Extensions []string // of its files, apart from those of compressed files; the usual one first
	Calls      []string // the functions in FROM that read its files, the usual one first
	// Options are the options that the functions take, of those of read_csv. Detected are others
	// whose values the file says anyway.
	Options, Detected []string
	// Text means that a file of the format can also be read as CSV, if somebody asks for that.
	Text bool
	// Parts means that blocks may be read in parts, since a row is of the block in which it begins: see scan.Options.
	Parts bool
	// Written is how the text is written that the files contain, whatever it is; nil: that is
	// found out.
	Written *columnar.Dialect
	// Is reports whether a file with this beginning has the format. For the beginning of such a
	// beginning it is true. It is nil for the format of all files that have no other one.
	Is func(stored.Head) bool
	// Describe returns the columns of a file; nil: only guessing finds them out. It reads no more
	// than the beginning and samples, unless it is asked for the whole.
	Describe func(ctx context.Context, open func() (vfs.File, error), a Asked) (*Description, error)
	// Open opens a file for a scan of the table, and returns a CellReader or a VectorReader. Its
	// errors about the file are *csv.InputError. The caller keeps f and closes it after the Reader.
	Open func(ctx context.Context, f vfs.File, t *columnar.Table, o Options) (Reader, error)
	// Ranges says where a file can be cut into ranges of blocks, for Readers that are Ranged; nil: nowhere.
	Ranges func(ctx context.Context, f vfs.File, t *columnar.Table, blockSize int) (Ranges, error)
}

// Asked is what a description is to be of.
type Asked struct {
	Whole bool // all columns that any record has
	Texts bool // bytes that the file does not mark as texts are texts
}

// Options say how a file is read. The Dialect is that of the table.
type Options struct {
	csv.Options
	// Wanted are the names, in the table, of the columns that are read; nil: all. Cells of others
	// need not be right.
	Wanted []string
}

// Description is what a file says about itself.
type Description struct {
	File    string // its name
	Columns []Column
	Notes   []string // what a person should know
	Rows    int64    // how many rows the file has; 0: unknown
	Bytes   int64    // and how many bytes, if the rows are known
	// Samples are blocks from which the types are guessed that the cells decide. The cells of
	// each have the order of Columns.
	Samples []Block
}

// Column is a column of a file.
type Column struct {
	Name   string        // in the file
	Header string        // by which a table refers to it; "": Name
	Cells  bool          // its cells decide which type it has
	Type   columnar.Type // otherwise; columnar.Invalid: it cannot be read
	In     string        // the type in the file, for display
}

// Reader is an open file.
type Reader interface {
	// Columns returns the columns of the file, in their order there.
	Columns() []Column
	// Progress returns how much has been read. It may be called at any time.
	Progress() csv.Progress
	// Close ends the use of the file without closing it.
	Close() error
}

// CellReader is an open file whose rows come as cells.
type CellReader interface {
	Reader
	// NewWorker returns a worker for one goroutine.
	NewWorker() CellWorker
}

// Streamed is implemented by readers of files of which only one worker at a time reads, such as
// compressed ones.
type Streamed interface {
	// Free reports whether a worker need not wait for another to get a block.
	Free() bool
}

// Successor is implemented by workers that can take over the memory of one of another file, which is
// not used any more.
type Successor interface{ Succeed(before CellWorker) }

// CellWorker is a block of the file, and goes on to the next that no other worker has taken.
// What a block returns is valid until then.
type CellWorker interface {
	Block
	// Next returns io.EOF at the end, a *csv.InputError if the content of the file is at fault,
	// and otherwise the error of reading or of the context. After an error other than io.EOF,
	// Index is the block that failed; blocks after that one cannot be read.
	Next(ctx context.Context) error
}

// Block is some consecutive records with their cells. A *csv.Block is one; its methods say more.
type Block interface {
	Index() int64
	Len() int
	Blank() int
	Fields(r int) int
	Uniform(n int) bool
	Unclosed() bool
	Quoting() csv.Quoting
	Cell(r, c int) []byte
	Alike(r int) int
	Parts(records []int32) iter.Seq2[int, []int32]
	Column(dst *csv.Column, c int, records []int32)
	Values(dst *csv.Column, c int, records []int32)
	Record(r int) []byte
	Line(r int) int64
	Offset(r int) int64
	End() int64
	Data() []byte
}

// Growing is implemented by blocks of formats in which any record may have a column that no record
// before it had.
type Growing interface {
	// More reports whether a record of the block has a column that the scanned table has not.
	More() bool
}

// Doubtful is implemented by blocks of formats in which quotes may stand where they mean something
// else than their writer meant.
type Doubtful interface {
	// Doubts returns the records of the block in which text follows a closing quote.
	Doubts() []int
	// Mended returns the records that have a quote which is not closed.
	Mended() []int
	// Repeats returns the records that repeat the header, and so are no rows.
	Repeats() []int
}

// VectorReader is an open file whose rows come as vectors.
type VectorReader interface {
	Reader
	// Bytes estimates how many bytes the first rows take in the file.
	Bytes(rows int64) int64
	// NewWorker returns a worker for one goroutine.
	NewWorker() VectorWorker
}

// Sought is a column of a table by whose values rows are sought: the least ones or, descending, the greatest ones.
type Sought struct {
	Column                 string // "": rows are not sought so
	Descending, NullsFirst bool
}

// Seeker is implemented by readers that know where in a file such rows are.
type Seeker interface {
	// Seek has workers get blocks first in which rows that are sought by a column of the file may be. It is called before
	// there are workers.
	Seek(column int, by Sought)
}

// VectorWorker reads blocks of rows, one at a time.
type VectorWorker interface {
	// Next advances to a block that no other worker has taken. It returns io.EOF at the end.
	Next() error
	Index() int64 // number of the block, from 0
	First() int64 // number of the block's first row, from 0
	Len() int     // how many rows the block has
	// Column returns a column of all rows of the block. It belongs to the worker and is valid
	// until Next.
	Column(i int) (*columnar.Vector, error)
}

// CodedWorker is implemented by workers of formats that may store which values a column has apart from
// which row has which.
type CodedWorker interface {
	// Coded returns the values that a column of the block may have, and the place among them of the
	// value of each row; nil if they are not stored so. The values are the same for all blocks that
	// get the same vector; they are read only, and may be kept. The places are valid until Next.
	Coded(i int) (values *columnar.Vector, places []int32, err error)
	// Values returns values such that Coded, if it returns some, returns the same at the same places, without finding
	// the places; nil if they are not known. A null that no row has may follow them.
	Values(i int) (*columnar.Vector, error)
}

// BoundedWorker is implemented by workers of formats that may say something of the values of a column.
type BoundedWorker interface {
	// Bounds returns what is known of a column in rows among which are those of the block. If closer, these rows
	// are fewer, and more may have to be read to know it.
	Bounds(i int, closer bool) Bounds
}

// Bounds are what is known of the values of a column in some rows.
type Bounds struct {
	// Least is a vector of one value, and none in the rows is less; Greatest is one that none is greater than. nil:
	// unknown. Nulls have no bounds.
	Least, Greatest  *columnar.Vector
	Exact            bool // they are values of some rows
	NoNulls, AllNull bool // no row, every row is null
}
