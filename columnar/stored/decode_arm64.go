package stored

// inGroups reports whether the processor supports ascii16Groups: every one of this architecture does.
const inGroups = true

// ascii16Groups converts groups of 32 characters until one has a bit of other, and returns how many it
// has converted. The bits of the characters begin at shift, 0 or 8.
//
//go:noescape
func ascii16Groups(dst, src *byte, groups int, other, shift uint64) (done int)
