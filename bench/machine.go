package bench

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"analyzer/columnar/budget"
)

// thisMachine says in one line where the numbers are taken.
func thisMachine() string {
	processor := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				processor = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %d GiB, %s %s/%s",
		processor, runtime.GOMAXPROCS(0), (budget.MachineMemory()+1<<29)>>30, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
