package engine

import (
	"sync"

	"analyzer/columnar/scan"
)

// ended notes which files of a table a watcher has seen to their ends. While more of the table may
// turn out not to be needed, it is not known how many of their blocks count.
type ended struct {
	mu    sync.Mutex
	files []scan.Ended
	some  bool // others were skipped
}

func (e *ended) add(f scan.Ended, p *Pass) {
	if f.Stats != nil && p.enough == nil {
		p.watcher.End(f.File, -1)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if f.Stats == nil {
		e.some = true
		return
	}
	e.files = append(e.files, f)
}

// endWatch tells a watcher which blocks of a table count that was read, or of which no more is
// needed.
func (r *Reading) endWatch(p *Pass) {
	if p.enough.reached() {
		for _, f := range append(p.ended.files, p.scan.Unfinished()...) {
			p.watcher.End(f.File, max(0, p.enough.blocks-f.First))
		}
		return
	}
	for _, f := range p.ended.files {
		p.watcher.End(f.File, -1)
	}
	if p.ended.some {
		return
	}
	if r.watched == nil {
		r.watched = make(map[string]bool)
	}
	r.watched[p.Table.Name] = true
}
