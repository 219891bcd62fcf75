package worker

import (
	"testing"
	"time"
)

// A stage whose input may wait for a commit is computed before one, so that its rows are never logged.
// The answers are those of logged rows.
func TestSmallStagesAreNotLogged(t *testing.T) {
	logged := func(bytes int64) (times int) {
		w := newWorld(t, 2)
		m := w.machines[0]
		m.worker.Commit = GroupCommit{Prefetch: 1000, Bytes: bytes, Interval: time.Hour}
		j := newJob(w).open()
		j.status(0) // a sign of life, which is durable at once
		m.pass = func(point string) {
			if point == PointAppend {
				times++
			}
		}
		j.upload()
		j.exact()
		m.pass = nil
		j.finish()
		return times
	}
	if small, large := logged(1<<20), logged(1); small != 0 || large < 10 {
		t.Errorf("rows are logged %d times if a commit may wait for all of them, and %d times if for none; want 0, and 10 or more", small, large)
	}
}
