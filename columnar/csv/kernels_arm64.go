package csv

// newKernels returns those for NEON, which every processor of this architecture has, or the portable
// ones.
func newKernels(portable bool) kernels {
	if portable {
		return portableKernels
	}
	return kernels{name: "NEON", classify: classifyBy(classifyNEON), extract: extractBy(extractNEON)}
}

//go:noescape
func classifyNEON(dst *word, src *byte, n int, s *summary)

//go:noescape
func extractNEON(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
