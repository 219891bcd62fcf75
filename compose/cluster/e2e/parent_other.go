//go:build unix && !linux

package e2e

import "syscall"

// dieWithParent does nothing where the system has no such notion.
func dieWithParent(*syscall.SysProcAttr) {}
