//go:build !amd64

package json

// markSteps sets words of marks, each for the next 64 bytes of data.
func markSteps(words []uint64, data []byte) { markPortable(words, data) }
