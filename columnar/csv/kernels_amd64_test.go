package csv

import "golang.org/x/sys/cpu"

// otherExtractors returns those that may be slower than the best.
func otherExtractors() map[string]extractor {
	found := map[string]extractor{}
	if cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT {
		found["bits"] = extractBits
	}
	return found
}
