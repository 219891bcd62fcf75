//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
)

// stop asks a process to end.
func stop(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// peakOf returns the most bytes that a process had resident, or 0 if the system
// does not say.
func peakOf(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return peak // in bytes there, in kibibytes elsewhere
	}
	return peak << 10
}
