package join

import (
	"math/bits"

	"analyzer/columnar"
)

// directory finds the build rows of a key, by its number where keys are numbers that lie
// close together, and else by its hash. That is open addressing over words that are zero
// where a slot is free:
//
//	63          62 … 33      32          31 … 0
//	in use (1)  30 hash bits more (1)    number of the first row
//
// All rows whose hashes agree in those bits and lie in one run of slots share a
// slot; if there is more than one, the others follow by next, in ascending
// order. Who looks up compares keys, so an accidental agreement only costs time.
type directory struct {
	slots []uint64
	byKey []uint32 // instead of slots: 1 + number of the first row, by the key less least; 0: there is none
	least int64    // of the keys
	next  []uint32 // number of the next row of the chain, 0 at its end; empty while no chain is longer than one
	ids   int      // above all row numbers

	fetched uint64 // means nothing
}

const (
	entryUsed = 1 << 63
	entryMore = 1 << 32
	entryTag  = entryUsed | (1<<30-1)<<33
	// leastSlotsPerRow keeps a search for an absent key at about 2.5 slots.
	leastSlotsPerRow = 2
	// mostSlotsPerRow is what a directory has of up to roomySlots: there a search
	// costs what the processor guesses wrong about where it ends, not memory.
	mostSlotsPerRow = 4
	roomySlots      = 1 << 19
)

func slotCount(rows int) int {
	return max(leastSlotsPerRow*rows, min(mostSlotsPerRow*rows, roomySlots)) + 1
}

// reset makes the directory empty, with room for rows whose numbers are below
// ids.
func (d *directory) reset(rows, ids int) {
	d.slots, d.byKey = columnar.Zeroed(d.slots, slotCount(rows)), nil
	d.next, d.ids = d.next[:0], ids
}

// tableHash derives the hash that slots and tags are made of, in place.
func tableHash(hashes []uint64) {
	for i, h := range hashes {
		hashes[i] = columnar.Rehash(h, columnar.SeedTable)
	}
}

func slotOf(h uint64, slots int) int {
	hi, _ := bits.Mul64(h, uint64(slots))
	return int(hi)
}

func tagOf(h uint64) uint64 { return entryUsed | h<<33&entryTag }

// insert adds rows first, first+1, … of the given table hashes. Rows of higher
// numbers must be in already, so that chains ascend.
func (d *directory) insert(hashes []uint64, first int) {
	for hi := len(hashes); hi > 0; hi -= insertedAtOnce {
		lo := max(0, hi-insertedAtOnce)
		d.fetch(hashes[lo:hi])
		d.insertBlock(hashes[lo:hi], first+lo)
	}
}

// insertedAtOnce is how many rows are inserted after all of their slots were loaded: few
// enough for those to be in the first cache still.
const insertedAtOnce = 128

// fetch does nothing but load the slots of hashes, so that the loads overlap.
func (d *directory) fetch(hashes []uint64) {
	slots, all := d.slots, uint64(0)
	for _, h := range hashes {
		all |= slots[slotOf(h, len(slots))]
	}
	d.fetched = all
}

func (d *directory) insertBlock(hashes []uint64, first int) {
	slots := d.slots
	for i := len(hashes) - 1; i >= 0; i-- {
		id := uint64(first + i)
		at, tag := slotOf(hashes[i], len(slots)), tagOf(hashes[i])
		for slots[at] != 0 && slots[at]&entryTag != tag {
			if at++; at == len(slots) {
				at = 0
			}
		}
		if slots[at] == 0 {
			slots[at] = tag | id
			continue
		}
		if len(d.next) == 0 {
			d.next = columnar.Zeroed(d.next, d.ids)
		}
		d.next[id] = uint32(slots[at])
		slots[at] = tag | entryMore | id
	}
}

// find puts the entry of each table hash in dst, zero where there is none. A
// first pass does nothing but load, so that the loads overlap.
func (d *directory) find(hashes, dst []uint64) {
	slots := d.slots
	for i, h := range hashes {
		dst[i] = slots[slotOf(h, len(slots))]
	}
	for i, e := range dst[:len(hashes)] {
		if e == 0 || e&entryTag == tagOf(hashes[i]) {
			continue
		}
		dst[i] = d.search(hashes[i])
	}
}

// search looks beyond the first slot of a hash.
func (d *directory) search(h uint64) uint64 {
	tag := tagOf(h)
	at := slotOf(h, len(d.slots))
	for {
		if at++; at == len(d.slots) {
			at = 0
		}
		if e := d.slots[at]; e == 0 || e&entryTag == tag {
			return e
		}
	}
}
