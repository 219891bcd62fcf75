// Package catalog has the data sets that are built in. Each is a directory below this
// package, as users write them (package directory): tables.sql, a file for each query, and
// samples of its tables; and beside that published.json, what the world knows of its
// answers. How its files are generated is in Go.
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

// Find returns the data set of that name with settings for parameters of its queries,
// which are in the plans then, or an error that lists those there are. What is wrong with
// settings is in its Wrong.
func Find(name string, settings datasets.Settings) (*datasets.Dataset, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no data set %q; there are %s", name, strings.Join(Names(), ", "))
	}
	src, err := directory.Load(vfs.ReadOnly(files), name, settings)
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

// generator returns what writes files such as those of a data set.
func generator(name string) func(context.Context, generate.Options) error {
	all := []func(context.Context, generate.Options) error{generate.Movies, generate.Steam, generate.Books}
	return all[slices.Index(Names(), name)]
}
