//go:build !linux

package node

import "syscall"

// dieWithParent does nothing where the system has no such notion.
func dieWithParent(*syscall.SysProcAttr) {}
