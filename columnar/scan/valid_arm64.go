package scan

// validates reports whether the processor supports validSteps: every one of this architecture does.
const validates = true

// validSteps reports whether the n bytes at p are a prefix of valid UTF-8. n must be a
// positive multiple of 64.
//
//go:noescape
func validSteps(p *byte, n int) bool
