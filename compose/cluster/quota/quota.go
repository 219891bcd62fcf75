// Package quota bounds how many of something a process has under way for its clients, and
// how many for each of them.
package quota

import (
	"sync"
	"sync/atomic"

	"analyzer/compose/cluster/protocol"
)

// Quota has so many places. It may be used concurrently.
type Quota struct {
	what  string // for people
	most  int
	share int
	gauge *atomic.Int64

	mu      sync.Mutex // also guards changes of the gauge
	byOwner map[string]int
}

// New returns a quota of most places for what is called so. Where clients can be told
// apart, each may have half of them, so that there is always room for another. The gauge
// shows how many are taken; it may be nil.
func New(what string, most int, apart bool, gauge *atomic.Int64) *Quota {
	q := &Quota{what: what, most: most, share: most, gauge: gauge, byOwner: make(map[string]int)}
	if apart {
		q.share = (most + 1) / 2
	}
	if gauge == nil {
		q.gauge = new(atomic.Int64)
	}
	return q
}

// Share returns how many places one client may have.
func (q *Quota) Share() int { return q.share }

// Take takes n places for a client, until Give; an error says that they are not free now.
func (q *Quota) Take(owner string, n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if all := int(q.gauge.Load()); q.byOwner[owner]+n > q.share || all+n > q.most {
		return protocol.Errorf(protocol.Busy, "%d %s are going on here, %d of them yours; try again later, or at another gateway", all, q.what, q.byOwner[owner])
	}
	q.byOwner[owner] += n
	q.gauge.Add(int64(n))
	return nil
}

// Give gives n places back.
func (q *Quota) Give(owner string, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.byOwner[owner] -= n; q.byOwner[owner] == 0 {
		delete(q.byOwner, owner)
	}
	q.gauge.Add(int64(-n))
}
