//go:build !amd64 && !arm64

package csv

// newKernels returns the portable kernels, the only ones on other architectures.
func newKernels(bool) kernels { return portableKernels }
