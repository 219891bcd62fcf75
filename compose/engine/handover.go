package engine

import (
	"context"
	"fmt"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
)

// handover takes the place of an exchange behind a partial aggregation: its groups are not
// sent to the replica of their key, but handed by partition to the replicas of the final
// aggregation.
type handover struct {
	from   int // node of the partial aggregation
	groups *aggregate.Handed

	mu      sync.Mutex
	senders int           // pipelines that have yet to hand over
	done    chan struct{} // closed when senders is 0
}

// join adds a pipeline that will hand over.
func (h *handover) join() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.senders++
}

// Push is never called: all groups go to h.groups after the last row.
func (h *handover) Push(context.Context, columnar.Rows) error {
	return fmt.Errorf("node %d emits groups that it is to hand over", h.from)
}

// Finish says that one pipeline has handed over its groups.
func (h *handover) Finish(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.senders--; h.senders == 0 {
		close(h.done)
	}
	return nil
}
