// Package datasets says what a data set is: tables, queries over them, samples, a
// generator and published answers. Package directory reads one that somebody has written,
// and package catalog has those that are built in.
package datasets

import (
	"context"

	"analyzer/datasets/generate"
)

// Dataset is a source that is built into the program, with everything else that
// is known about it. It is read only.
type Dataset struct {
	Source
	Published Published // what is known of the full files
	// Generate writes synthetic files under their usual names.
	Generate func(context.Context, generate.Options) error
}
