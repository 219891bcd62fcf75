// Package rowwise holds the operators that look at one row at a time and keep
// nothing between batches: filter, project and unnest.
package rowwise
