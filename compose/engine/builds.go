package engine

import (
	"context"
	"sync"

	"analyzer/operators"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// builds gathers the keys of build sides from all replicas of a join, for the
// scans that wait for them.
type builds struct {
	mu    sync.Mutex
	joins map[int]*buildSide // by the join's node
}

// buildSide is what is known of one join's build side.
type buildSide struct {
	waiting int           // replicas that are not complete
	done    chan struct{} // closed when none is
	keys    *keyset.Builder
	set     *keyset.Set // nil: not known, or too many
}

func newBuilds(e *embedded) *builds {
	b := &builds{joins: make(map[int]*buildSide)}
	for _, n := range e.plan.Nodes {
		if n.Join != nil {
			b.joins[n.ID] = &buildSide{
				waiting: e.pipelines(e.plan.Stages[n.Stage]),
				done:    make(chan struct{}),
				keys:    keyset.NewBuilder(e.rt.Budget),
			}
		}
	}
	return b
}

// built is told that one replica's build side is complete.
func (b *builds) built(n *planner.Node, op operators.Operator) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	side := b.joins[n.ID]
	source, ok := op.(keyset.Source)
	if !ok || !source.BuildHashes(func(hashes []uint64) bool { side.keys.Add(hashes); return true }) {
		side.keys.Abandon()
	}
	if side.waiting--; side.waiting == 0 {
		side.set = side.keys.Build()
		close(side.done)
	}
	return nil
}

// keys waits until the build side of a join is complete and returns its keys, nil
// if they are not known.
func (b *builds) keys(ctx context.Context, join int) (*keyset.Set, error) {
	side := b.joins[join]
	select {
	case <-side.done:
		return side.set, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (b *builds) close() {
	for _, side := range b.joins {
		side.keys.Close()
	}
}
