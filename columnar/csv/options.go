package csv

import (
	"fmt"
	"io"

	"analyzer/columnar"
	"analyzer/columnar/stored"
)

// Defaults and bounds of Options.
const (
	// At this size a block, its field positions and the columns made of it fit a core's cache.
	DefaultBlockSize = 512 << 10
	DefaultMaxRecord = 16 << 20

	// A block and the bytes read after it must stay within a third of the range of
	// int32, so that positions fit, and also lengths of text in which every byte
	// was replaced by three.
	maxBlockSize = 128 << 20
	maxMaxRecord = 512 << 20
)

// Options configure how a file is read. The zero value means the defaults.
type Options struct {
	// BlockSize is the size of a block in decompressed bytes. It decides how
	// records fall into blocks, never which records there are.
	BlockSize int
	// Blocks is the number of the block to end before, as if the file ended after the last record
	// that begins before it (Progress.End); 0 reads all.
	Blocks int64
	// First is the number of the block to begin with, and Before the edge before that block, where the
	// Passage of the blocks before it ends. With Guess the reader guesses that edge, and counts lines
	// from it. A file that cannot be read anywhere begins with block 0.
	First  int64
	Before Edge
	Guess  bool
	// MaxRecord is the maximum length of a record in bytes, without its line end; a
	// longer one is an error.
	MaxRecord int
	// Dialect is how the file is written. In a file without a header, the first record
	// decides how many fields there are; they are named column0, column1 and so on.
	columnar.Dialect
	// Rewrite has a file with other quotes, escapes, comments or a longer delimiter rewritten in order, at the
	// speed of one core, so that blocks hold it with double quotes and without comments.
	Rewrite bool
	// SkipBlank makes blank lines that follow a record no records of their own: they are only
	// counted (Block.Blank). A block may still begin with one.
	SkipBlank bool

	syntax    syntax // of the bytes that a Reader sees
	rewritten bool   // a normalizer must rewrite the file
	portable  bool   // avoid processor-specific code, with which tests compare it
}

// asStored reports whether a Reader can read the bytes of a plain file unchanged.
func (o *Options) asStored() bool {
	return !o.rewritten && !o.LineQuotes && o.Widths == nil && o.Encoding == ""
}

// stored returns how the bytes of the named file are read.
func (o *Options) stored(name string) stored.Options {
	s := stored.Options{BlockSize: o.BlockSize, Blocks: o.Blocks, First: o.First, Encoding: o.Encoding, Sheet: o.Sheet}
	if o.rewritten || o.LineQuotes || o.Widths != nil {
		s.Rewrite = func(from io.Reader) io.Reader {
			if o.LineQuotes {
				from = &unwrapper{from: from}
			}
			if o.Widths != nil {
				from = newCutter(from, o)
			}
			if o.rewritten {
				from = newNormalizer(name, from, o)
			}
			return from
		}
	}
	return s
}

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
	if o.Blocks < 0 || o.First < 0 || o.Blocks > 0 && o.First > o.Blocks {
		return o, fmt.Errorf("csv blocks from %d to %d cannot be read", o.First, o.Blocks)
	}
	if o.MaxRecord < 1 || o.MaxRecord > maxMaxRecord {
		return o, fmt.Errorf("csv record limit %d is not between 1 and %d bytes", o.MaxRecord, maxMaxRecord)
	}
	return o, nil
}
