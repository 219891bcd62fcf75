package csv

import (
	"fmt"

	"analyzer/columnar"
)

// Defaults and bounds of Options.
const (
	// A block, where its fields begin and the columns made of them stay in a core's cache.
	DefaultBlockSize = 512 << 10
	DefaultMaxRecord = 16 << 20

	// A block and what is read behind it must stay within a third of the range
	// of int32, so that positions, and lengths of text with every byte replaced
	// by three, fit it.
	maxBlockSize = 128 << 20
	maxMaxRecord = 512 << 20
)

// Options says how to read a file. The zero value means the defaults.
type Options struct {
	// BlockSize is the size of a block in decompressed bytes. It decides how
	// records fall into blocks, never which records there are.
	BlockSize int
	// Blocks ends the reading before that block, as though the file ended behind the
	// last record that begins in one before it (Progress.End); 0 reads all.
	Blocks int64
	// MaxRecord is the length in bytes, without its line end, that a record may
	// have; a longer one is an error.
	MaxRecord int
	// Dialect is how the file is written. The first record of one without a header still
	// says how many fields there are; they are named column0, column1 and so on.
	columnar.Dialect
	// Portable avoids processor-specific code, for comparison.
	Portable bool

	delimiter byte // that ends a field of what a Reader reads
	rewritten bool // the file is of another dialect than a Reader's, but for its delimiter
}

// asStored reports whether a Reader reads the bytes of a plain file as they are.
func (o *Options) asStored() bool { return !o.rewritten && o.Encoding == "" }

func (o Options) withDefaults() (Options, error) {
	if o.BlockSize == 0 {
		o.BlockSize = DefaultBlockSize
	}
	if o.MaxRecord == 0 {
		o.MaxRecord = DefaultMaxRecord
	}
	if err := o.check(); err != nil {
		return o, err
	}
	if o.BlockSize < 1 || o.BlockSize > maxBlockSize {
		return o, fmt.Errorf("csv block size %d is not between 1 and %d bytes", o.BlockSize, maxBlockSize)
	}
	if o.Blocks < 0 {
		return o, fmt.Errorf("%d csv blocks cannot be read", o.Blocks)
	}
	if o.MaxRecord < 1 || o.MaxRecord > maxMaxRecord {
		return o, fmt.Errorf("csv record limit %d is not between 1 and %d bytes", o.MaxRecord, maxMaxRecord)
	}
	return o, nil
}
