package columnar

import (
	"math/bits"
	"sync"
)

// Pool is an allocator that gives released memory out again. Batches come and go
// by the thousand a second, all of about the same sizes, and without it clearing
// and collecting their memory takes a third of a scan's time. What is not used for
// a while goes back to Go's heap. Safe for concurrent use.
//
// Memory is not cleared, and what was released may be somebody else's at once:
// whoever holds on to a view of a batch beyond its last Release reads garbage.
type Pool struct{ classes [poolClasses]sync.Pool }

// Memory comes in powers of two of bytes, from one that Arrow's alignment asks
// for up to one that a batch rarely exceeds; larger memory is left to the heap.
const (
	smallestClass = 6
	poolClasses   = 23
)

// NewPool returns an empty pool.
func NewPool() *Pool { return new(Pool) }

func classOf(n int) int { return max(bits.Len(uint(n-1)), smallestClass) }

// Allocate returns n bytes with any content.
func (p *Pool) Allocate(n int) []byte {
	if n == 0 {
		return nil
	}
	class := classOf(n)
	if class >= poolClasses {
		return make([]byte, n)
	}
	if v := p.classes[class].Get(); v != nil {
		return (*v.(*[]byte))[:n]
	}
	return make([]byte, 1<<class)[:n]
}

// Reallocate returns n bytes that begin with those of b, which is given up.
func (p *Pool) Reallocate(n int, b []byte) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	larger := p.Allocate(n)
	copy(larger, b)
	p.Free(b)
	return larger
}

// Free takes b back.
func (p *Pool) Free(b []byte) {
	b = b[:cap(b)]
	if len(b) == 0 || len(b)&(len(b)-1) != 0 {
		return
	}
	if class := classOf(len(b)); len(b) == 1<<class && class < poolClasses {
		p.classes[class].Put(&b)
	}
}
