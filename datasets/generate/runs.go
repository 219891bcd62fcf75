package generate

import "sort"

// runs divides the rows of a file into consecutive runs: run k is rows bounds[k]
// to bounds[k+1]-1, and may be empty.
type runs struct{ bounds []int }

func (r runs) rows() int { return r.bounds[len(r.bounds)-1] }

// find returns the run of a row, which it looks for first at the run given: that
// of the row before, as a rule.
func (r runs) find(row, likely int) int {
	if r.bounds[likely] <= row && row < r.bounds[likely+1] {
		return likely
	}
	return sort.SearchInts(r.bounds, row+1) - 1
}
