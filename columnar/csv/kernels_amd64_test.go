package csv

import "golang.org/x/sys/cpu"

// otherKernels returns loops that this machine can run, but perhaps not as the
// fastest.
func otherKernels() map[string]kernels {
	found := map[string]kernels{}
	x := &cpu.X86
	if x.HasBMI1 && x.HasPOPCNT && x.HasAVX2 && x.HasPCLMULQDQ {
		found["AVX2"] = kernels{classify: classifyBy(classifyAVX2), extract: extractBy(extractBMI)}
	}
	return found
}
