package aggregate

import "unsafe"

// arena keeps runs of values. It is filled slab by slab; slabs never move.
type arena[T any] struct {
	mem   *memory
	slabs [][]T
	at    int // slab being filled
}

// The first slab of an arena has 4 KiB, since many groupings are small. Each further slab is
// twice as large, up to 64 KiB.
const (
	firstSlab     = 4 << 10
	slabDoublings = 4
)

// alloc returns a run of n values with arbitrary contents, and a reference to it.
func (a *arena[T]) alloc(n int) (ref uint64, run []T) {
	for a.at < len(a.slabs) && cap(a.slabs[a.at])-len(a.slabs[a.at]) < n {
		a.at++
	}
	if a.at == len(a.slabs) {
		var value T
		bytes := int(unsafe.Sizeof(value))
		size := max(n, firstSlab<<min(a.at, slabDoublings)/bytes)
		a.mem.claim(int64(size * bytes))
		a.slabs = append(a.slabs, make([]T, 0, size))
	}
	slab := a.slabs[a.at]
	start, end := len(slab), len(slab)+n
	a.slabs[a.at] = slab[:end]
	return uint64(a.at)<<32 | uint64(start), slab[start:end]
}

// from returns the values from a reference to the end of its slab. The result is borrowed.
func (a *arena[T]) from(ref uint64) []T { return a.slabs[ref>>32][uint32(ref):] }

// run returns the n values at a reference. The result is borrowed.
func (a *arena[T]) run(ref, n uint64) []T {
	at := ref & 0xFFFFFFFF
	return a.slabs[ref>>32][at : at+n]
}

// reset forgets the values and keeps the memory, except a slab that exceeded the limit: with it
// the arena would grow each time. free forgets all memory.
func (a *arena[T]) reset() {
	if last := len(a.slabs) - 1; a.mem.full && last >= 0 {
		var value T
		a.mem.unclaim(int64(cap(a.slabs[last])) * int64(unsafe.Sizeof(value)))
		a.slabs = a.slabs[:last]
	}
	for i := range a.slabs {
		a.slabs[i] = a.slabs[i][:0]
	}
	a.at = 0
}

// giveBack frees all slabs before the given one. References to other slabs stay valid.
func (a *arena[T]) giveBack(before int) {
	var value T
	for i, slab := range a.slabs[:before] {
		a.mem.unclaim(int64(cap(slab)) * int64(unsafe.Sizeof(value)))
		a.slabs[i] = nil
	}
}

func (a *arena[T]) free() { a.slabs, a.at = nil, 0 }
