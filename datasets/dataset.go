// Package datasets describes the data sets the program knows: their tables,
// their queries as plans, samples that travel inside the binary, generators and
// published answers. Each data set has a package of its own below this one.
package datasets

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/plan"
)

// Dataset is everything the program knows about one data set. It is read only.
type Dataset struct {
	Name    string            // as on the command line
	Title   string            // for people
	Tables  []*columnar.Table // in the order they are best read
	Queries []*plan.Query     // in the order they are answered
	Samples fs.FS             // files under their usual names
	Publish []PublishedAnswer // what is known of the full files' answers
	Gen     func(context.Context, GenerateOptions) error
}

// GenerateOptions says how much synthetic data to make and where to.
type GenerateOptions struct {
	Scale  float64 // 1 is the size of the real files
	Seed   uint64  // the same scale and seed give the same bytes
	Create func(name string) (io.WriteCloser, error)
	Wrote  func(bytes int64) // told of progress, may be nil; called from one goroutine at a time
}

// TableMap returns the tables by name.
func (d *Dataset) TableMap() plan.Tables {
	m := make(plan.Tables, len(d.Tables))
	for _, t := range d.Tables {
		m[t.Name] = t
	}
	return m
}

// Select returns the named queries in the data set's order, all for no names.
func (d *Dataset) Select(names ...string) ([]*plan.Query, error) {
	if len(names) == 0 {
		return d.Queries, nil
	}
	wanted := make(map[string]bool, len(names))
	for _, n := range names {
		wanted[n] = true
	}
	var out []*plan.Query
	var known []string
	for _, q := range d.Queries {
		known = append(known, q.Name)
		if wanted[q.Name] {
			out = append(out, q)
			delete(wanted, q.Name)
		}
	}
	for n := range wanted {
		return nil, fmt.Errorf("%s has no query %q; there are %s", d.Name, n, strings.Join(known, ", "))
	}
	return out, nil
}
