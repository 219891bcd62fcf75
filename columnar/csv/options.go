package csv

import "fmt"

// Defaults and bounds of Options.
const (
	DefaultBlockSize = 1 << 20
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
	// Delimiter ends a field; 0 is the comma.
	Delimiter byte
	// NoHeader means that the first record is one of the table. It still says how
	// many fields there are; they are named column0, column1 and so on.
	NoHeader bool
	// Portable avoids processor-specific code, for comparison.
	Portable bool
}

func (o Options) withDefaults() (Options, error) {
	if o.BlockSize == 0 {
		o.BlockSize = DefaultBlockSize
	}
	if o.MaxRecord == 0 {
		o.MaxRecord = DefaultMaxRecord
	}
	if o.Delimiter == 0 {
		o.Delimiter = ','
	}
	if o.Delimiter == '"' || o.Delimiter == '\n' || o.Delimiter == '\r' || o.Delimiter >= 0x80 {
		return o, fmt.Errorf("the byte %q cannot end the fields of a csv file", o.Delimiter)
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
