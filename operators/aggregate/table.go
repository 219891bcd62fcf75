package aggregate

import (
	"bytes"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

// pageGroups is the number of records in a page. Pages are never moved, so a
// growing table copies nothing but its directory.
const (
	pageShift  = 9
	pageGroups = 1 << pageShift
)

// table finds or makes the record of a key. A record is a run of words: the
// key's, then those of the states.
type table struct {
	keys     keyCodec
	words    int // of a record
	pages    [][]uint64
	spare    [][]uint64 // pages of an emptied table
	dir      []uint64   // hash tag in the upper half, record number + 1 in the lower
	seed     uint64     // of the tags
	count    int
	arena    arena
	reserved *budget.Reservation
}

// A tag is the upper half of the key hash rehashed. Its lower bits choose the
// slot and its upper bits the spill partition, so that the groups of one
// partition spread over the whole directory of the next level, whose seed is
// another one besides.
const tagMask = 0xFFFFFFFF00000000

func newTable(keys keyCodec, stateWords int, reserved *budget.Reservation) *table {
	return &table{keys: keys, words: keys.words() + stateWords, reserved: reserved}
}

// orderBytes is what sorting groups by partition takes for each.
const orderBytes = 4

// record returns the words of a group.
func (t *table) record(id uint32) []uint64 {
	at := int(id&(pageGroups-1)) * t.words
	return t.pages[id>>pageShift][at : at+t.words]
}

// room makes sure that n more groups, with keys of the given encoded size, find
// place, and reports false when the budget does not allow it. With force it
// does so in any case.
func (t *table) room(n int, keyBytes int64, force bool) bool {
	want := t.count + n
	pages := (want+pageGroups-1)/pageGroups - len(t.pages) - len(t.spare)
	dir := len(t.dir)
	if dir == 0 {
		dir = 256
	}
	for want > dir/8*5 {
		dir *= 2
	}
	bytes := int64(max(pages, 0)) * pageGroups * int64(t.words*8+orderBytes)
	if dir != len(t.dir) {
		bytes += int64(dir) * 8 // the old one is given back after the move
	}
	bytes += t.arena.missing(keyBytes)
	if bytes > 0 {
		if force {
			t.reserved.Grow(bytes)
		} else if !t.reserved.TryGrow(bytes) {
			return false
		}
	}
	for range pages {
		t.spare = append(t.spare, make([]uint64, t.words*pageGroups))
	}
	t.arena.grow(keyBytes)
	if dir != len(t.dir) {
		t.rehash(dir)
	}
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
		slot := t.slotOf(e, mask)
		for t.dir[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.dir[slot] = e
	}
	t.reserved.Shrink(int64(len(old)) * 8)
}

// slotOf returns where an entry belongs: the tag alone decides, so that the
// directory can grow without the keys.
func (t *table) slotOf(entry, mask uint64) uint64 { return entry >> 32 & mask }

// lookup finds the group of each row, makes those there are not, and returns
// their record numbers in ids' memory. There must be room for all rows as new
// groups.
func (t *table) lookup(ids []uint32, hashes []uint64, rows int) []uint32 {
	ids = slices.Grow(ids[:0], rows)[:rows]
	mask := uint64(len(t.dir) - 1)
	if w := t.keys.fixed; w != nil {
		switch len(w.cols) {
		case 1:
			t.lookup1(ids, hashes, mask)
			return ids
		case 2:
			t.lookup2(ids, hashes, mask)
			return ids
		}
		kw := len(w.cols)
		for i := range ids {
			key := w.rows[i*kw : i*kw+kw]
			ids[i] = t.find(hashes[i], mask, i, func(rec []uint64) bool { return slices.Equal(rec[:kw], key) })
		}
		return ids
	}
	v := t.keys.varying
	for i := range ids {
		key := v.row(i)
		ids[i] = t.find(hashes[i], mask, i, func(rec []uint64) bool { return bytes.Equal(t.arena.bytes(rec), key) })
	}
	return ids
}

// find looks a key up by its hash, with same comparing it to a record's.
func (t *table) find(hash, mask uint64, row int, same func(rec []uint64) bool) uint32 {
	tag := columnar.Rehash(hash, t.seed) & tagMask
	for slot := tag >> 32 & mask; ; slot = (slot + 1) & mask {
		e := t.dir[slot]
		if e == 0 {
			return t.insert(slot, tag, row)
		}
		if e&tagMask == tag && same(t.record(uint32(e)-1)) {
			return uint32(e) - 1
		}
	}
}

func (t *table) lookup1(ids []uint32, hashes []uint64, mask uint64) {
	keys := t.keys.fixed.rows
	for i, h := range hashes[:len(ids)] {
		tag := columnar.Rehash(h, t.seed) & tagMask
		for slot := tag >> 32 & mask; ; slot = (slot + 1) & mask {
			e := t.dir[slot]
			if e == 0 {
				ids[i] = t.insert(slot, tag, i)
				break
			}
			if e&tagMask == tag {
				id := uint32(e) - 1
				if t.pages[id>>pageShift][int(id&(pageGroups-1))*t.words] == keys[i] {
					ids[i] = id
					break
				}
			}
		}
	}
}

func (t *table) lookup2(ids []uint32, hashes []uint64, mask uint64) {
	keys := t.keys.fixed.rows
	for i, h := range hashes[:len(ids)] {
		tag := columnar.Rehash(h, t.seed) & tagMask
		for slot := tag >> 32 & mask; ; slot = (slot + 1) & mask {
			e := t.dir[slot]
			if e == 0 {
				ids[i] = t.insert(slot, tag, i)
				break
			}
			if e&tagMask == tag {
				id := uint32(e) - 1
				at := int(id&(pageGroups-1)) * t.words
				rec := t.pages[id>>pageShift][at : at+2]
				if rec[0] == keys[2*i] && rec[1] == keys[2*i+1] {
					ids[i] = id
					break
				}
			}
		}
	}
}

// insert makes a group for a row's key in a free slot.
func (t *table) insert(slot, tag uint64, row int) uint32 {
	id := uint32(t.count)
	t.count++
	if int(id>>pageShift) == len(t.pages) {
		last := len(t.spare) - 1
		t.pages = append(t.pages, t.spare[last])
		t.spare = t.spare[:last]
	}
	rec := t.record(id)
	clear(rec)
	if w := t.keys.fixed; w != nil {
		kw := len(w.cols)
		copy(rec, w.rows[row*kw:row*kw+kw])
	} else {
		t.arena.put(rec, t.keys.varying.row(row))
	}
	t.dir[slot] = tag | uint64(id+1)
	return id
}

// reset forgets all groups and keeps the memory.
func (t *table) reset() {
	clear(t.dir)
	t.spare = append(t.spare, t.pages...)
	t.pages, t.count = t.pages[:0], 0
	t.arena.reset()
}

// free forgets all groups and gives back the memory.
func (t *table) free() {
	t.dir, t.pages, t.spare, t.count = nil, nil, nil, 0
	t.arena = arena{}
	t.reserved.Release()
}

// byPartition returns all record numbers sorted by spill partition, and where
// each of the partitions starts.
func (t *table) byPartition() (order []uint32, starts [partitions + 1]int32) {
	for _, e := range t.dir {
		if e != 0 {
			starts[e>>partitionShift]++
		}
	}
	sum := int32(0)
	for p, n := range starts {
		starts[p] = sum
		sum += n
	}
	order = make([]uint32, t.count)
	next := starts
	for _, e := range t.dir {
		if e != 0 {
			p := e >> partitionShift
			order[next[p]] = uint32(e) - 1
			next[p]++
		}
	}
	return order, starts
}
