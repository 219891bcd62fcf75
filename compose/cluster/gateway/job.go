package gateway

import (
	"errors"
	"sync"

	"analyzer/columnar/budget"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/keyset"
)

// knownJob is a job that the gateway knows of, with what it made for it. It is
// closed when nobody uses it and it was forgotten.
type knownJob struct {
	spec *protocol.Spec
	size int // bytes of the spec as text

	mu    sync.Mutex
	scans map[int]*scan           // by node
	sets  map[int]*keyset.Set     // by join, of complete build sides; nil: too many keys
	keys  map[int]*keyset.Builder // that hold the sets' memory
	users int
	gone  bool
}

func newKnownJob(spec *protocol.Spec, size int) *knownJob {
	return &knownJob{
		spec: spec, size: size, scans: make(map[int]*scan),
		sets: make(map[int]*keyset.Set), keys: make(map[int]*keyset.Builder),
	}
}

// use begins a use of the job, which must not be forgotten.
func (k *knownJob) use() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.users++
}

// release ends a use.
func (k *knownJob) release() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.users--
	return k.closeIfIdleLocked()
}

// forget closes the job as soon as nobody uses it.
func (k *knownJob) forget() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gone {
		return nil
	}
	k.gone = true
	return k.closeIfIdleLocked()
}

func (k *knownJob) closeIfIdleLocked() error {
	if !k.gone || k.users > 0 {
		return nil
	}
	var errs []error
	for _, s := range k.scans {
		errs = append(errs, s.Close())
	}
	for _, b := range k.keys {
		b.Close()
	}
	return errors.Join(errs...)
}

// scan returns a scan of the job, a node of its plan.
func (k *knownJob) scan(node int, rt *operators.Runtime) (*scan, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.scans[node]; s != nil {
		return s, nil
	}
	s, err := newScan(rt, k.spec, node)
	if err == nil {
		k.scans[node] = s
	}
	return s, err
}

// known returns the keys of a join's build side, and whether they are known.
func (k *knownJob) known(join int) (set *keyset.Set, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	set, known = k.sets[join]
	return set, known
}

// remember keeps the keys of a complete build side; none if there are too many.
func (k *knownJob) remember(join int, hashes []uint64, tooMany bool, b *budget.Budget) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.sets[join]; known {
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
