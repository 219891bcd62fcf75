//go:build !amd64

package csv

// newKernels returns the portable kernels, the only ones on this architecture.
func newKernels(bool) kernels { return portableKernels }
