package csv

import "golang.org/x/sys/cpu"

// newKernels returns the fastest kernels that the processor supports, or the portable
// ones.
func newKernels(portable bool) kernels {
	x, k := &cpu.X86, portableKernels
	if portable || !x.HasBMI1 || !x.HasPOPCNT {
		return k
	}
	k.extract = extractBy(extractBMI)
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VBMI2 {
		k.extract = extractBy(extractAVX512)
	}
	switch {
	case !x.HasAVX2 || !x.HasPCLMULQDQ:
	case x.HasAVX512F && x.HasAVX512BW:
		k.name, k.classify = "AVX-512", classifyBy(classifyAVX512)
	default:
		k.name, k.classify = "AVX2", classifyBy(classifyAVX2)
	}
	return k
}

// classifyAVX2 processes 32 bytes at once, classifyAVX512 64.
//
//go:noescape
func classifyAVX2(dst *word, src *byte, n int, s *summary)

//go:noescape
func classifyAVX512(dst *word, src *byte, n int, s *summary)

// extractBMI processes one end at a time, extractAVX512 16 at once.
//
//go:noescape
func extractBMI(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)

//go:noescape
func extractAVX512(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
