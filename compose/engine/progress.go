package engine

import (
	"sync"
	"time"

	"analyzer/columnar/scan"
	"analyzer/process"
)

// Progress is a snapshot of how far a reading is.
type Progress struct {
	Doing   string `json:"doing"` // for people: the table being read, or what the reading waits for
	Waiting bool   `json:"waiting,omitempty"`
	Bytes   int64  `json:"bytes"` // of input files, over all scans so far
	Rows    int64  `json:"rows"`  // likewise
	Spilled int64  `json:"spilled,omitempty"`
}

// progress reports on a reading at intervals, from a goroutine of its own.
type progress struct {
	mu     sync.Mutex
	doing  string
	waits  string // what the reading waits for; "": it does not wait
	bytes  int64  // of the scans that ended
	rows   int64
	active *scan.All
}

const progressEvery = 100 * time.Millisecond

// start calls tell at intervals until stop is called. A nil tell is never called.
func (p *progress) start(tell func(Progress), spilled func() int64) (stop func()) {
	if tell == nil {
		return func() {}
	}
	return process.Every(progressEvery, func() {
		at := p.now()
		if spilled != nil {
			at.Spilled = spilled()
		}
		if at.Doing != "" {
			tell(at)
		}
	})
}

func (p *progress) now() Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := Progress{Doing: p.doing, Bytes: p.bytes, Rows: p.rows}
	if p.waits != "" {
		at.Doing, at.Waiting = "waiting for "+p.waits, true
	}
	if p.active != nil {
		s := p.active.Progress()
		at.Bytes += s.File
		at.Rows += s.Rows
	}
	return at
}

// waiting sets what the reading waits for, "" when it goes on.
func (p *progress) waiting(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = what
}

// reading says that the scan of a table begins, and read that it is over.
func (p *progress) reading(table string, s *scan.All) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing, p.active = table, s
}

func (p *progress) read() {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.active.Progress()
	p.bytes += s.File
	p.rows += s.Rows
	p.active = nil
}

// Add counts one more reading of a table.
func (r *Report) Add(table string, s scan.Stats, stopped bool) {
	r.Rows += s.Rows
	r.Bytes += s.Progress.File
	if !r.has(table) {
		if r.at == nil {
			r.at = make(map[string]int)
		}
		r.at[table] = len(r.Tables)
		r.Tables = append(r.Tables, TableReport{Table: table, Scans: 1, Stats: s, Stopped: stopped})
		return
	}
	t := &r.Tables[r.at[table]]
	t.Scans++
	if t.Stopped && !stopped { // only this reading saw all of the table
		t.Stats, t.Stopped = s, false
	}
	t.Stats.Warnings = mergeCounts(t.Stats.Warnings, s.Warnings)
}

// has reports whether a table was read.
func (r *Report) has(table string) bool {
	_, ok := r.at[table]
	return ok
}

// mergeCounts keeps the larger of two counts of the same warning, since a table that is read
// twice still has each fault once.
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
