package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// table finds or makes the record of a key. When it grows, it copies only its directory.
type table struct {
	mem    *memory
	keys   keys
	state  int // words of a record after the key
	words  int // words of a record
	pages  pages
	spare  pages  // pages of an emptied table, for reuse
	count  int    // number of records
	next   uint32 // position of the next record, if it fits on the last page
	onPage int    // records that fit on a page

	// dir is open addressing. The upper half of an entry is the upper half of the key's hash,
	// the lower half is the record's position plus one; zero is a free slot. The lower bits of
	// that half of the hash choose the slot, its upper bits the spill partition.
	dir  []uint64
	seed uint64 // of the hashes

	tags    []uint64 // the batch's hashes
	slots   []uint64 // their slots in the directory, or free slots for them
	entries []uint64 // what was there
	order   []uint32 // records by partition
}

const (
	leastDir = 256
	// orderBytes is the memory per record for sorting records by partition.
	orderBytes = 4
)

func newTable(mem *memory, k keys, state int) *table {
	t := &table{mem: mem, keys: k, state: state, seed: columnar.SeedTable}
	t.layOut()
	return t
}

// layOut computes the size of records.
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

// fits makes the directory large enough for n more groups. It reports false if memory does not
// allow it, or if positions run out of bits; force overrides only the former. The directory is
// doubled when it is five eighths full. Where memory does not allow that, it fills up to seven.
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

// insert makes a group in a free slot of the directory. Its words are zero; the caller must put
// the key.
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
	if len(t.pages)+len(t.spare) == 0 {
		t.layOut() // keys of bytes have become as wide as they are
	}
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

// pageBytes is the memory of a page, including the memory for sorting its records.
func (t *table) pageBytes() int64 { return int64(pageWords*8 + t.onPage*orderBytes) }

// mustWiden reports whether the key columns may hold nulls while the keys have no mask.
func (t *table) mustWiden(cols []*columnar.Vector) bool {
	k, ok := t.keys.(*wordKeys)
	return ok && !k.masked && slices.ContainsFunc(cols, func(v *columnar.Vector) bool { return v.Valid != nil })
}

// widen gives keys a mask: each record grows by one word after its key, which is zero. The
// hashes stay the same.
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

// all returns the positions of all records, in dst's memory.
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

// reset forgets all groups and keeps the memory; free gives the memory up too.
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

// byPartition returns the records grouped by partition, and where each partition ends. The
// number of partitions must be a power of two.
func (t *table) byPartition(partitions int) (order []uint32, ends []int) {
	ends = make([]int, partitions)
	for _, e := range t.dir {
		if e != 0 {
			ends[e>>32*uint64(partitions)>>32]++
		}
	}
	sum := 0
	for p, n := range ends {
		ends[p] = sum // the partition's start, until it is filled
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
