//go:build unix

package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// peakMemory returns the largest size in bytes that the process had in memory,
// or 0 if the system does not say.
func peakMemory() int64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	peak := int64(usage.Maxrss) //nolint:unconvert // its type differs between systems
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return peak // in bytes there, in kibibytes elsewhere
	}
	return peak << 10
}
