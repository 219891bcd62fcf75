// Package budget keeps the memory of one process within a number of bytes.
//
// A Budget is shared by all operators of a process. Each operator holds a Reservation and asks
// it before it allocates more. The answer "no" is a value, not an error. It tells the operator
// to spill its state, give the bytes back, and continue.
package budget

import (
	"fmt"
	"sync/atomic"
)

// Budget is a limit in bytes that many reservations share. It is safe for concurrent use.
type Budget struct {
	limit  int64
	used   atomic.Int64
	peak   atomic.Int64
	refuse func() bool // see Refuse
}

// New returns a budget of limit bytes. Zero or less means no limit.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Refuse has f decide, at each claim that the limit allows but that may be refused, whether it is
// refused all the same. Tests use it. It goes before all other uses of the budget; f may be called
// by several goroutines at once.
func (b *Budget) Refuse(f func() bool) { b.refuse = f }

// Limit returns the limit in bytes. Zero or less means no limit.
func (b *Budget) Limit() int64 { return b.limit }

// Used returns the bytes that are reserved now.
func (b *Budget) Used() int64 { return b.used.Load() }

// Peak returns the most bytes that were ever reserved at once.
func (b *Budget) Peak() int64 { return b.peak.Load() }

// Reserve returns an empty reservation named after its holder.
func (b *Budget) Reserve(holder string) *Reservation {
	return &Reservation{budget: b, holder: holder}
}

func (b *Budget) add(n int64) {
	used := b.used.Add(n)
	for peak := b.peak.Load(); used > peak && !b.peak.CompareAndSwap(peak, used); peak = b.peak.Load() {
	}
}

// Reservation is one holder's claim on a budget. It has one user at a time.
type Reservation struct {
	budget *Budget
	holder string
	size   int64
}

// Size returns the bytes that are reserved.
func (r *Reservation) Size() int64 { return r.size }

// TryGrow claims n more bytes and reports whether the budget allows it. If not, nothing is
// claimed.
func (r *Reservation) TryGrow(n int64) bool {
	if r.budget.refuse != nil && r.budget.refuse() {
		return false
	}
	if limit := r.budget.limit; limit > 0 {
		for {
			used := r.budget.used.Load()
			if used+n > limit {
				return false
			}
			if r.budget.used.CompareAndSwap(used, used+n) {
				r.budget.add(0)
				r.size += n
				return true
			}
		}
	}
	r.Grow(n)
	return true
}

// leastOne is how many bytes a single value may take whatever the budget says.
const leastOne = 4 << 20

// CheckOne returns an ExceededError if so many bytes are more than half of the budget. It is for a
// single value, which cannot be spilled in part and is copied when it is handed on.
func (b *Budget) CheckOne(what string, bytes int64) error {
	if most := max(b.limit/2, leastOne); b.limit > 0 && bytes > most {
		return &ExceededError{What: what, Most: most}
	}
	return nil
}

// CheckOne is that of the budget, for the holder of a single value.
func (r *Reservation) CheckOne(what string) error { return r.budget.CheckOne(what, r.size) }

// ExceededError is returned to a holder that needs more memory than it may have, and has
// nothing that it could spill.
type ExceededError struct {
	What string
	Most int64 // bytes it may have
}

func (e *ExceededError) Error() string {
	return fmt.Sprintf("%s take more than the %.1f MiB of memory there are for them: give more memory, on a cluster to its workers, or ask for less at once",
		e.What, float64(e.Most)/(1<<20))
}

// Cover grows the reservation to at least n bytes and reports whether that is allowed: either
// the budget allows it, or n is at most floor, which a holder may take whatever the budget
// says.
func (r *Reservation) Cover(n, floor int64) bool {
	more := n - r.size
	if more <= 0 || r.TryGrow(more) {
		return true
	}
	if n > floor {
		return false
	}
	r.Grow(more)
	return true
}

// Grow claims n more bytes whether or not the budget allows it. It is for memory that an
// operator cannot do without, such as that of the current row.
func (r *Reservation) Grow(n int64) {
	r.budget.add(n)
	r.size += n
}

// Shrink gives back n bytes.
func (r *Reservation) Shrink(n int64) {
	if n > r.size {
		panic(fmt.Sprintf("budget: %s gives back %d of %d bytes", r.holder, n, r.size))
	}
	r.budget.used.Add(-n)
	r.size -= n
}

// Release gives back everything; the reservation can be used again.
func (r *Reservation) Release() { r.Shrink(r.size) }
