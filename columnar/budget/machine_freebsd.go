package budget

import "golang.org/x/sys/unix"

// installed returns the bytes of memory that the machine has; 0: unknown.
func installed() int64 {
	n, err := unix.SysctlUint64("hw.physmem")
	if err != nil {
		return 0
	}
	return int64(n)
}
