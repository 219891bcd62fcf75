package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// lookup finds the group of each row of the batch whose keys were encoded, makes
// those there are not, and returns their record numbers in ids' memory. The
// directory has room for all rows as new groups.
func (t *table) lookup(hashes []uint64, ids []uint32) []uint32 {
	ids = slices.Grow(ids[:0], len(hashes))[:len(hashes)]
	t.probe(hashes)
	if k, ok := t.keys.(*wordKeys); ok {
		switch k.words() {
		case 0:
			t.lookup0(ids)
			return ids
		case 1:
			t.lookup1(k.rows, ids)
			return ids
		case 2:
			t.lookup2(k.rows, ids)
			return ids
		}
	}
	for i := range ids {
		ids[i] = t.find(i)
	}
	return ids
}

// probe reads the directory entries of all rows before any of them is needed:
// loads that do not depend on one another wait for memory together.
func (t *table) probe(hashes []uint64) {
	n := len(hashes)
	t.tags = slices.Grow(t.tags[:0], n)[:n]
	t.found = slices.Grow(t.found[:0], n)[:n]
	dir, seed := t.dir, t.seed
	mask := uint64(len(dir) - 1)
	for i, h := range hashes {
		tag := columnar.Rehash(h, seed)
		t.tags[i] = tag
		t.found[i] = dir[tag>>32&mask]
	}
}

// find finds the group of a row, or makes it.
func (t *table) find(row int) uint32 {
	tag, mask := t.tags[row], uint64(len(t.dir)-1)
	for slot := tag >> 32 & mask; ; slot = (slot + 1) & mask {
		e := t.dir[slot]
		if e == 0 {
			return t.insert(slot, tag, row)
		}
		if id := uint32(e) - 1; (e^tag)>>32 == 0 && t.keys.same(t.record(id), row) {
			return id
		}
	}
}

// lookup0 is for keys of no columns: all rows are one group.
func (t *table) lookup0(ids []uint32) {
	if len(ids) > 0 {
		t.find(0)
	}
	clear(ids)
}

// lookup1 and lookup2 take the common case upon themselves, in which the first
// entry is the right one.
func (t *table) lookup1(keys []uint64, ids []uint32) {
	for i, e := range t.found {
		if e != 0 && (e^t.tags[i])>>32 == 0 {
			if id := uint32(e) - 1; *t.word(id, 0) == keys[i] {
				ids[i] = id
				continue
			}
		}
		ids[i] = t.find(i)
	}
}

func (t *table) lookup2(keys []uint64, ids []uint32) {
	for i, e := range t.found {
		if e != 0 && (e^t.tags[i])>>32 == 0 {
			id := uint32(e) - 1
			if key := t.pair(id, 0); key[0] == keys[2*i] && key[1] == keys[2*i+1] {
				ids[i] = id
				continue
			}
		}
		ids[i] = t.find(i)
	}
}
