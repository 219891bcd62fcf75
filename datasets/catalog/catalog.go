// Package catalog holds the built-in data sets. Each is a directory below this package, in
// the form that users write (package directory): tables.sql and a file for each query. It
// also has samples of its tables, and published.json with the published answers. Its
// generator is in Go.
package catalog

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"analyzer/columnar/vfs"
	"analyzer/datasets"
	"analyzer/datasets/directory"
	"analyzer/datasets/generate"
)

//go:embed movies steam books
var files embed.FS

// Names returns the names of all data sets, in the order in which they are
// presented.
func Names() []string { return []string{"movies", "steam", "books"} }

// All returns every data set, in the order of their names, with the default of each
// parameter.
func All() []*datasets.Dataset {
	var all []*datasets.Dataset
	for _, name := range Names() {
		d, err := Find(name, nil)
		if err != nil {
			panic(fmt.Sprintf("catalog: %v", err)) // it is part of the program, and a test reads it
		}
		all = append(all, d)
	}
	return all
}

// Find returns the named data set, with settings of parameters built into the plans of its
// queries. Errors of settings are in the data set's Wrong. For an unknown name the error
// lists the data sets there are.
func Find(name string, settings datasets.Settings) (*datasets.Dataset, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no data set %q; there are %s", name, strings.Join(Names(), ", "))
	}
	src, err := directory.Load(nil, vfs.ReadOnly(files), name, settings)
	if err != nil {
		return nil, err
	}
	src.Dir = "" // without another directory the samples are read
	if src.Samples, err = fs.Sub(files, path.Join(name, "samples")); err != nil {
		return nil, fmt.Errorf("samples of %s: %w", name, err)
	}
	d := &datasets.Dataset{Source: *src, Generate: generator(name)}
	text, err := files.ReadFile(path.Join(name, "published.json"))
	if err == nil {
		err = json.Unmarshal(text, &d.Published)
	}
	if err != nil {
		return nil, fmt.Errorf("published answers of %s: %w", name, err)
	}
	return d, nil
}

// generator returns the function that generates files of a data set.
func generator(name string) func(context.Context, generate.Options) error {
	all := []func(context.Context, generate.Options) error{generate.Movies, generate.Steam, generate.Books}
	return all[slices.Index(Names(), name)]
}
