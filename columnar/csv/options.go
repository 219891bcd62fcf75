package csv

import "fmt"

// Defaults and bounds of Options.
const (
	DefaultBlockSize = 1 << 20
	DefaultMaxRecord = 16 << 20

	maxBlockSize = 256 << 20
	maxMaxRecord = 1 << 30
)

// Options says how to read a file. The zero value means the defaults.
type Options struct {
	// BlockSize is the size of a block in decompressed bytes. It decides how
	// records fall into blocks, never which records there are.
	BlockSize int
	// MaxRecord is the length in bytes, without its line end, that a record may
	// have; a longer one is an error.
	MaxRecord int
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
	if o.BlockSize < 1 || o.BlockSize > maxBlockSize {
		return o, fmt.Errorf("csv block size %d is not between 1 and %d bytes", o.BlockSize, maxBlockSize)
	}
	if o.MaxRecord < 1 || o.MaxRecord > maxMaxRecord {
		return o, fmt.Errorf("csv record limit %d is not between 1 and %d bytes", o.MaxRecord, maxMaxRecord)
	}
	return o, nil
}
