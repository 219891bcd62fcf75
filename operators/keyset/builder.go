package keyset

import (
	"math/bits"
	"sync"

	"analyzer/columnar/budget"
)

// MaxKeys is the most distinct hashes of a set. A larger set no longer fits a core's cache, and
// a build side with so many keys rarely filters out much.
const MaxKeys = 1 << 17

const (
	minSlots     = 1 << 6
	slotsPerKey  = 2 // at least: a hash that passes the filter is mostly found at its first slot or the next
	bytesPerSlot = 8
)

// Builder collects hashes for a Set. It is safe for concurrent use.
type Builder struct {
	mu        sync.Mutex
	table     table
	keys      int
	abandoned bool
	reserved  *budget.Reservation
}

// NewBuilder returns an empty builder. Its table counts against a budget until Close.
func NewBuilder(b *budget.Budget) *Builder {
	return &Builder{reserved: b.Reserve("keyset")}
}

// Add adds hashes, which it borrows, and reports whether Build can still return a set: false
// once there are more than MaxKeys, or the budget is used up.
func (b *Builder) Add(hashes []uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(hashes) > 0 && !b.abandoned {
		// Each step adds no more hashes than there is room for.
		room := len(b.table.slots)/2 - b.keys
		if room == 0 {
			b.resizeLocked(max(minSlots, 2*len(b.table.slots)))
			continue
		}
		n := min(room, len(hashes))
		b.keys += b.table.add(hashes[:n])
		hashes = hashes[n:]
		if b.keys > MaxKeys {
			b.abandonLocked()
		}
	}
	return !b.abandoned
}

// Abandon tells the builder that some hashes are unknown: Build will return nil.
func (b *Builder) Abandon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.abandonLocked()
}

func (b *Builder) abandonLocked() {
	b.abandoned = true
	b.table = table{}
	b.reserved.Release()
}

// resizeLocked makes a table of the given number of slots, or abandons the set if the budget
// does not allow it.
func (b *Builder) resizeLocked(slots int) bool {
	before := b.table.slots
	if !b.reserved.TryGrow(int64(slots) * bytesPerSlot) {
		b.abandonLocked()
		return false
	}
	b.table = newTable(slots)
	b.table.add(before)
	b.reserved.Shrink(int64(len(before)) * bytesPerSlot)
	return true
}

// Build returns the set of all hashes that were added. It returns nil if the set is unknown or
// too large; then no row may be filtered out. The set counts against the builder's budget until
// Close. Nothing may be added after Build.
func (b *Builder) Build() *Set {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.abandoned {
		return nil
	}
	slots := minSlots
	for slots < slotsPerKey*b.keys {
		slots *= 2
	}
	if slots != len(b.table.slots) && !b.resizeLocked(slots) {
		return nil
	}
	if !b.reserved.TryGrow(int64(slots) * filterBits / 8) {
		b.abandonLocked()
		return nil
	}
	return newSet(b.table, b.keys)
}

// Close gives back the memory of the table. A set that is still in use no longer counts against
// any budget. Close may be called again.
func (b *Builder) Close() { b.Abandon() }

// table is a hash set with open addressing, of hashes other than zero. Zero marks a free slot,
// at which every search ends, so a search for zero succeeds.
type table struct {
	slots []uint64
	shift uint8 // of a hash, to its slot
}

func newTable(slots int) table {
	return table{slots: make([]uint64, slots), shift: uint8(64 - bits.TrailingZeros(uint(slots)))}
}

// add adds hashes, except zeros, to the table and returns how many were new. The table must
// have room.
func (t *table) add(hashes []uint64) (added int) {
	mask := uint64(len(t.slots) - 1)
	for _, h := range hashes {
		if h == 0 {
			continue
		}
		s := h >> t.shift
		for t.slots[s] != 0 && t.slots[s] != h {
			s = (s + 1) & mask
		}
		if t.slots[s] == 0 {
			t.slots[s] = h
			added++
		}
	}
	return added
}
