//go:build unix && !linux

package process

import "syscall"

// dieWithParent does nothing: this system has no such feature.
func dieWithParent(*syscall.SysProcAttr) {}
