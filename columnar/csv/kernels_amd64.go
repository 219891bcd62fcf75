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
	switch {
	case !x.HasAVX2 || !x.HasPCLMULQDQ:
	case x.HasAVX512F && x.HasAVX512BW:
		k.classify = classify64
	default:
		k.classify = classify32
	}
	return k
}

// classify32 is the classifier in registers of 32 bytes.
func classify32(dst []word, src []byte, s *summary) {
	if len(dst) > 0 {
		_ = src[len(dst)*wordBytes]
		classifyAVX2(&dst[0], &src[0], len(dst), s)
	}
}

// classify64 is the classifier in registers of 64 bytes.
func classify64(dst []word, src []byte, s *summary) {
	if len(dst) > 0 {
		_ = src[len(dst)*wordBytes]
		classifyAVX512(&dst[0], &src[0], len(dst), s)
	}
}

// extractBits is the extractor that takes one end after the other.
func extractBits(dst []int32, words []word, flip uint64, base int32) (ends, newlines int) {
	if len(words) == 0 {
		return 0, 0
	}
	_ = dst[len(words)*wordBytes+extractSlack-1]
	return extractBMI(&dst[0], &words[0], len(words), flip, base)
}

// extractLanes is the extractor that takes 16 ends at once.
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
func classifyAVX512(dst *word, src *byte, n int, s *summary)

//go:noescape
func extractBMI(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)

//go:noescape
func extractAVX512(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
