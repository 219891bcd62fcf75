package budget

import (
	"os"
	"strconv"
	"strings"
)

// unknownMemory is what a machine is taken to have if its system does not tell.
const unknownMemory = 4 << 30

// MachineMemory returns how many bytes of memory the process may use: the lesser of the
// machine's memory and the limit of its control group.
func MachineMemory() int64 {
	total := int64(unknownMemory)
	if n := installed(); n > 0 {
		total = n
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			total = min(total, n)
		}
	}
	return total
}
