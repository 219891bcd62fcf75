package generate

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// Options says how much to generate, from which seed, and where the files go.
type Options struct {
	// Scale is the number of rows of every table relative to the published
	// files: 1 gives 45,466 films, 0.01 gives 455. Every table has at least
	// a few hundred rows, so that each fault occurs. Required; at most 1000.
	Scale float64
	// Seed chooses the data. The same scale and seed give the same bytes on any
	// machine with any number of cores.
	Seed uint64
	// Create opens a file of the given name, such as "ratings.csv", for
	// writing. It is called once for each table, one after the other; the
	// generator closes each file, also after an error. Required.
	Create func(name string) (io.WriteCloser, error)
	// Progress, if set, is called with the number of bytes written so far to all files,
	// and an estimate of the final number. It is called by one goroutine at a time.
	Progress func(bytes, all int64)
	// Workers is the number of goroutines that make rows; 0 means GOMAXPROCS.
	Workers int
}

func (o Options) validate() error {
	var errs []error
	if !(o.Scale > 0) || o.Scale > 1000 {
		errs = append(errs, fmt.Errorf("scale %v is not between 0 and 1000", o.Scale))
	}
	if o.Create == nil {
		errs = append(errs, errors.New("no Create function"))
	}
	if o.Workers < 0 {
		errs = append(errs, fmt.Errorf("%d workers", o.Workers))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	return nil
}

// rows scales the row count of a published file; the result is at least least.
func (o Options) rows(published, least int) int {
	return max(least, int(math.Round(float64(published)*o.Scale)))
}
