//go:build linux || darwin || freebsd

package main

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// diskSize returns the size in bytes of the disk that a path is or would be on, or 0 if the
// system does not tell.
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
