// Package vfs is the seam between the program and the file system: a small
// interface, its implementation on the operating system, one in memory that
// loses what was not synced, and one that fails the n-th operation.
//
// All files of the program, inputs, spill, state and answers, go through an FS
// that was passed in, so that a test can fail any single operation, tear a
// write, or crash between two steps.
package vfs
