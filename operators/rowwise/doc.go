// Package rowwise holds the operators that look at one row at a time and keep
// nothing between batches: filter, project and unnest. They answer at once, batch
// by batch and in the order of the rows, and reuse the memory of what they emit.
package rowwise
