package scan

import (
	"math/bits"
	"sync"
)

// poolAllocator gives released memory out again, so that benchmarks measure the
// scan and not how Go clears and collects memory.
type poolAllocator struct{ pools [64]sync.Pool }

func (p *poolAllocator) Allocate(n int) []byte {
	if n == 0 {
		return nil
	}
	class := bits.Len(uint(n - 1))
	if v := p.pools[class].Get(); v != nil {
		return (*v.(*[]byte))[:n]
	}
	return make([]byte, 1<<class)[:n]
}

func (p *poolAllocator) Reallocate(n int, b []byte) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	larger := p.Allocate(n)
	copy(larger, b)
	p.Free(b)
	return larger
}

func (p *poolAllocator) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	b = b[:cap(b)]
	p.pools[bits.Len(uint(len(b)-1))].Put(&b)
}
