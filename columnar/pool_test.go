package columnar_test

import (
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

var _ memory.Allocator = (*columnar.Pool)(nil)

// Memory has the size asked for, is aligned as Arrow asks, keeps its content when
// it grows, and is never two holders' at once.
func TestPoolMemory(t *testing.T) {
	p := columnar.NewPool()
	for n := 1; n < 10<<20; n = n*3/2 + 1 {
		b := p.Allocate(n)
		if len(b) != n {
			t.Fatalf("%d bytes asked for, %d given", n, len(b))
		}
		if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64 != 0 {
			t.Errorf("%d bytes are not aligned", n)
		}
		other := p.Allocate(n)
		if unsafe.SliceData(b) == unsafe.SliceData(other) {
			t.Errorf("%d bytes are given to two", n)
		}
		p.Free(other)
		b[n-1] = 7
		if b = p.Reallocate(4*n, b); len(b) != 4*n || b[n-1] != 7 {
			t.Errorf("%d bytes lose their content when they grow", n)
		}
		p.Free(b)
		p.Free(p.Allocate(n))
	}
	p.Free(nil)
	if b := p.Allocate(0); len(b) != 0 {
		t.Errorf("no bytes asked for, %d given", len(b))
	}
}
