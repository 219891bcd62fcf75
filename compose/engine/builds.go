package engine

import (
	"context"
	"sync"

	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/join"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// builds gathers the build sides of all replicas of a join: their keys, for the scans that
// wait for them, and the whole, for those who probe it in place of the replicas.
type builds struct {
	e     *embedded
	mu    sync.Mutex
	joins map[int]*buildSide // by the join's node
}

// buildSide is what is known of one join's build side.
type buildSide struct {
	waiting  int           // replicas that are not complete
	done     chan struct{} // closed when none is
	keys     *keyset.Builder
	set      *keyset.Set // nil: not known, or too many
	replicas []*join.Operator
	whole    *join.Shared // of the replicas, which are nil then; nil: they alone probe it
}

func newBuilds(e *embedded) *builds {
	b := &builds{e: e, joins: make(map[int]*buildSide)}
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
	side, replica := b.joins[n.ID], op.(*join.Operator)
	if !replica.BuildHashes(func(hashes []uint64) bool { side.keys.Add(hashes); return true }) {
		side.keys.Abandon()
	}
	side.replicas = append(side.replicas, replica)
	if side.waiting--; side.waiting == 0 {
		side.set = side.keys.Build()
		close(side.done)
	}
	return nil
}

// await waits until the build side of a join is complete.
func (b *builds) await(ctx context.Context, join int) (*buildSide, error) {
	side := b.joins[join]
	return side, wait(ctx, side.done)
}

// keys waits until the build side of a join is complete and returns its keys, nil
// if they are not known.
func (b *builds) keys(ctx context.Context, join int) (*keyset.Set, error) {
	side, err := b.await(ctx, join)
	if err != nil {
		return nil, err
	}
	return side.set, nil
}

// share waits until the build side of a join is complete and returns the whole of it, nil if
// it cannot be shared. Who calls it is one of those who send the probe side, and has not sent
// a row: no replica has begun to probe.
func (b *builds) share(ctx context.Context, n *planner.Node) (*join.Shared, error) {
	side, err := b.await(ctx, n.ID)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if replicas := side.replicas; replicas != nil {
		beside := exec.LeastMemory(b.e.plan, b.e.plan.Stages[n.Stage])
		side.whole, side.replicas = replicas[0].Share(replicas, int64(b.e.scanners)*beside), nil
	}
	return side.whole, nil
}

func (b *builds) close() {
	for _, side := range b.joins {
		side.keys.Close()
	}
}
