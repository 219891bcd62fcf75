package join

import (
	"hash/maphash"
	"math/bits"

	"analyzer/columnar"
)

// directory finds the build rows of a key. If keys are whole numbers that lie close together,
// it is an array by key; otherwise it is a hash table with open addressing. A slot is one word,
// zero if it is free:
//
// 63          62 … 33      32          31 … 0
// in use (1)  30 hash bits more (1)    number of the first row
//
// All rows whose hashes agree in those bits and that lie in one run of slots share a slot. If
// there are several, next links the others in ascending order. Callers compare keys, so that an
// accidental agreement only costs time.
type directory struct {
	slots []uint64
	byKey []uint32 // instead of slots: 1 + number of the first row, indexed by key - least; 0 if there is none
	least int64    // of the keys
	next  []uint32 // number of the next row of the chain, 0 at its end; empty while no chain is longer than one
	runs  []uint32 // numbers of the rows of chains, one chain behind the other; see group
	ids   int      // greater than all row numbers

	chains, links int // how many chains there are, and how many rows are behind the first ones of them
	// secret is the seed of the hashes if the public ones crowd; see prober.crowded.
	secret *maphash.Seed

	fetched uint64 // sink of fetch; the value has no meaning
}

const (
	entryUsed = 1 << 63
	entryMore = 1 << 32
	entryTag  = entryUsed | (1<<30-1)<<33
	// leastSlotsPerRow keeps a search for an absent key at about 2.5 slots.
	leastSlotsPerRow = 2
	// mostSlotsPerRow is the ratio in a directory of up to roomySlots. In one so small, a
	// search costs branch mispredictions, not memory latency.
	mostSlotsPerRow = 4
	roomySlots      = 1 << 19
)

func slotCount(rows int) int {
	return max(leastSlotsPerRow*rows, min(mostSlotsPerRow*rows, roomySlots)) + 1
}

// reset empties the directory and makes room for rows whose numbers are below ids.
func (d *directory) reset(rows, ids int) {
	d.slots, d.byKey = columnar.Zeroed(d.slots, slotCount(rows)), nil
	d.next, d.runs, d.ids, d.chains, d.links = d.next[:0], d.runs[:0], ids, 0, 0
}

// tableHash converts hashes, in place, to those from which slots and tags are made.
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

// insert adds rows first, first+1, … with the given table hashes. Rows with higher numbers must
// have been added before, so that chains ascend.
func (d *directory) insert(hashes []uint64, first int) {
	for hi := len(hashes); hi > 0; hi -= insertedAtOnce {
		lo := max(0, hi-insertedAtOnce)
		d.fetch(hashes[lo:hi])
		d.insertBlock(hashes[lo:hi], first+lo)
	}
}

// insertedAtOnce is how many rows are inserted after their slots were loaded: few enough for
// the slots to be still in the L1 cache.
const insertedAtOnce = 128

// fetch only loads the slots of hashes, so that the loads overlap.
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
		if slots[at]&entryMore == 0 {
			d.chains++
		}
		d.links++
		d.next[id] = uint32(slots[at])
		slots[at] = tag | entryMore | id
	}
}

// find writes the entry of each table hash to dst, zero if there is none. A first pass only
// loads slots, so that the loads overlap.
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

// search continues after the first slot of a hash.
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
