package join

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

// A row of the build side is known by its number: the page in the upper bits,
// the position in the page in the lower ones.
const (
	pageShift = 12
	pageRows  = 1 << pageShift
	pageMask  = pageRows - 1
	maxPages  = 1 << (32 - pageShift)
	// pageBytes is how many bytes of values end a page before it has all rows.
	pageBytes = 1 << 20
	// floorBytes is what an operator's store takes whatever the budget says.
	floorBytes = 128 << 10
)

// store keeps the rows of a build side, in pages so that no growth copies them
// all. Emptied, it keeps its pages for what comes next.
type store struct {
	schema   columnar.Schema
	pages    []*page
	free     []*page
	rows     int
	held     int64 // bytes of all pages, free ones too
	floor    int64 // bytes it takes whatever the budget says
	reserved *budget.Reservation
}

type page struct {
	columnar.Rows
	bytes int64 // that it takes
}

// add copies rows from position lo on and returns the position of the first
// that is left for the next page.
func (s *store) add(rows columnar.Rows, lo int) int {
	p := s.open()
	hi := min(rows.Len, lo+pageRows-p.Len)
	p.AppendRange(rows, lo, hi)
	s.rows += hi - lo
	s.held -= p.bytes
	p.bytes = p.Size()
	s.held += p.bytes
	return hi
}

// open returns the page that takes the next row.
func (s *store) open() *page {
	if n := len(s.pages); n > 0 {
		if last := s.pages[n-1]; last.Len < pageRows && (last.Len == 0 || last.ValueBytes() < pageBytes) {
			return last
		}
	}
	var p *page
	if n := len(s.free); n > 0 {
		p, s.free = s.free[n-1], s.free[:n-1]
	} else {
		p = &page{Rows: columnar.NewRows(s.schema)}
		if len(s.pages) > 0 {
			s.setAside(p, s.pages[len(s.pages)-1])
		}
	}
	s.pages = append(s.pages, p)
	return p
}

// setAside gives a page the memory that one like the page before takes. The
// first page of a store grows by doubling instead: most stores are small.
func (s *store) setAside(p, before *page) {
	for i, c := range p.Cols {
		n := before.Len
		switch c.Type.Kind() {
		case columnar.KindBool:
			c.Bools = slices.Grow(c.Bools, n)
		case columnar.KindInt64:
			c.Ints = slices.Grow(c.Ints, n)
		case columnar.KindFloat64:
			c.Floats = slices.Grow(c.Floats, n)
		case columnar.KindInt128:
			c.Wides = slices.Grow(c.Wides, n)
		default:
			c.Offsets = slices.Grow(c.Offsets, n)
			c.Data = slices.Grow(c.Data, len(before.Cols[i].Data))
		}
	}
}

// reserve makes the reservation cover the pages and the directory of their
// rows, and reports whether the budget allows it or the store is at its floor.
func (s *store) reserve() bool {
	need := s.need()
	more := need - s.reserved.Size()
	switch {
	case len(s.pages) >= maxPages:
		return false
	case more <= 0 || s.reserved.TryGrow(more):
		return true
	case need <= s.floor:
		s.reserved.Grow(more)
		return true
	}
	return false
}

// need returns the bytes of the pages and of the directory of their rows.
func (s *store) need() int64 { return s.held + directoryBytes(s.rows, s.ids()) }

// ids returns a number above that of every row.
func (s *store) ids() int {
	if len(s.pages) == 0 {
		return 0
	}
	last := len(s.pages) - 1
	return last<<pageShift + s.pages[last].Len
}

// reset empties the store and keeps its memory.
func (s *store) reset() {
	for _, p := range s.pages {
		p.Reset()
	}
	s.free = append(s.free, s.pages...)
	s.pages, s.rows = s.pages[:0], 0
}

// drain hands over page after page and gives back the memory of each.
func (s *store) drain(take func(columnar.Rows) error) error {
	s.free = nil
	left := int64(0)
	for _, p := range s.pages {
		left += p.bytes
	}
	for i, p := range s.pages {
		s.reserved.Shrink(max(0, s.reserved.Size()-left))
		if err := take(p.Rows); err != nil {
			return err
		}
		s.pages[i] = nil
		left -= p.bytes
	}
	s.release()
	return nil
}

// release gives back all memory.
func (s *store) release() {
	s.pages, s.free, s.rows, s.held = nil, nil, 0, 0
	s.reserved.Release()
}

// hashes returns the key hashes of a page in dst's memory if it suffices.
func (p *page) hashes(dst []uint64, keys []int) []uint64 {
	return columnar.HashRows(dst, p.Project(keys).Cols, p.Len)
}
