package process_test

import (
	"os"
	"runtime"
	"testing"

	"analyzer/process"
)

func TestDescends(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	all, err := process.All()
	if err != nil {
		t.Fatal(err)
	}
	self, parent := os.Getpid(), os.Getppid()
	for _, c := range []struct {
		pid, from int
		want      bool
	}{{self, self, true}, {self, parent, true}, {parent, self, false}, {self, 0, false}, {1 << 30, self, false}} {
		if got := all.Descends(c.pid, c.from); got != c.want {
			t.Errorf("%d descends from %d: %v", c.pid, c.from, got)
		}
	}
	if s := all[self]; s.ResidentMemory() <= 0 || process.PeakMemory() < int64(s.ResidentMemory()) {
		t.Errorf("%d bytes are resident, at most %d were", s.ResidentMemory(), process.PeakMemory())
	}
}
