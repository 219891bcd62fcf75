//go:build unix

package process

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// Pause stops a process, which does nothing until it gets Resume.
const (
	Pause  = syscall.SIGSTOP
	Resume = syscall.SIGCONT
)

// noFollow makes an opening fail at a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// ownGroup puts a process into a process group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the process group. It fails if the last process has just ended.
func (p *Process) killGroup() { _ = syscall.Kill(-p.PID(), syscall.SIGKILL) }

// askToEnd fails if the process has just ended.
func (p *Process) askToEnd() {
	_ = p.Signal(syscall.SIGTERM)
	_ = p.Signal(Resume)
}

// sendTo sends a signal to a process, which may have ended.
func sendTo(pid int, signal syscall.Signal) error {
	if err := syscall.Kill(pid, signal); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// How a file is locked: several processes may share a lock.
const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
)

// tryLock locks an open file until it is closed by all processes that have inherited it. The
// error is errLocked if another process has locked it.
func tryLock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}

// peakOfSystem returns the peak resident memory of this process in bytes, or that of the
// process that forked it, if that was larger.
func peakOfSystem() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	peak := int64(usage.Maxrss) //nolint:unconvert // its type differs between systems
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return peak // in bytes on this system, in kibibytes on others
	}
	return peak << 10
}
