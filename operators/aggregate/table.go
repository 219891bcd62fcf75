package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// table finds or makes the record of a key. A growing table copies nothing but
// its directory.
type table struct {
	mem    *memory
	keys   keys
	state  int // words of a record behind the key
	words  int // of a record
	pages  pages
	spare  pages  // of an emptied table
	count  int    // records
	next   uint32 // position of the next one, if it fits on the last page
	onPage int    // records that fit on a page

	// dir has the upper half of a key's hash in the upper half of an entry, and
	// the record's position plus one in the lower; zero is free. The lower bits
	// of that half of the hash say where an entry belongs, the upper ones are its
	// spill partition.
	dir  []uint64
	seed uint64 // of the hashes

	tags    []uint64 // the batch's hashes
	slots   []uint64 // where the directory has them, or a free slot for them
	entries []uint64 // what it has where they belong
	order   []uint32 // records by partition
}

const (
	leastDir = 256
	// orderBytes is what sorting records by partition takes for each.
	orderBytes = 4
)

func newTable(mem *memory, k keys, state int) *table {
	t := &table{mem: mem, keys: k, state: state, seed: columnar.SeedTable}
	t.layOut()
	return t
}

// layOut sets the size of records.
func (t *table) layOut() {
	t.words = t.keys.words() + t.state
	t.onPage = pageWords / max(t.words, 1)
}

// position returns where the n-th record lies.
func (t *table) position(n int) uint32 {
	return uint32(n/t.onPage<<pageShift | n%t.onPage*t.words)
}

// number is the inverse of position.
func (t *table) number(ref uint32) int {
	return int(ref>>pageShift)*t.onPage + int(ref&pageMask)/max(t.words, 1)
}

// fits makes the directory large enough for n more groups, and reports false
// when memory does not allow it, or positions have no more bits, which force does
// not change. It is doubled when it is five eighths full, or
// where that is too much, filled up to seven.
func (t *table) fits(n int, force bool) bool {
	want := t.count + n
	if want > mostPages*t.onPage {
		return false
	}
	if want <= len(t.dir)/8*5 {
		return true
	}
	size := max(len(t.dir), leastDir)
	for want > size/8*5 {
		size *= 2
	}
	if bytes := int64(size) * 8; !t.mem.allows(bytes) {
		if want <= len(t.dir)/8*7 {
			return true
		}
		if !force {
			return false
		}
		t.mem.claim(bytes)
	}
	t.rehash(size)
	return true
}

func (t *table) rehash(size int) {
	old := t.dir
	t.dir = columnar.Zeroed[uint64](nil, size)
	mask := uint64(size - 1)
	for _, e := range old {
		if e == 0 {
			continue
		}
		slot := e >> 32 & mask
		for t.dir[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.dir[slot] = e
	}
	t.mem.unclaim(int64(len(old)) * 8)
}

// insert makes a group in a free slot of the directory. Its words are zero; the
// key is the caller's to put.
func (t *table) insert(slot, tag uint64) uint32 {
	if t.count == len(t.pages)*t.onPage {
		t.addPage()
	}
	ref := t.next
	t.next += uint32(t.words)
	t.count++
	t.dir[slot] = tag&^0xFFFFFFFF | uint64(ref+1)
	return ref
}

func (t *table) addPage() {
	t.next = uint32(len(t.pages) << pageShift)
	if last := len(t.spare) - 1; last >= 0 {
		*t.spare[last] = page{}
		t.pages = append(t.pages, t.spare[last])
		t.spare = t.spare[:last]
		return
	}
	t.mem.claim(t.pageBytes())
	t.pages = append(t.pages, new(page))
}

// pageBytes is what a page takes, with what it takes to sort its records.
func (t *table) pageBytes() int64 { return int64(pageWords*8 + t.onPage*orderBytes) }

// mustWiden reports whether columns of keys may hold nulls while keys have no mask.
func (t *table) mustWiden(cols []*columnar.Vector) bool {
	k, ok := t.keys.(*wordKeys)
	return ok && !k.masked && slices.ContainsFunc(cols, func(v *columnar.Vector) bool { return v.Valid != nil })
}

// widen gives keys a mask: each record becomes longer by a word behind its key, which is zero;
// the hashes are the same.
func (t *table) widen() {
	t.keys.(*wordKeys).masked = true
	old := *t
	t.layOut()
	key := t.words - t.state - 1
	t.mem.unclaim(old.pageBytes() * int64(len(old.spare)))
	t.pages, t.spare, t.count = nil, nil, 0
	for n := range old.count {
		if t.count == len(t.pages)*t.onPage {
			t.addPage()
		}
		from, to := old.pages.rest(old.position(n), 0), t.pages.rest(t.next, 0)
		copy(to, from[:key])
		copy(to[key+1:], from[key:old.words])
		t.count++
		t.next += uint32(t.words)
	}
	t.mem.unclaim(old.pageBytes() * int64(len(old.pages)))
	for i, e := range t.dir {
		if e != 0 {
			t.dir[i] = e&^0xFFFFFFFF | uint64(t.position(old.number(uint32(e)-1))+1)
		}
	}
}

// all returns the positions of all records in dst's memory.
func (t *table) all(dst []uint32) []uint32 {
	dst = grow(dst[:0], t.count)
	for n := 0; n < t.count; {
		ref := t.position(n)
		for range min(t.onPage, t.count-n) {
			dst[n] = ref
			ref += uint32(t.words)
			n++
		}
	}
	return dst
}

// reset forgets all groups and keeps the memory; free forgets that too.
func (t *table) reset() {
	clear(t.dir)
	t.spare = append(t.spare, t.pages...)
	t.pages, t.count = t.pages[:0], 0
	t.keys.reset()
}

func (t *table) free() {
	t.dir, t.pages, t.spare, t.order, t.count = nil, nil, nil, nil, 0
	t.keys.free()
}

// byPartition returns the records of each of a number of partitions, a power of
// two, one after the other, and where those of each end.
func (t *table) byPartition(partitions int) (order []uint32, ends []int) {
	ends = make([]int, partitions)
	for _, e := range t.dir {
		if e != 0 {
			ends[e>>32*uint64(partitions)>>32]++
		}
	}
	sum := 0
	for p, n := range ends {
		ends[p] = sum // where the partition starts, until it is filled
		sum += n
	}
	t.order = slices.Grow(t.order[:0], t.count)[:t.count]
	for _, e := range t.dir {
		if e != 0 {
			p := e >> 32 * uint64(partitions) >> 32
			t.order[ends[p]] = uint32(e) - 1
			ends[p]++
		}
	}
	return t.order, ends
}
