//go:build !unix

package bench

import "os"

// stop ends a process: this system has no signal that asks it to.
func stop(p *os.Process) error { return p.Kill() }

// peakOf returns 0: this system is not asked.
func peakOf(*os.ProcessState) int64 { return 0 }
