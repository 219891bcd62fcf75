package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// lookup finds the group of each row of the batch whose keys were encoded, and makes the groups
// that do not exist yet. It returns their positions in refs' memory. The directory must have
// room for every row as a new group.
func (t *table) lookup(hashes []uint64, refs []uint32) []uint32 {
	refs = slices.Grow(refs[:0], len(hashes))[:len(hashes)]
	t.probe(hashes)
	switch k := t.keys.(type) {
	case *byteKeys:
		t.lookupBytes(k, refs)
		return refs
	case *wordKeys:
		switch k.words() {
		case 0:
			t.lookup0(refs)
			return refs
		case 1:
			t.lookup1(k.rows, refs)
			return refs
		case 2:
			t.lookup2(k.rows, refs)
			return refs
		}
	}
	for i := range refs {
		refs[i] = t.find(i)
	}
	return refs
}

// probe finds the slot of each row by its tag, or the free slot where the search ends. It does
// so for all rows before any record is needed, and loads the entries of all rows before it
// looks at one. So the loads depend neither on each other nor on a mispredicted branch, and
// their cache misses overlap.
func (t *table) probe(hashes []uint64) {
	n := len(hashes)
	t.tags = slices.Grow(t.tags[:0], n)[:n]
	t.slots = slices.Grow(t.slots[:0], n)[:n]
	t.entries = slices.Grow(t.entries[:0], n)[:n]
	tags, slots, entries := t.tags[:n], t.slots[:n], t.entries[:n]
	dir, seed := t.dir, t.seed
	mask := uint64(len(dir) - 1)
	for i, h := range hashes {
		tag := columnar.Rehash(h, seed)
		tags[i], slots[i] = tag, tag>>32&mask
	}
	for i, slot := range slots {
		entries[i] = dir[slot&mask]
	}
	for i, e := range entries {
		if tag, slot := tags[i], slots[i]; (e^tag)>>32 != 0 && e != 0 {
			for ; (e^tag)>>32 != 0 && e != 0; e = dir[slot] {
				slot = (slot + 1) & mask
			}
			slots[i], entries[i] = slot, e
		}
	}
}

// find finds the group of a row, or makes it. The slot that probe found by its tag may belong
// to another key, or an earlier row of the batch may have taken it since.
func (t *table) find(row int) uint32 {
	tag, mask := t.tags[row], uint64(len(t.dir)-1)
	for slot := t.slots[row]; ; slot = (slot + 1) & mask {
		e := t.dir[slot]
		if e == 0 {
			ref := t.insert(slot, tag)
			t.keys.put(t.pages.rest(ref, 0), row)
			return ref
		}
		if ref := uint32(e) - 1; (e^tag)>>32 == 0 && t.keys.same(t.pages.rest(ref, 0), row) {
			return ref
		}
	}
}

// lookup0 is for keys of no columns: all rows are in one group.
func (t *table) lookup0(refs []uint32) {
	if len(refs) > 0 {
		t.find(0)
	}
	clear(refs)
}

// lookup1 and lookup2 inline the common case: the entry at a row's slot has the row's key.
func (t *table) lookup1(keys []uint64, refs []uint32) {
	for i, e := range t.entries {
		if e != 0 {
			if ref := uint32(e) - 1; *t.pages.word(ref, 0) == keys[i] {
				refs[i] = ref
				continue
			}
		}
		refs[i] = t.find(i)
	}
}

func (t *table) lookup2(keys []uint64, refs []uint32) {
	for i, e := range t.entries {
		if e != 0 {
			ref := uint32(e) - 1
			if key := t.pages.pair(ref, 0); key[0] == keys[2*i] && key[1] == keys[2*i+1] {
				refs[i] = ref
				continue
			}
		}
		refs[i] = t.find(i)
	}
}

// lookupBytes is for keys of bytes. It loads the records of many rows before it looks at one of them, and the long keys, so
// that here too cache misses overlap.
func (t *table) lookupBytes(k *byteKeys, refs []uint32) {
	pages, last, touched := t.pages, k.width-1, k.touched
	for lo := 0; lo < len(refs); lo += lookAhead {
		part := refs[lo:min(lo+lookAhead, len(refs))]
		for i, e := range t.entries[lo : lo+len(part)] {
			part[i] = nowhere
			if e != 0 {
				part[i] = uint32(e) - 1
				touched += *pages.word(part[i], 0) + *pages.word(part[i], last)
			}
		}
		if len(k.arena.slabs) > 0 {
			k.touch(t, part)
		}
		for i, ref := range part {
			if row := lo + i; ref == nowhere || !k.sameWords(pages.rest(ref, 0), row) && !k.sameLong(pages.rest(ref, 0), row) {
				part[i] = t.find(row)
			}
		}
	}
	k.touched = touched
}

const (
	// lookAhead is how many records lookupBytes loads at once.
	lookAhead = 256
	// nowhere is the reference of no record: none is as short as a word.
	nowhere = 1<<32 - 1
)
