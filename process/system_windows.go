package process

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Pause and Resume have the numbers that they have elsewhere; this system has neither.
const (
	Resume = syscall.Signal(18)
	Pause  = syscall.Signal(19)
)

// noFollow is nothing: only administrators make symbolic links on this system.
const noFollow = 0

// ownGroup puts a process into a process group of its own.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// dieWithParent does nothing: this system has no such feature.
func dieWithParent(*syscall.SysProcAttr) {}

// killGroup kills the process only. It fails if the process has just ended.
func (p *Process) killGroup() { _ = p.cmd.Process.Kill() }

// askToEnd presses Ctrl-Break, which a Go program sees as an interrupt.
func (p *Process) askToEnd() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.PID()))
}

// sendTo is for processes of a cluster, which this system does not run.
func sendTo(int, syscall.Signal) error {
	return fmt.Errorf("signals: %w", errors.ErrUnsupported)
}

// How a file is locked.
const (
	shared = iota
	exclusive
)

// tryLock is for slots, whose locks are inherited, which this system cannot do.
func tryLock(*os.File, int) error {
	return fmt.Errorf("locks that are inherited: %w", errors.ErrUnsupported)
}

// memoryCounters is PROCESS_MEMORY_COUNTERS of the system.
type memoryCounters struct {
	size, faults uint32
	peak         uintptr // of resident memory, in bytes
	_            [7]uintptr
}

// peakOfSystem returns the peak resident memory of this process in bytes, or 0 if the system
// does not tell.
func peakOfSystem() int64 {
	var c memoryCounters
	c.size = uint32(unsafe.Sizeof(c))
	ask := windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")
	if ok, _, _ := ask.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); ok == 0 {
		return 0
	}
	return int64(c.peak)
}
