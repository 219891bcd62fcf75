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
