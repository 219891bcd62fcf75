// Package processtest says how processes have ended, for tests.
package processtest

import (
	"errors"
	"os/exec"
	"syscall"
)

// Killed reports whether the error of a process says that it was ended by SIGKILL.
func Killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
