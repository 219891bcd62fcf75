package exec

import (
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators/order"
)

// firstTest leaves out rows that a sort with a limit is not going to keep, so that only its first key is read of
// them. Which these are depends on the rows that the sort has seen.
type firstTest struct {
	*order.First
	pause int // chunks to which it is not applied, as it kept too many rows of one
}

// TakeFirst sets what is known of the first rows of whoever takes all rows of the scan; nil: it wants all.
func (s *Selection) TakeFirst(f *order.First) { s.first.First = f }

// firstColumn returns the column of the key in the scan's schema.
func (s *Selection) firstColumn() int { return s.columns[s.first.Column()] }

// mayBeFirst reports whether a row of a chunk may be among the first, as far as its bounds tell.
func (s *Selection) mayBeFirst(c scan.Bounded) bool {
	if s.first.First == nil || !s.first.Known() {
		return true
	}
	for _, closer := range []bool{false, true} {
		if s.first.Exclude(c.Bounds(s.firstColumn(), closer)) {
			return false
		}
	}
	return true
}

// applyFirst narrows the passed rows to those that may be among the first, and reports whether there are any.
func (s *Selection) applyFirst(read func(columns []int, sel []int32) (columnar.Rows, error)) (any bool, err error) {
	const pause = 8
	t := &s.first
	if t.First == nil || !t.Known() {
		return true, nil
	}
	if t.pause > 0 {
		t.pause--
		return true, nil
	}
	rows, err := read([]int{s.firstColumn()}, s.passed)
	if err != nil {
		return false, err
	}
	s.hits = t.Keep(rows.Cols[0], s.hits[:0])
	s.leftOut += int64(rows.Len - len(s.hits))
	if len(s.hits) == 0 {
		return false, nil
	}
	if len(s.hits) > rows.Len/4 {
		t.pause = pause
	}
	s.keepHits()
	return true, nil
}
