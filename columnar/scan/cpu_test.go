//go:build unix

package scan

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used, which other
// processes on a busy machine do not lengthen.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
