package scan

import (
	"context"
	"sync"
)

// Turns lets workers do some steps in the order of the file, although they process blocks
// in any order. A worker waits only for workers that hold earlier blocks. Safe for
// concurrent use.
type Turns struct {
	mu      sync.Mutex
	next    int64 // the first block that is not done
	done    map[int64]struct{}
	gaps    map[int64]int64 // by the number behind which blocks are missing: the next that is there
	waiting map[int64]chan struct{}
	err     error // ends everything
}

// NewTurns returns Turns that begin with block 0.
func NewTurns() *Turns {
	return &Turns{done: map[int64]struct{}{}, gaps: map[int64]int64{}, waiting: map[int64]chan struct{}{}}
}

// Await returns when all blocks before block k are done, or with the error that ended the
// scan. If the context is cancelled, Await ends the scan with its cause.
func (t *Turns) Await(ctx context.Context, k int64) error {
	t.mu.Lock()
	if t.err != nil || t.next == k {
		defer t.mu.Unlock()
		return t.err
	}
	ready := t.waiting[k]
	if ready == nil {
		ready = make(chan struct{})
		t.waiting[k] = ready
	}
	t.mu.Unlock()
	select {
	case <-ready:
		return t.failure()
	case <-ctx.Done():
		return t.fail(context.Cause(ctx))
	}
}

// Finish marks block k as done.
func (t *Turns) Finish(k int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done[k] = struct{}{}
	t.advanceLocked()
}

// Skip says that there are no blocks from number from up to number to.
func (t *Turns) Skip(from, to int64) {
	if from == to {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gaps[from] = to
	t.advanceLocked()
}

func (t *Turns) advanceLocked() {
	for {
		if to, ok := t.gaps[t.next]; ok {
			delete(t.gaps, t.next)
			t.next = to
		}
		if _, ok := t.done[t.next]; ok {
			delete(t.done, t.next)
			t.next++
		} else if _, ok := t.gaps[t.next]; !ok {
			break
		}
	}
	if ready, ok := t.waiting[t.next]; ok {
		delete(t.waiting, t.next)
		close(ready)
	}
}

// fail ends the scan with err, unless it has already ended. It returns the error that
// ended the scan.
func (t *Turns) fail(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
	for k, ready := range t.waiting {
		delete(t.waiting, k)
		close(ready)
	}
	return t.err
}

func (t *Turns) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
