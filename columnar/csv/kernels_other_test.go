//go:build !amd64

package csv

func otherKernels() map[string]kernels { return map[string]kernels{} }
