//go:build unix

package main

import (
	"path/filepath"
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

// diskSize returns the bytes of the disk that a path is on, or would be, or 0 if the
// system does not say.
func diskSize(path string) int64 {
	path, err := filepath.Abs(path)
	for err == nil {
		var s unix.Statfs_t
		if err := unix.Statfs(path, &s); err == nil {
			return int64(s.Blocks) * int64(s.Bsize) //nolint:unconvert // their types differ between systems
		}
		if path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	return 0
}
