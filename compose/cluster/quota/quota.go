// Package quota bounds how many operations of a kind a process runs at a time for its
// clients, in all and for each client.
package quota

import (
	"sync"
	"sync/atomic"

	"analyzer/compose/cluster/protocol"
)

// Quota hands out a fixed number of places. It may be used concurrently.
type Quota struct {
	what  string // for people
	most  int
	share int
	gauge *atomic.Int64

	mu      sync.Mutex // also guards changes of the gauge
	byOwner map[string]int
}

// New returns a quota of most places. what names the operations in errors. If apart is set,
// clients can be told apart, and each may take half of the places, so that one client alone
// cannot take them all. gauge shows how many are taken; it may be nil.
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

// Take takes n places for a client, until Give. It does not wait: if they are not free, it
// returns an error.
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
