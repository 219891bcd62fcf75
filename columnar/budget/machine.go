package budget

import (
	"os"
	"strconv"
	"strings"
)

// MachineMemory returns the bytes of memory the process may have: the least of
// the machine's and its control group's.
func MachineMemory() int64 {
	total := int64(4 << 30)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) >= 2 && fields[0] == "MemTotal:" {
				if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
					total = kib << 10
				}
			}
		}
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			total = min(total, n)
		}
	}
	return total
}
