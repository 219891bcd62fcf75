// Package datasets describes the data sets the program knows: their tables,
// their queries as plans, samples that travel inside the binary, generators and
// published answers. Each data set has a package of its own below this one;
// package catalog finds them by name.
package datasets

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

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

// SamplesIn returns the files of the directory samples that a package embeds.
func SamplesIn(files embed.FS) fs.FS {
	sub, err := fs.Sub(files, "samples")
	if err != nil {
		panic(fmt.Sprintf("datasets: %v", err)) // the name above is valid
	}
	return sub
}
