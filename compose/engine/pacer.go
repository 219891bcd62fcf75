package engine

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Between two collections there may be twice as much garbage as what lives, but of a large
// heap, which is mostly state, no more than mostGarbage, or half of it: the garbage is that
// of blocks, however large the state is. On H2O's g8 and TPC-H's q18 that takes an eighth
// from the peak, and no time.
const (
	mostPercent  = 200
	leastPercent = 50
	mostGarbage  = 32 << 20
)

// pacer sets after each collection how much garbage there may be before the next.
type pacer struct {
	mu    sync.Mutex
	ended bool
}

// pace is called when a collection is over, until the pacer has ended.
func (p *pacer) pace() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(int(min(max(mostGarbage*100/max(live[0].Value.Uint64(), 1), leastPercent), mostPercent)))
	runtime.AddCleanup(new([64]byte), (*pacer).pace, p) // the next one finds that nobody has it
}

// end leaves the collector as it was.
func (p *pacer) end(percent int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	debug.SetGCPercent(percent)
}
