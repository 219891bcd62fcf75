package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// table finds or makes the record of a key. A record is a run of words: the
// key's, then those of the states. Records lie in pages, which never move, so a
// growing table copies nothing but its directory.
type table struct {
	mem   *memory
	keys  keys
	state int  // words of a record behind the key
	words int  // of a record
	shift uint // logarithm of the records of a page
	pages [][]uint64
	spare [][]uint64 // pages of an emptied table
	count int        // records

	// dir has the upper half of a key's hash in the upper half of an entry, and
	// the record's number plus one in the lower; zero is free. The lower bits of
	// that half of the hash say where an entry belongs, the upper ones are its
	// spill partition.
	dir  []uint64
	seed uint64 // of the hashes

	tags  []uint64 // the batch's hashes
	found []uint64 // what stands where they belong
	order []uint32 // records by partition
}

// records are the words of one state, those from at on, in some groups.
type records struct {
	table *table
	at    int
	ids   []uint32
}

const (
	pageBytes = 32 << 10 // at most
	leastDir  = 256
	// orderBytes is what sorting records by partition takes for each.
	orderBytes = 4
)

func newTable(mem *memory, k keys, state int) *table {
	t := &table{mem: mem, keys: k, state: state, seed: columnar.SeedTable}
	t.layOut()
	return t
}

// layOut sets the sizes of records and of pages.
func (t *table) layOut() {
	t.words = t.keys.words() + t.state
	for t.shift = 12; t.shift > 0 && t.words<<t.shift*8 > pageBytes; t.shift-- {
	}
}

// record returns the words of a group.
func (t *table) record(id uint32) []uint64 {
	at := int(id&(1<<(t.shift&31)-1)) * t.words
	return t.pages[id>>(t.shift&31)][at : at+t.words]
}

// word returns one word of a group.
func (t *table) word(id uint32, at int) *uint64 {
	return &t.pages[id>>(t.shift&31)][int(id&(1<<(t.shift&31)-1))*t.words+at]
}

// pair returns two words of a group.
func (t *table) pair(id uint32, at int) *[2]uint64 {
	at += int(id&(1<<(t.shift&31)-1)) * t.words
	return (*[2]uint64)(t.pages[id>>(t.shift&31)][at : at+2])
}

// fits makes the directory large enough for n more groups, and reports false
// when memory does not allow it. It is doubled when it is five eighths full, or
// where that is too much, filled up to seven.
func (t *table) fits(n int, force bool) bool {
	want := t.count + n
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
	t.dir = make([]uint64, size)
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

// insert makes a group for a row's key in a free slot.
func (t *table) insert(slot, tag uint64, row int) uint32 {
	id := uint32(t.count)
	if int(id>>t.shift) == len(t.pages) {
		t.addPage()
	}
	t.count++
	rec := t.record(id)
	clear(rec)
	t.keys.put(rec, row)
	t.dir[slot] = tag&^0xFFFFFFFF | uint64(id+1)
	return id
}

func (t *table) addPage() {
	if last := len(t.spare) - 1; last >= 0 {
		t.pages = append(t.pages, t.spare[last])
		t.spare = t.spare[:last]
		return
	}
	t.mem.claim(t.pageBytes())
	t.pages = append(t.pages, make([]uint64, t.words<<t.shift))
}

// pageBytes is what a page takes, with what it takes to sort its records.
func (t *table) pageBytes() int64 { return int64(t.words*8+orderBytes) << t.shift }

// widen moves all records to new pages after their keys have become longer by a
// word, which is zero; the hashes are the same.
func (t *table) widen() {
	from := *t
	t.layOut()
	key := t.words - t.state - 1
	t.mem.unclaim(from.pageBytes() * int64(len(from.spare)))
	t.pages, t.spare = nil, nil
	for id := range uint32(t.count) {
		if int(id>>t.shift) == len(t.pages) {
			t.addPage()
		}
		old, rec := from.record(id), t.record(id)
		copy(rec, old[:key])
		rec[key] = 0
		copy(rec[key+1:], old[key:])
		if last := int(id+1)&(1<<from.shift-1) == 0; last || int(id+1) == t.count {
			from.pages[id>>from.shift] = nil
			t.mem.unclaim(from.pageBytes())
		}
	}
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
