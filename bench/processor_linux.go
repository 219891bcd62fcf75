package bench

import (
	"runtime"

	"github.com/prometheus/procfs"
)

// processor returns the system's name for the processor, or else its architecture.
func processor() string {
	if system, err := procfs.NewDefaultFS(); err == nil {
		if all, err := system.CPUInfo(); err == nil && len(all) > 0 && all[0].ModelName != "" {
			return all[0].ModelName
		}
	}
	return runtime.GOARCH
}
