// Package rowwise holds the operators that look at one row at a time and keep
// nothing between batches: filter, project and unnest. They answer at once, batch
// by batch and in the order of the rows, and reuse the memory of what they emit.
package rowwise

import (
	"context"

	"analyzer/operators"
)

// stateless is what operators have in common that keep no row.
type stateless struct{}

// Finish does nothing: no row is kept.
func (stateless) Finish(ctx context.Context, _ int, _ operators.Emit) error { return ctx.Err() }

// Close does nothing.
func (stateless) Close() error { return nil }
