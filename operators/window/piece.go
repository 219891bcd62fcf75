package window

import (
	"math"
	"slices"

	"analyzer/columnar"
)

// piece is a run of rows that are evaluated together, starting at number lo. It says for each
// row where its partition and its peers begin and end.
type piece struct {
	rows               columnar.Rows
	lo                 int64
	partition, whole   []int64 // first row of the partition; row after its last
	peer, peers        []int64 // first peer; row after the last peer
	firstPeer, endPeer int64   // of the row before the piece
}

// part returns rows of a piece. It borrows them.
func (p *piece) part(from, to int) piece {
	return piece{
		rows: columnar.Rows{Len: to - from, Cols: p.rows.Cols}, lo: p.lo + int64(from),
		partition: p.partition[from:to], whole: p.whole[from:to], peer: p.peer[from:to], peers: p.peers[from:to],
	}
}

// place makes the run of rows from o.done on. first says which of them are the first of their
// peers.
func (o *Operator) place(first []bool, rows columnar.Rows) error {
	p, n := &o.run, rows.Len
	p.rows, p.lo = rows, o.done
	for _, s := range []*[]int64{&p.partition, &p.whole, &p.peer, &p.peers} {
		*s = slices.Grow((*s)[:0], n)[:n]
	}
	for i := 0; i < n; {
		from, to := o.marks.partition(p.lo+int64(i), o.tape.rows)
		for end := min(n, int(min(to-p.lo, math.MaxInt32))); i < end; i++ {
			p.partition[i], p.whole[i] = from, to
		}
	}
	for i := range n {
		if first[i] {
			p.firstPeer = p.lo + int64(i)
		}
		p.peer[i] = p.firstPeer
	}
	if !o.peers {
		return nil
	}
	for i := range n {
		if row := p.lo + int64(i); row >= p.endPeer {
			end, err := o.nextPeer(row + 1)
			if err != nil {
				return err
			}
			p.endPeer = end
		}
		p.peers[i] = p.endPeer
	}
	return nil
}

// nextPeer returns the first row, from the given one on, that is the first of its peers. If
// there is none, it returns the number of rows.
func (o *Operator) nextPeer(row int64) (int64, error) {
	for row < o.tape.rows {
		at, err := o.ends.seek(row)
		if err != nil {
			return 0, err
		}
		first := o.ends.rows.Cols[len(o.schema)].Bools
		if i := slices.Index(first[at:o.ends.rows.Len], true); i >= 0 {
			return row + int64(i), nil
		}
		row = o.ends.to
	}
	return o.tape.rows, nil
}

// marks finds where partitions and peers begin.
type marks struct {
	partitions, keys []int
	last             columnar.Rows // the last row of the batch before
	first            []bool        // which rows begin a partition
	peers            []bool        // which rows are the first of their peers
	numbers          bool          // peers are numbered
	groups           []int64       // their numbers by row, through all partitions
	group            int64         // of the last row
	starts           []int64       // where partitions begin
	at               int           // index in starts of the partition that was asked for last
	peer             int64         // the last row that is the first of its peers
}

func (m *marks) reset() {
	m.last.Reset()
	m.starts, m.at, m.peer, m.group = m.starts[:0], 0, 0, 0
}

// mark returns rows, numbered from a number on, with one more column that marks those that are
// the first of their peers, and one with the number of these, if it is needed. They are valid
// until the next call.
func (m *marks) mark(rows columnar.Rows, from int64) columnar.Rows {
	n := rows.Len
	m.first = slices.Grow(m.first[:0], n)[:n]
	m.peers = slices.Grow(m.peers[:0], n)[:n]
	clear(m.first)
	m.changes(m.first, rows, m.partitions)
	copy(m.peers, m.first)
	m.changes(m.peers, rows, m.keys)
	if from == 0 {
		m.first[0], m.peers[0] = true, true
	}
	m.starts = slices.Delete(m.starts, 0, m.at)
	m.at = 0
	for i, first := range m.first {
		if first {
			m.starts = append(m.starts, from+int64(i))
		}
	}
	for i := n - 1; i >= 0; i-- {
		if m.peers[i] {
			m.peer = from + int64(i)
			break
		}
	}
	m.last.Reset()
	m.last.AppendRange(rows, n-1, n)
	cols := append(slices.Clone(rows.Cols), &columnar.Vector{Type: columnar.Bool, Len: n, Bools: m.peers})
	if m.numbers {
		cols = append(cols, m.numbered(n))
	}
	return columnar.Rows{Len: n, Cols: cols}
}

// numbered returns the numbers of the peers of n rows.
func (m *marks) numbered(n int) *columnar.Vector {
	m.groups = slices.Grow(m.groups[:0], n)[:n]
	for i, first := range m.peers {
		if first {
			m.group++
		}
		m.groups[i] = m.group
	}
	return &columnar.Vector{Type: columnar.Int, Len: n, Ints: m.groups}
}

// changes marks the rows that differ from the row before in one of the columns.
func (m *marks) changes(marks []bool, rows columnar.Rows, columns []int) {
	for _, c := range columns {
		v := rows.Cols[c]
		if m.last.Len > 0 && !columnar.Same(m.last.Cols[c], 0, v, 0) {
			marks[0] = true
		}
		if v.Valid == nil && v.Type.Kind() == columnar.KindInt64 {
			for i, x := range v.Ints[:rows.Len-1] {
				if x != v.Ints[i+1] {
					marks[i+1] = true
				}
			}
			continue
		}
		for i := 1; i < rows.Len; i++ {
			if !marks[i] && !columnar.Same(v, i-1, v, i) {
				marks[i] = true
			}
		}
	}
}

// partition returns where the partition of a row begins and, as far as known, ends. Later calls
// must not ask for an earlier row.
func (m *marks) partition(row, rows int64) (from, to int64) {
	for m.at+1 < len(m.starts) && m.starts[m.at+1] <= row {
		m.at++
	}
	if m.at+1 < len(m.starts) {
		return m.starts[m.at], m.starts[m.at+1]
	}
	return m.starts[m.at], rows
}

// lastStart returns where the last partition begins.
func (m *marks) lastStart() int64 {
	if len(m.starts) == 0 {
		return 0
	}
	return m.starts[len(m.starts)-1]
}
