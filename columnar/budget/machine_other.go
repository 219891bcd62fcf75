//go:build !(linux || darwin || freebsd || windows)

package budget

// installed returns 0: it is not implemented for this system.
func installed() int64 { return 0 }
