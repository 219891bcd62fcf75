package scan

import "analyzer/columnar/csv"

// DefaultSamples is how many rejected rows of each reason and column Stats shows.
const DefaultSamples = 5

// Options says how to scan. The zero value means the defaults and no limits.
type Options struct {
	CSV csv.Options
	// LimitRejects ends the scan with ErrTooManyRejects at the first rejected
	// row beyond MaxRejects. Blank lines do not count.
	LimitRejects bool
	MaxRejects   int64
	// Samples is how many rejected rows of each reason and column Stats shows; 0 is the
	// default, a negative number none.
	Samples int
	// OnReject, if set, is called for every rejected row but blank lines, in
	// the order of the file and never twice at once. Its error ends the scan.
	OnReject func(Reject) error
	// Duplicates are the rows of a table with a key that earlier rows of the file have;
	// such a table is not read without them.
	Duplicates *Duplicates
	// Watch, if set, is called once by each worker for what is shown every block that
	// the worker reads, before anything else looks at it.
	Watch func() func(*csv.Block)
}

func (o Options) withDefaults() Options {
	if o.Samples == 0 {
		o.Samples = DefaultSamples
	}
	return o
}
