package csv

import "golang.org/x/sys/cpu"

// newKernels returns the fastest loops that the processor can run, or the
// portable ones.
func newKernels(portable bool) kernels {
	x, k := &cpu.X86, portableKernels
	if portable || !x.HasBMI1 || !x.HasPOPCNT {
		return k
	}
	k.extract = extractBits
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VBMI2 {
		k.extract = extractLanes
	}
	if x.HasAVX2 && x.HasPCLMULQDQ {
		k.classify = classifyLanes
	}
	return k
}

func classifyLanes(dst []word, src []byte, s *summary) {
	if len(dst) > 0 {
		_ = src[len(dst)*wordBytes]
		classifyAVX2(&dst[0], &src[0], len(dst), s)
	}
}

func extractBits(dst []int32, words []word, flip uint64, base int32) (ends, newlines int) {
	if len(words) == 0 {
		return 0, 0
	}
	_ = dst[len(words)*wordBytes+extractSlack-1]
	return extractBMI(&dst[0], &words[0], len(words), flip, base)
}

func extractLanes(dst []int32, words []word, flip uint64, base int32) (ends, newlines int) {
	if len(words) == 0 {
		return 0, 0
	}
	_ = dst[len(words)*wordBytes+extractSlack-1]
	return extractAVX512(&dst[0], &words[0], len(words), flip, base)
}

//go:noescape
func classifyAVX2(dst *word, src *byte, n int, s *summary)

//go:noescape
func extractBMI(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)

//go:noescape
func extractAVX512(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
