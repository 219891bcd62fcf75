package scan

import "golang.org/x/sys/cpu"

// availableParsers returns the parsers that this processor can run.
func availableParsers() map[string]parsers {
	all := map[string]parsers{"portable": portableParsers, "best": newParsers(false)}
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI2 {
		all["AVX2"] = avx2Parsers
	}
	return all
}
