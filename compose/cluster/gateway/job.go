package gateway

import (
	"errors"
	"sync"
	"time"

	"analyzer/columnar/budget"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/operators"
	"analyzer/operators/keyset"
)

// knownJob is a job that the gateway remembers, with the scans and key sets that it made
// for the job. Once the gateway forgets the job, it makes no more of them; calls that
// still use the job are told to start over.
type knownJob struct {
	spec *protocol.Spec
	size int       // bytes of the spec as text
	used time.Time // when last used; guarded by the lock of jobs

	mu    sync.Mutex
	scans map[int]*scatter.Scan   // by node
	sets  map[int]*keyset.Set     // by join, of complete build sides; nil: too many keys
	keys  map[int]*keyset.Builder // by join; they own the memory of sets
	gone  bool
}

func newKnownJob(spec *protocol.Spec, size int) *knownJob {
	return &knownJob{
		spec: spec, size: size, scans: make(map[int]*scatter.Scan),
		sets: make(map[int]*keyset.Set), keys: make(map[int]*keyset.Builder),
	}
}

// close releases what was made for the job, when it is forgotten. Batches under way are
// still finished.
func (k *knownJob) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gone = true
	var errs []error
	for _, s := range k.scans {
		errs = append(errs, s.Close())
	}
	for _, b := range k.keys {
		b.Close()
	}
	return errors.Join(errs...)
}

// scan returns the scan of a node of the job's plan, of whose table there is such a split. Errors:
// scatter.ErrClosed once the job is forgotten; others are refusals.
func (k *knownJob) scan(node, split int, rt *operators.Runtime) (*scatter.Scan, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gone {
		return nil, scatter.ErrClosed
	}
	n, err := protocol.ScanNode(k.spec, node)
	if err != nil {
		return nil, refused("%v", err)
	}
	if splits := len(k.spec.Splits(n.Scan.Table)); split < 0 || split >= splits {
		return nil, refused("table %s of job %s has %d splits, and none is number %d", n.Scan.Table, k.spec.ID, splits, split)
	}
	if s := k.scans[node]; s != nil {
		return s, nil
	}
	s, err := scatter.New(rt, k.spec, node)
	if err != nil {
		return nil, refused("%v", err)
	}
	k.scans[node] = s
	return s, nil
}

// known returns the keys of a join's build side, and whether they are known. A known nil
// set means that there are too many keys.
func (k *knownJob) known(join int) (set *keyset.Set, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	set, known = k.sets[join]
	return set, known
}

// remember keeps the keys of a complete build side, or that there are too many.
func (k *knownJob) remember(join int, hashes []uint64, tooMany bool, b *budget.Budget) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.sets[join]; known || k.gone {
		return
	}
	if tooMany {
		k.sets[join] = nil
		return
	}
	builder := keyset.NewBuilder(b)
	builder.Add(hashes)
	k.keys[join], k.sets[join] = builder, builder.Build()
}
