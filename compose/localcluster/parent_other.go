//go:build unix && !linux

package localcluster

import "syscall"

// dieWithParent does nothing where the system has no such notion.
func dieWithParent(*syscall.SysProcAttr) {}
