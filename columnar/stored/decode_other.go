//go:build !amd64 && !arm64

package stored

const inGroups = false

func ascii16Groups(_, _ *byte, _ int, _, _ uint64) int { return 0 }
