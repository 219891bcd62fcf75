package aggregate

import (
	"bytes"
	"slices"
	"sort"

	"analyzer/columnar"
)

// sortedRows are encoded rows in order, of which any can be removed again, as sortedItems are of
// integers. A value that has all rows, such as a list, is made of what each block makes of its own: a
// block that has not changed since does not make that again.
type sortedRows struct {
	mem    *memory
	blocks []rowBlock // none of them empty
	len    int
	size   int      // bytes of the rows
	rows   [][]byte // memory for those of a block
}

// rowBlock is some rows one behind the other, and what they were made into.
type rowBlock struct {
	data []byte
	ends []int // of each row
	made *columnar.Vector
	held int64 // bytes that are claimed for it
}

const (
	blockRows     = 256
	blockRowBytes = 16 << 10 // of a block of more than one row
	blockOverhead = 256      // about what a block takes beside its rows
)

func (b *rowBlock) row(i int) []byte {
	if i == 0 {
		return b.data[:b.ends[0]]
	}
	return b.data[b.ends[i-1]:b.ends[i]]
}

// find returns the place of a row, or where it would be.
func (b *rowBlock) find(row []byte) (at int, found bool) {
	at = sort.Search(len(b.ends), func(i int) bool { return bytes.Compare(b.row(i), row) >= 0 })
	return at, at < len(b.ends) && bytes.Equal(b.row(at), row)
}

// blockOf returns the block that has a row, or would have it.
func (s *sortedRows) blockOf(row []byte) int {
	at := sort.Search(len(s.blocks), func(i int) bool {
		b := &s.blocks[i]
		return bytes.Compare(b.row(len(b.ends)-1), row) >= 0
	})
	return max(0, min(at, len(s.blocks)-1))
}

func (s *sortedRows) add(row []byte) {
	i := s.blockOf(row)
	if i == len(s.blocks) {
		s.blocks = append(s.blocks, rowBlock{})
	}
	at, _ := s.blocks[i].find(row)
	if n := len(s.blocks[i].ends); n > 0 && (n == blockRows || len(s.blocks[i].data)+len(row) > blockRowBytes) {
		i, at = s.split(i, at)
	}
	b := &s.blocks[i]
	start := 0
	if at > 0 {
		start = b.ends[at-1]
	}
	b.data = slices.Insert(b.data, start, row...)
	b.ends = slices.Insert(b.ends, at, start)
	for j := at; j < len(b.ends); j++ {
		b.ends[j] += len(row)
	}
	s.len, s.size = s.len+1, s.size+len(row)
	s.changed(b)
}

// split makes room at a place of a full block, and returns the block and the place there. Rows that
// come in order begin a new block: half of it would stay empty.
func (s *sortedRows) split(i, at int) (block, place int) {
	middle := len(s.blocks[i].ends) / 2
	if at == len(s.blocks[i].ends) || middle == 0 {
		middle = at
	}
	s.blocks = slices.Insert(s.blocks, i+1, rowBlock{})
	from, to := &s.blocks[i], &s.blocks[i+1]
	if middle == 0 { // of the row behind the new one, which is long
		*from, *to = *to, *from
		return i, 0
	}
	cut := from.ends[middle-1]
	to.data = append(to.data, from.data[cut:]...)
	for _, end := range from.ends[middle:] {
		to.ends = append(to.ends, end-cut)
	}
	from.data, from.ends = slices.Clone(from.data[:cut]), slices.Clone(from.ends[:middle])
	s.changed(from)
	s.changed(to)
	if at >= middle {
		return i + 1, at - middle
	}
	return i, at
}

func (s *sortedRows) remove(row []byte) bool {
	i := s.blockOf(row)
	if i == len(s.blocks) {
		return false
	}
	b := &s.blocks[i]
	at, found := b.find(row)
	if !found {
		return false
	}
	end := b.ends[at]
	b.data, b.ends = slices.Delete(b.data, end-len(row), end), slices.Delete(b.ends, at, at+1)
	for j := at; j < len(b.ends); j++ {
		b.ends[j] -= len(row)
	}
	s.len, s.size = s.len-1, s.size-len(row)
	if s.changed(b); len(b.ends) == 0 {
		s.mem.unclaim(b.held)
		s.blocks = slices.Delete(s.blocks, i, i+1)
	}
	return true
}

// changed forgets what a block was made into, and claims what it takes.
func (s *sortedRows) changed(b *rowBlock) {
	b.made = nil
	now := int64(blockOverhead + cap(b.data) + 8*cap(b.ends))
	if now > b.held {
		s.mem.claim(now - b.held)
	} else {
		s.mem.unclaim(b.held - now)
	}
	b.held = now
}

// each calls take with what the rows of each block are made into, in order. take borrows it.
func (s *sortedRows) each(typ columnar.Type, of func(rows [][]byte, out *columnar.Vector) error, take func(made *columnar.Vector)) error {
	for i := range s.blocks {
		b := &s.blocks[i]
		made := b.made
		if made == nil {
			made = columnar.NewVector(typ)
			if err := of(s.appendRows(s.rows[:0], b), made); err != nil {
				return err
			}
			if size := made.Size(); s.mem.allows(size) {
				b.made, b.held = made, b.held+size
			}
		}
		take(made)
	}
	return nil
}

// all returns all rows. They are valid until the next call.
func (s *sortedRows) all() [][]byte {
	s.rows = s.rows[:0]
	for i := range s.blocks {
		s.rows = s.appendRows(s.rows, &s.blocks[i])
	}
	return s.rows
}

func (*sortedRows) appendRows(dst [][]byte, b *rowBlock) [][]byte {
	for i := range b.ends {
		dst = append(dst, b.row(i))
	}
	return dst
}

func (s *sortedRows) reset() {
	for _, b := range s.blocks {
		s.mem.unclaim(b.held)
	}
	s.blocks, s.len, s.size = nil, 0, 0
}
