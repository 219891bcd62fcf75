package csv

import "golang.org/x/sys/cpu"

func newClassifier(portable bool) classifier {
	if portable || !cpu.X86.HasAVX2 {
		return classifyPortable
	}
	return classifyVector
}

func classifyVector(dst []word, src []byte) {
	if len(dst) > 0 {
		_ = src[len(dst)*wordBytes]
		classifyAVX2(&dst[0], &src[0], len(dst))
	}
}

// classifyAVX2 describes the 64*n bytes from src on, of which it reads one more.
//
//go:noescape
func classifyAVX2(dst *word, src *byte, n int)
