package datasets

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/datasets/generate"
	"analyzer/operators/plan"
)

// Dataset is everything the program knows about one data set. It is read only.
type Dataset struct {
	Name      string            // as on the command line
	Title     string            // for people
	Tables    []*columnar.Table // in the order they are best read
	Queries   []*plan.Query     // in the order they are answered
	Samples   fs.FS             // files under their usual names
	Published Published         // what is known of the full files
	// Generate writes synthetic files under their usual names.
	Generate func(context.Context, generate.Options) error
}

// TableMap returns the tables by name.
func (d *Dataset) TableMap() plan.Tables {
	m := make(plan.Tables, len(d.Tables))
	for _, t := range d.Tables {
		m[t.Name] = t
	}
	return m
}

// Table returns the named table, or an error that lists the tables there are.
func (d *Dataset) Table(name string) (*columnar.Table, error) {
	var known []string
	for _, t := range d.Tables {
		if t.Name == name {
			return t, nil
		}
		known = append(known, t.Name)
	}
	return nil, fmt.Errorf("%s has no table %q; there are %s", d.Name, name, strings.Join(known, ", "))
}

// Select returns the named queries in the data set's order, all for no names.
func (d *Dataset) Select(names ...string) ([]*plan.Query, error) {
	if len(names) == 0 {
		return d.Queries, nil
	}
	var out []*plan.Query
	var known []string
	for _, q := range d.Queries {
		known = append(known, q.Name)
		if slices.Contains(names, q.Name) {
			out = append(out, q)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s has no query %q; there are %s", d.Name, name, strings.Join(known, ", "))
		}
	}
	return out, nil
}
