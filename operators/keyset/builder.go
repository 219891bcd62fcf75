package keyset

import (
	"math/bits"
	"sync"

	"analyzer/columnar/budget"
)

// MaxKeys is the most different hashes a set holds. Beyond that it no longer
// fits a core's cache, and a build side of so many keys rarely leaves out much.
const MaxKeys = 1 << 17

const (
	minSlots     = 1 << 6
	slotsPerKey  = 2 // at least: what passes the filter is mostly found, at the first slot or the next
	bytesPerSlot = 8
)

// Source is a build side whose keys are known, which a join operator is between
// the end of its build input and the end of its probe input.
type Source interface {
	// BuildHashes yields the key hashes (columnar.HashRows over the key columns
	// in their order) of all build rows without null keys, in slices that are
	// borrowed until yield returns, hashes of equal keys more than once. It
	// reports whether all of them were yielded: false when some are not in
	// memory, or yield returned false.
	BuildHashes(yield func(hashes []uint64) bool) (complete bool)
}

// Builder collects hashes for a Set. It is safe for concurrent use.
type Builder struct {
	mu        sync.Mutex
	table     table
	keys      int
	abandoned bool
	reserved  *budget.Reservation
}

// NewBuilder returns an empty builder whose table counts against a budget.
// Close gives it back.
func NewBuilder(b *budget.Budget) *Builder {
	return &Builder{reserved: b.Reserve("keyset")}
}

// Add adds hashes, which are borrowed, and reports whether there can still be a
// set of them: false once there are more than MaxKeys or the budget is used up.
func (b *Builder) Add(hashes []uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(hashes) > 0 && !b.abandoned {
		// One step adds no more than there is room for.
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

// Abandon says that not all hashes are known: Build will return nil.
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

// resizeLocked makes a table of so many slots, or gives up when the budget does not allow it.
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

// Build returns the set of all hashes that were added, nil when it is not known
// or too large, which means: leave out nothing. The set counts against the
// builder's budget until the builder is closed; nothing is added after it.
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

// Close gives back the memory of the table. A set that was built and is still in use
// counts against no budget any more. It may be called again.
func (b *Builder) Close() { b.Abandon() }

// table holds hashes other than zero by open addressing. Zero marks a free slot,
// at which every search ends: that is how a search for zero finds it.
type table struct {
	slots []uint64
	shift uint8 // of a hash, to its slot
}

func newTable(slots int) table {
	return table{slots: make([]uint64, slots), shift: uint8(64 - bits.TrailingZeros(uint(slots)))}
}

// add puts hashes in the table, zeros left out, and returns how many were not
// there. The table must have room.
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
