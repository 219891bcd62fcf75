//go:build unix

package csv

import (
	"syscall"
	"testing"
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

// reportCPU reports bytes per second of processor time since begin.
func reportCPU(b *testing.B, begin time.Duration, bytes int) {
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/(cpuTime()-begin).Seconds(), "MB/cpu-s")
}
