package scan

import (
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
)

// DefaultSamples is how many rejected rows per reason and column Stats shows by default.
const DefaultSamples = 5

// Options configure a scan. The zero value means the defaults and no limits.
type Options struct {
	CSV csv.Options
	// Parts is in how many parts a block is read if its format allows that, each of which is a chunk, so that whoever
	// wants large blocks need not read more at a time than a processor's cache holds. It divides CSV.BlockSize; 0: one.
	Parts int
	// LimitRejects ends the scan with ErrTooManyRejects at the first rejected
	// row beyond MaxRejects. Blank lines do not count.
	LimitRejects bool
	MaxRejects   int64
	// Samples is how many rejected rows per reason and column Stats shows; 0 is the
	// default, a negative number means none.
	Samples int
	// OnReject, if set, is called for every rejected row except blank lines, in the
	// order of the file and never concurrently. Its error ends the scan.
	OnReject func(Reject) error
	// Duplicates are the rows whose key an earlier row of the file has. A table with a
	// key cannot be read without them.
	Duplicates *Duplicates
	// Watch, if set, is called once per worker. The function that it returns gets every
	// block that the worker reads, before the worker checks it.
	Watch func() func(input.Block)
	// Sought are rows that should come first, if blocks may come in any order.
	Sought input.Sought
	// Watched are the names of the columns that Watch looks at.
	Watched []string
}

func (o Options) withDefaults() Options {
	if o.Samples == 0 {
		o.Samples = DefaultSamples
	}
	o.Parts = max(o.Parts, 1)
	return o
}
