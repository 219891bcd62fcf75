package client

import (
	"sync"

	"analyzer/columnar"
	"analyzer/operators/query/physical"
)

// assemblies put together the batches of blocks that are read in parts, each by any of the goroutines that read a
// table. Safe for concurrent use.
type assemblies struct {
	mu    sync.Mutex
	open  map[scanBlock]*assembly
	whole map[int][]*assembly     // by scan: of last blocks that turned out to have no more parts
	spare map[int][]columnar.Rows // by scan: memory of batches that were sent
}

// scanBlock is a block of what a scan reads.
type scanBlock struct {
	scan  int // node
	block int64
}

// assembly is the batch of a block, as far as the block was read.
type assembly struct {
	scanBlock
	mu    sync.Mutex
	rows  columnar.Rows
	next  int                   // the first part that is missing
	of    int                   // how many parts there are
	later map[int]columnar.Rows // parts behind a missing one
	large *cell                 // the first one that is too large for any message to a worker; nil: there is none
}

// add adds the rows of a part of a block. It returns the batch if that is the last part of it to come. The rows of
// the only part of a block are borrowed, those of others copied.
func (s *assemblies) add(at scanBlock, part, of int, schema columnar.Schema, rows columnar.Rows, large *cell) *assembly {
	if of == 1 {
		return &assembly{scanBlock: at, rows: rows, next: 1, of: 1, large: large}
	}
	a := s.at(at, of, schema)
	a.mu.Lock()
	defer a.mu.Unlock()
	if large != nil && (a.large == nil || large.line < a.large.line) {
		a.large = large
	}
	if part > a.next {
		later := s.room(at.scan, schema)
		later.AppendRange(rows, 0, rows.Len)
		a.later[part] = later
		return nil
	}
	if part == 0 {
		a.reserve(rows)
	}
	a.rows.AppendRange(rows, 0, rows.Len)
	a.next++
	for next, ok := a.later[a.next]; ok; next, ok = a.later[a.next] {
		a.rows.AppendRange(next, 0, next.Len)
		delete(a.later, a.next)
		s.keep(at.scan, next)
		a.next++
	}
	if a.next < a.of {
		return nil
	}
	s.close(a)
	return a
}

// reserve makes room for parts like the first one.
func (a *assembly) reserve(first columnar.Rows) {
	for i, v := range first.Cols {
		a.rows.Cols[i].Reserve(first.Len*a.of, int(v.ValueBytes())*a.of)
	}
}

// at returns the batch of a block, which it begins if nobody has.
func (s *assemblies) at(at scanBlock, of int, schema columnar.Schema) *assembly {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.open[at]
	if a == nil {
		a = &assembly{scanBlock: at, of: of, rows: s.roomLocked(at.scan, schema), later: make(map[int]columnar.Rows)}
		if s.open == nil {
			s.open, s.whole, s.spare = make(map[scanBlock]*assembly), make(map[int][]*assembly), make(map[int][]columnar.Rows)
		}
		s.open[at] = a
	}
	return a
}

func (s *assemblies) close(a *assembly) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, a.scanBlock)
}

// endFile says that the last block of a file, all of whose parts were added, has so many.
func (s *assemblies) endFile(scans []*physical.Node, block int64, parts int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range scans {
		at := scanBlock{n.ID, block}
		if a := s.open[at]; a != nil && a.next == parts {
			delete(s.open, at)
			s.whole[n.ID] = append(s.whole[n.ID], a)
		}
	}
}

// ended returns a batch that became whole when its file ended; nil: there is none that nobody has got.
func (s *assemblies) ended(scan int) *assembly {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.whole[scan]
	if len(all) == 0 {
		return nil
	}
	s.whole[scan] = all[1:]
	return all[0]
}

// incomplete returns how many batches lack parts.
func (s *assemblies) incomplete() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// free takes back the memory of a batch that was sent.
func (s *assemblies) free(a *assembly) {
	if a.of > 1 {
		s.keep(a.scan, a.rows)
	}
}

func (s *assemblies) keep(scan int, rows columnar.Rows) {
	rows.Reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare[scan] = append(s.spare[scan], rows)
}

// room returns empty rows of a scan.
func (s *assemblies) room(scan int, schema columnar.Schema) columnar.Rows {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roomLocked(scan, schema)
}

func (s *assemblies) roomLocked(scan int, schema columnar.Schema) columnar.Rows {
	all := s.spare[scan]
	if len(all) == 0 {
		return columnar.NewRows(schema)
	}
	s.spare[scan] = all[:len(all)-1]
	return all[len(all)-1]
}
