package client

import (
	"sync"
	"time"

	"analyzer/columnar/scan"
)

// watch tells of an upload now and then, from a goroutine of its own.
type watch struct {
	tell func(Progress)
	stop chan struct{}
	done chan struct{}

	mu     sync.Mutex
	doing  string
	waits  string // for what; "": it does not
	bytes  int64  // of the scans that ended
	rows   int64
	active *scan.Scan
}

const tellEvery = 100 * time.Millisecond

// newWatch starts to tell. The caller calls end.
func newWatch(tell func(Progress)) *watch {
	w := &watch{tell: tell, stop: make(chan struct{}), done: make(chan struct{})}
	if tell == nil {
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(tellEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				tell(w.now())
			case <-w.stop:
				return
			}
		}
	}()
	return w
}

func (w *watch) end() {
	close(w.stop)
	<-w.done
}

func (w *watch) now() Progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := Progress{Doing: w.doing, Bytes: w.bytes, Rows: w.rows}
	if w.waits != "" {
		p.Doing = "waiting for " + w.waits
	}
	if w.active != nil {
		s := w.active.Progress()
		p.Bytes += s.File
		p.Rows += s.Rows
	}
	return p
}

// waiting says what the upload waits for, "" when it goes on.
func (w *watch) waiting(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = what
}

// reading says that a table is read.
func (w *watch) reading(table string, s *scan.Scan) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doing, w.active = table, s
}

// read says that it was.
func (w *watch) read() {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.active.Progress()
	w.bytes += s.File
	w.rows += s.Rows
	w.active = nil
}
