package e2e

import "syscall"

// dieWithParent makes a process end when the test does, however it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
