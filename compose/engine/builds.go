package engine

import (
	"context"
	"sync"

	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/join"
	"analyzer/operators/keyset"
	"analyzer/operators/query/physical"
)

// builds collects the build sides of all replicas of each join: their keys, for the scans that
// wait for them, and the build sides as a whole, for workers that probe in place of the
// replicas.
type builds struct {
	e     *embedded
	mu    sync.Mutex
	joins map[int]*buildSide // by the join's node
}

// buildSide is the state of one join's build side.
type buildSide struct {
	waiting  int           // replicas whose build side is not complete
	done     chan struct{} // closed when waiting is 0
	keys     *keyset.Builder
	set      *keyset.Set // nil: not known, or too many
	replicas []*join.Operator
	whole    *join.Shared // made of replicas, which are dropped then; nil: not shared
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

// built is called when one replica's build side is complete.
func (b *builds) built(n *physical.Node, op operators.Operator) error {
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

// share waits until the build side of a join is complete and returns it as a whole, nil if it
// cannot be shared. The caller is one of the senders of the probe side and has not sent a row
// yet, so no replica has begun to probe.
func (b *builds) share(ctx context.Context, n *physical.Node) (*join.Shared, error) {
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
