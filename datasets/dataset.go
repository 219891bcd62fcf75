// Package datasets defines data sets: tables, queries over them, samples, a generator and
// published answers. Package directory reads a data set that a user has written; package
// catalog holds the built-in ones.
package datasets

import (
	"context"

	"analyzer/datasets/generate"
)

// Dataset is a source that is built into the program, with its published answers and
// generator. It is read only.
type Dataset struct {
	Source
	Published Published // what is known about the full files
	// Generate writes synthetic files under their usual names.
	Generate func(context.Context, generate.Options) error
}
