//go:build unix && !linux

package process

import "syscall"

// dieWithParent does nothing where the system has no such notion.
func dieWithParent(*syscall.SysProcAttr) {}
