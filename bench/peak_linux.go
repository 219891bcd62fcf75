package bench

import (
	"bytes"
	"os"
	"strconv"
)

// peakResident returns the most bytes that this process has had resident since
// it was started, or 0 if the system does not say. What getrusage says begins
// with the peak of the process that forked it, which may be larger.
func peakResident() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) >= 2 && string(fields[0]) == "VmHWM:" {
			kib, err := strconv.ParseInt(string(fields[1]), 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
