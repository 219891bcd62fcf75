package gateway

import (
	"sync"
	"sync/atomic"

	"analyzer/compose/cluster/protocol"
)

// streams counts the streams of one kind that are open. With tokens one client may
// have half of them, so that there is always room for another.
type streams struct {
	what  string // for people
	gauge *atomic.Int64
	most  int // of all
	share int // of one client

	mu      sync.Mutex
	open    int
	byOwner map[string]int
}

func newStreams(what string, most int, tokens *Tokens, gauge *atomic.Int64) *streams {
	share := most
	if tokens != nil {
		share = (most + 1) / 2
	}
	return &streams{what: what, gauge: gauge, most: most, share: share, byOwner: make(map[string]int)}
}

// begin counts a stream, or refuses it.
func (s *streams) begin(owner string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.most || s.byOwner[owner] >= s.share {
		return protocol.Errorf(protocol.Trouble, "%d %s are going on here, %d of them yours; try again later, or at another gateway",
			s.open, s.what, s.byOwner[owner])
	}
	s.byOwner[owner]++
	s.setLocked(s.open + 1)
	return nil
}

func (s *streams) end(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byOwner[owner]--; s.byOwner[owner] == 0 {
		delete(s.byOwner, owner)
	}
	s.setLocked(s.open - 1)
}

func (s *streams) setLocked(open int) {
	s.open = open
	s.gauge.Store(int64(open))
}
