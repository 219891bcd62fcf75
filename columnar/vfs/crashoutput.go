package vfs

import (
	"errors"
	"os"
	"runtime/debug"
)

// CrashOutput has the Go runtime write to a file of the operating system, which is
// made empty, why it ends the process, should it have to: a fault that nobody
// catches, or memory that cannot be had.
func CrashOutput(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(debug.SetCrashOutput(f, debug.CrashOptions{}), f.Close())
}
