package aggregate

import "analyzer/columnar/budget"

// memory limits what a table and its states hold: bytes are claimed before they are allocated.
type memory struct {
	reserved *budget.Reservation
	limit    int64 // bytes; 0 means that only the budget limits it
	// full says that more was claimed than is allowed, so groups must go; outgrown, that limit
	// was exceeded, not the budget.
	full, outgrown bool
}

// LeastBytes is what a table may hold whatever the budget says. With less, emptying it would
// cost more than filling it.
const LeastBytes = 256 << 10

// allows reports whether n more bytes may be claimed, and claims them if so.
func (m *memory) allows(n int64) bool {
	size := m.reserved.Size() + n
	if m.limit > 0 && size > m.limit {
		m.outgrown = true
		return false
	}
	return m.reserved.Cover(size, LeastBytes)
}

// claim claims n bytes in any case, for work on the present rows that cannot do without them.
// full says afterwards whether it was too much.
func (m *memory) claim(n int64) {
	if !m.allows(n) {
		m.reserved.Grow(n)
		m.full = true
	}
}

// unclaim gives back n bytes.
func (m *memory) unclaim(n int64) { m.reserved.Shrink(n) }

// lift removes the limit.
func (m *memory) lift() { m.limit, m.full, m.outgrown = 0, false, false }

// release gives back all bytes.
func (m *memory) release() {
	m.reserved.Release()
	m.full, m.outgrown = false, false
}
