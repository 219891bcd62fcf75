package engine

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// percent returns the collector's current GC percentage.
func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

// TestPacer checks that the collector allows less garbage beside a large heap, and that its
// setting is restored. It must not run in parallel with other tests.
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
