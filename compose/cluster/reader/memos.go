package reader

import (
	"slices"
	"sync"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

// idleMemos is how many jobs of which no unit is read keep what readers know of them. Each may hold sets of
// keys, of some MiB.
const idleMemos = 4

// memos holds a memo for each job of which units are read, and for a few of which units were. It may be used
// concurrently; the zero value is ready to use.
type memos struct {
	mu  sync.Mutex
	all []*memo // by when a unit was last begun or ended
}

type memo struct {
	client.Memo
	job   protocol.JobID
	users int
}

// take returns the memo of a job, until give.
func (m *memos) take(job protocol.JobID) *memo {
	m.mu.Lock()
	defer m.mu.Unlock()
	of := &memo{job: job}
	if i := slices.IndexFunc(m.all, func(known *memo) bool { return known.job == job }); i >= 0 {
		of = m.all[i]
		m.all = slices.Delete(m.all, i, i+1)
	}
	m.all = append(m.all, of)
	of.users++
	return of
}

// give forgets the memos that have been idle for longest, if there are too many.
func (m *memos) give(of *memo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of.users--
	at := slices.Index(m.all, of)
	m.all = append(slices.Delete(m.all, at, at+1), of)
	idle := 0
	for _, known := range m.all {
		if known.users == 0 {
			idle++
		}
	}
	m.all = slices.DeleteFunc(m.all, func(known *memo) bool {
		forgotten := known.users == 0 && idle > idleMemos
		if forgotten {
			idle--
		}
		return forgotten
	})
}
