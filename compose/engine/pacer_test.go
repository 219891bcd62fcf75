package engine

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// percent returns what the collector goes by.
func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

// TestPacer holds that the collector lets less garbage gather beside a large heap, and is
// left as it was. No other test runs meanwhile.
func TestPacer(t *testing.T) {
	before := percent()
	_, restore := LimitMemory(0)
	until := func(what string, is func(percent int) bool) {
		for began := time.Now(); !is(percent()); {
			if time.Since(began) > time.Minute {
				t.Fatalf("%s: it goes by %d percent", what, percent())
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	until("a small heap", func(now int) bool { return now > leastPercent })
	state := make([]byte, 3*mostGarbage)
	until("a large heap", func(now int) bool { return now == leastPercent })
	runtime.KeepAlive(state)
	restore()
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if now := percent(); now != before {
		t.Errorf("it is left at %d percent, was at %d", now, before)
	}
}
