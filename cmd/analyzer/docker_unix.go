//go:build unix

package main

import (
	"os"
	"syscall"

	"analyzer/compose/cluster/supervisor"
)

// dockerGroup returns the group that owns Docker's socket on this machine, or the usual one.
func dockerGroup() int {
	if info, err := os.Stat(supervisor.DockerSocket); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Gid)
		}
	}
	return usualDockerGroup
}
