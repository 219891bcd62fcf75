package shuffle

import (
	"slices"

	"analyzer/columnar"
)

// Router decides which receiver a row goes to: the hash of its key columns modulo
// the number of receivers. All senders of an exchange must route alike. A Router
// has one user at a time.
type Router struct {
	keys   []int
	hashes []uint64
	chosen [][]int32 // by receiver
}

// NewRouter returns a router by the columns at the positions keys. Without keys
// everything goes to the first receiver.
func NewRouter(keys []int, receivers int) *Router {
	return &Router{keys: keys, chosen: make([][]int32, receivers)}
}

// Single reports whether all rows go to the first receiver, so that no routing is
// needed.
func (r *Router) Single() bool { return len(r.chosen) == 1 || len(r.keys) == 0 }

// Route returns the positions of each receiver's rows, ascending. They are valid
// until the next call.
func (r *Router) Route(rows columnar.Rows) [][]int32 {
	r.hashes = columnar.HashRows(r.hashes, rows.Project(r.keys).Cols, rows.Len)
	for i := range r.chosen {
		r.chosen[i] = slices.Grow(r.chosen[i][:0], rows.Len/len(r.chosen))
	}
	n := uint64(len(r.chosen))
	for i, h := range r.hashes {
		to := h % n
		r.chosen[to] = append(r.chosen[to], int32(i))
	}
	return r.chosen
}
