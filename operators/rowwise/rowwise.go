// Package rowwise holds the operators that look at one row at a time and keep
// nothing between batches: filter, project and unnest. They emit their output
// at once, batch by batch and in the order of the rows, and reuse its memory.
package rowwise

import (
	"context"

	"analyzer/operators"
)

// stateless is embedded in operators that keep no rows.
type stateless struct{}

// Finish does nothing: no row is kept.
func (stateless) Finish(ctx context.Context, _ int, _ operators.Emit) error { return ctx.Err() }

// Close does nothing.
func (stateless) Close() error { return nil }
