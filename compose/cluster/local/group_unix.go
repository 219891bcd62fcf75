//go:build unix

package local

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps a signal of the terminal from a process, which is asked to end
// when it is time.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
