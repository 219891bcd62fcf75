// Package catalog lists the data sets the program knows. It is apart from
// package datasets, which the data sets import.
package catalog

import (
	"fmt"
	"strings"

	"analyzer/datasets"
	"analyzer/datasets/books"
	"analyzer/datasets/movies"
	"analyzer/datasets/steam"
)

// All returns every data set, in the order in which they are presented.
func All() []*datasets.Dataset {
	return []*datasets.Dataset{movies.New(), steam.New(), books.New()}
}

// Names returns the names of all data sets.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return names
}

// Find returns the data set of that name, or an error that lists those there
// are.
func Find(name string) (*datasets.Dataset, error) {
	for _, d := range All() {
		if d.Name == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("there is no data set %q; there are %s", name, strings.Join(Names(), ", "))
}
