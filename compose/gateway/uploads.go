package gateway

import (
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// uploads counts the streams that are open. With tokens one client may have half
// of them, so that there is always room for another.
type uploads struct {
	metrics *Metrics
	most    int // of all
	share   int // of one client

	mu      sync.Mutex
	open    int
	byOwner map[string]int
}

func newUploads(cfg Config, m *Metrics) *uploads {
	share := cfg.MaxStreams
	if cfg.Tokens != nil {
		share = (cfg.MaxStreams + 1) / 2
	}
	return &uploads{metrics: m, most: cfg.MaxStreams, share: share, byOwner: make(map[string]int)}
}

// begin counts a stream, or refuses it.
func (u *uploads) begin(owner string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.open >= u.most || u.byOwner[owner] >= u.share {
		return status.Errorf(codes.Unavailable, "%d uploads are going on here, %d of them yours; try again later, or at another gateway",
			u.open, u.byOwner[owner])
	}
	u.byOwner[owner]++
	u.setLocked(u.open + 1)
	u.metrics.Uploads.Add(1)
	return nil
}

func (u *uploads) end(owner string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byOwner[owner]--; u.byOwner[owner] == 0 {
		delete(u.byOwner, owner)
	}
	u.setLocked(u.open - 1)
}

func (u *uploads) setLocked(open int) {
	u.open = open
	u.metrics.Streams.Store(int64(open))
}
