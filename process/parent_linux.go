package process

import "syscall"

// dieWithParent makes a process end when its parent does.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
