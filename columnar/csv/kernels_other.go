//go:build !amd64

package csv

// newKernels returns the fastest loops, or the portable ones.
func newKernels(bool) kernels { return portableKernels }
