package json

import "golang.org/x/sys/cpu"

// markSteps sets words of marks, each for the next 64 bytes of data.
func markSteps(words []uint64, data []byte) {
	switch {
	case !cpu.X86.HasAVX2:
		markPortable(words, data)
	case len(words) > 0:
		markAVX2(&words[0], &data[0], len(words))
	}
}

//go:noescape
func markAVX2(words *uint64, data *byte, n int)
