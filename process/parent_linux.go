package process

import "syscall"

// dieWithParent makes a process end when the one that starts it does.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
