package aggregate

import "cmp"

// frequent tells which value is there most often, the least of several, while values come and go: a heap of how often
// each is there. Entries that are no longer true are passed over when they come up, and dropped when they are many.
type frequent[K cmp.Ordered] struct {
	mem  *memory
	size func(K) int64 // bytes of a value beside its entries
	of   map[K]int64
	heap []often[K]
}

type often[K cmp.Ordered] struct {
	value K
	times int64
}

// frequentBytes is about what the entries of a value take: one in the map, and room for four in the heap.
const frequentBytes = timesBytes + 4*24

func newFrequent[K cmp.Ordered](mem *memory, size func(K) int64) *frequent[K] {
	return &frequent[K]{mem: mem, size: size, of: make(map[K]int64)}
}

func (f *frequent[K]) add(value K) {
	n := f.of[value]
	if n == 0 {
		f.mem.claim(frequentBytes + f.size(value))
	}
	f.set(value, n+1)
}

// remove reports false if the value is not there.
func (f *frequent[K]) remove(value K) bool {
	n := f.of[value]
	switch n {
	case 0:
		return false
	case 1:
		f.mem.unclaim(frequentBytes + f.size(value))
		delete(f.of, value)
	default:
		f.set(value, n-1)
	}
	return true
}

func (f *frequent[K]) set(value K, times int64) {
	const few = 64
	f.of[value] = times
	if f.heap = append(f.heap, often[K]{value, times}); len(f.heap) <= 2*len(f.of)+few {
		f.up(len(f.heap) - 1)
		return
	}
	f.heap = f.heap[:0]
	for value, times := range f.of {
		f.heap = append(f.heap, often[K]{value, times})
	}
	for i := len(f.heap) / 2; i >= 0; i-- {
		f.down(i)
	}
}

// best returns the most frequent value; ok is false if there is none.
func (f *frequent[K]) best() (value K, ok bool) {
	if len(f.of) == 0 {
		return value, false
	}
	for f.of[f.heap[0].value] != f.heap[0].times {
		last := len(f.heap) - 1
		f.heap[0] = f.heap[last]
		f.heap = f.heap[:last]
		f.down(0)
	}
	return f.heap[0].value, true
}

// before reports whether an entry comes up before another one.
func (o often[K]) before(other often[K]) bool {
	return o.times > other.times || o.times == other.times && o.value < other.value
}

func (f *frequent[K]) up(i int) {
	for above := (i - 1) / 2; i > 0 && f.heap[i].before(f.heap[above]); above = (i - 1) / 2 {
		f.heap[i], f.heap[above] = f.heap[above], f.heap[i]
		i = above
	}
}

func (f *frequent[K]) down(i int) {
	for {
		first := i
		for below := 2*i + 1; below <= 2*i+2 && below < len(f.heap); below++ {
			if f.heap[below].before(f.heap[first]) {
				first = below
			}
		}
		if first == i {
			return
		}
		f.heap[i], f.heap[first] = f.heap[first], f.heap[i]
		i = first
	}
}

func (f *frequent[K]) reset() {
	for value := range f.of {
		f.mem.unclaim(frequentBytes + f.size(value))
	}
	clear(f.of)
	f.heap = nil
}

// frequentRows are encoded rows of which the most frequent one is known.
type frequentRows struct{ *frequent[string] }

func (f *frequentRows) add(row []byte)         { f.frequent.add(string(row)) }
func (f *frequentRows) remove(row []byte) bool { return f.frequent.remove(string(row)) }
