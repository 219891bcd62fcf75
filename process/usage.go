package process

import (
	"fmt"

	"github.com/prometheus/procfs"
)

// PeakMemory returns the peak resident memory of this process in bytes, or 0 if the system
// does not tell.
func PeakMemory() int64 {
	if self, err := procfs.Self(); err == nil {
		if status, err := self.NewStatus(); err == nil {
			return int64(status.VmHWM)
		}
	}
	return peakOfSystem()
}

// ProgramMemory returns how many bytes of files are resident in this process, which are those of
// its program: the system can drop them at any time, and all processes of the program share them.
// It returns 0 if the system does not tell.
func ProgramMemory() int64 {
	self, err := procfs.Self()
	if err != nil {
		return 0
	}
	status, err := self.NewStatus()
	if err != nil {
		return 0
	}
	return int64(status.RssFile)
}

// Running holds the processes of this machine at one moment, by ID.
type Running map[int]procfs.ProcStat

// All returns the processes of this machine. Without a /proc the error wraps fs.ErrNotExist.
func All() (Running, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	out := make(Running)
	for _, p := range all {
		if s, err := p.Stat(); err == nil { // the process may have ended
			out[p.PID] = s
		}
	}
	return out, nil
}

// Descends reports whether pid is from, or a descendant of it.
func (r Running) Descends(pid, from int) bool {
	for pid > 1 && pid != from {
		pid = r[pid].PPID
	}
	return from > 0 && pid == from
}
