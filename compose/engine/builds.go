package engine

import (
	"context"
	"slices"
	"sync"

	"analyzer/operators"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// builds gathers the keys of build sides from all replicas of a join, for the
// scans that wait for them.
type builds struct {
	embedded *embedded
	mu       sync.Mutex
	joins    map[int]*buildSide // by the join's node
}

// buildSide is what is known of one join's build side.
type buildSide struct {
	waiting int           // replicas that are not complete
	done    chan struct{} // closed when none is
	keys    *keyset.Builder
	set     *keyset.Set // nil: not known, or too many
}

func newBuilds(e *embedded) *builds {
	b := &builds{embedded: e, joins: make(map[int]*buildSide)}
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

// keys waits until the build side that a filter speaks of is complete and
// returns its keys, nil if they are not known.
func (b *builds) keys(ctx context.Context, f planner.KeyFilter) (*keyset.Set, error) {
	for _, n := range b.embedded.plan.Nodes {
		if n.Join == nil || n.Inputs[0].Node != f.Build || !slices.Equal(buildKeys(n.Join), f.Keys) {
			continue
		}
		side := b.joins[n.ID]
		select {
		case <-side.done:
			return side.set, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return nil, nil
}

func buildKeys(j *planner.Join) []string {
	keys := make([]string, len(j.On))
	for i, p := range j.On {
		keys[i] = p.Build
	}
	return keys
}

func (b *builds) close() {
	for _, side := range b.joins {
		side.keys.Close()
	}
}
