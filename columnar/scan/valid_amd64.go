package scan

import "golang.org/x/sys/cpu"

// validates reports whether the processor supports validSteps.
var validates = cpu.X86.HasAVX2

// validSteps reports whether the n bytes at p are a prefix of valid UTF-8. n must be a
// positive multiple of 64.
//
//go:noescape
func validSteps(p *byte, n int) bool
