// Package catalog lists the data sets the program knows. It is apart from
// package datasets, which the data sets import.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/datasets"
	"analyzer/datasets/books"
	"analyzer/datasets/movies"
	"analyzer/datasets/steam"
)

// makers make the data sets, each when it is asked for: every start of the
// program would wait for the plans and published answers of all.
func makers() []func() *datasets.Dataset {
	return []func() *datasets.Dataset{movies.New, steam.New, books.New}
}

// Names returns the names of all data sets, in the order in which they are
// presented.
func Names() []string { return []string{"movies", "steam", "books"} }

// All returns every data set, in the order of their names.
func All() []*datasets.Dataset {
	var all []*datasets.Dataset
	for _, make := range makers() {
		all = append(all, make())
	}
	return all
}

// Find returns the data set of that name, or an error that lists those there
// are.
func Find(name string) (*datasets.Dataset, error) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, fmt.Errorf("there is no data set %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return makers()[i](), nil
}
