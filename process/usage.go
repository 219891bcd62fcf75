package process

import (
	"fmt"
	"runtime"
	"syscall"

	"github.com/prometheus/procfs"
)

// PeakMemory returns the most bytes that this process has had resident since it was
// started, or 0 if the system does not say.
func PeakMemory() int64 {
	if self, err := procfs.Self(); err == nil {
		if status, err := self.NewStatus(); err == nil {
			return int64(status.VmHWM)
		}
	}
	// It begins with the peak of the process that forked this one, which may be larger.
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	peak := int64(usage.Maxrss) //nolint:unconvert // its type differs between systems
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return peak // in bytes there, in kibibytes elsewhere
	}
	return peak << 10
}

// Running are the processes of this machine by their numbers, at one moment.
type Running map[int]procfs.ProcStat

// All returns the processes of this machine. Where there is no /proc the error wraps
// fs.ErrNotExist.
func All() (Running, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	out := make(Running)
	for _, p := range all {
		if s, err := p.Stat(); err == nil { // it may have ended
			out[p.PID] = s
		}
	}
	return out, nil
}

// Descends reports whether a process is another one, or was started by it or by one that
// was.
func (r Running) Descends(pid, from int) bool {
	for pid > 1 && pid != from {
		pid = r[pid].PPID
	}
	return from > 0 && pid == from
}
