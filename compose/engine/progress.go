package engine

import (
	"sync"
	"time"

	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
)

// progress tells of a run now and then, from a goroutine of its own while a
// table is read.
type progress struct {
	tell    func(Progress)
	scratch *segment.Scratch

	mu    sync.Mutex
	bytes int64 // of the scans that ended
	rows  int64
	scan  *scan.Scan
	table string
	stop  chan struct{}
	done  chan struct{}
}

const progressEvery = 100 * time.Millisecond

func newProgress(tell func(Progress), scratch *segment.Scratch) *progress {
	return &progress{tell: tell, scratch: scratch}
}

// start begins to tell of a scan; end must follow.
func (p *progress) start(table string, s *scan.Scan) {
	p.mu.Lock()
	p.scan, p.table = s, table
	p.mu.Unlock()
	if p.tell == nil {
		return
	}
	p.stop, p.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(p.done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.tell(p.now())
			case <-p.stop:
				return
			}
		}
	}()
}

func (p *progress) now() Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := Progress{Table: p.table, Bytes: p.bytes, Rows: p.rows, Spilled: p.scratch.Stats().Bytes}
	if p.scan != nil {
		s := p.scan.Progress()
		at.Bytes += s.File
		at.Rows += s.Rows
	}
	return at
}

// end is told what the scan found.
func (p *progress) end(s scan.Stats) {
	if p.tell != nil {
		close(p.stop)
		<-p.done
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += s.Progress.File
	p.rows += s.Rows
	p.scan, p.table = nil, ""
}

// report sums a run up.
func (e *embedded) report() *Report {
	spilled := e.rt.Scratch.Stats()
	r := &Report{Spilled: spilled.Bytes, SpillFiles: spilled.Files, Nodes: e.nodes}
	for _, s := range e.scans {
		r.Add(s.table.Name, s.stats)
	}
	return r
}

// Add counts one more reading of a table.
func (r *Report) Add(table string, s scan.Stats) {
	r.Rows += s.Rows
	r.Bytes += s.Progress.File
	for i := range r.Tables {
		if t := &r.Tables[i]; t.Table == table {
			t.Scans++
			t.Stats.Warnings = mergeCounts(t.Stats.Warnings, s.Warnings)
			return
		}
	}
	r.Tables = append(r.Tables, TableReport{Table: table, Scans: 1, Stats: s})
}

// mergeCounts keeps the larger of two counts of the same thing: a table that is
// read twice has its faults but once.
func mergeCounts(a, b []scan.Count) []scan.Count {
next:
	for _, c := range b {
		for i := range a {
			if a[i].What == c.What && a[i].Column == c.Column {
				a[i].Count = max(a[i].Count, c.Count)
				continue next
			}
		}
		a = append(a, c)
	}
	return a
}
