package spill

import "analyzer/columnar"

// recycler is an allocator that keeps one buffer that was freed for the next
// that is asked for, so that blocks read one after the other share one. What it
// returns is not cleared. It has one user at a time.
type recycler struct {
	alloc columnar.Allocator
	kept  []byte
	lent  []byte // kept before, in use now
}

// Allocate returns the buffer that is kept if it is large enough and not much
// too large.
func (r *recycler) Allocate(size int) []byte {
	if size > 0 && size <= len(r.kept) && len(r.kept) <= 4*size && r.lent == nil {
		r.lent, r.kept = r.kept, nil
		return r.lent[:size:size]
	}
	return r.alloc.Allocate(size)
}

// Reallocate returns a buffer of another size with what b holds.
func (r *recycler) Reallocate(size int, b []byte) []byte {
	out := r.Allocate(size)
	copy(out, b)
	r.Free(b)
	return out
}

// Free keeps a buffer if it is larger than the one that is kept.
func (r *recycler) Free(b []byte) {
	if len(b) > 0 && len(r.lent) > 0 && &b[0] == &r.lent[0] {
		b, r.lent = r.lent, nil
	}
	if len(b) > len(r.kept) {
		b, r.kept = r.kept, b
	}
	if b != nil {
		r.alloc.Free(b)
	}
}

// release gives back what is kept.
func (r *recycler) release() {
	if r.kept != nil {
		r.alloc.Free(r.kept)
		r.kept = nil
	}
}
