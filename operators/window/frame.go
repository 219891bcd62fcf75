package window

import (
	"math"
	"slices"

	"analyzer/columnar"
)

// frame is a frame with where it begins and ends for each row of a piece. Calls share
// it.
type frame struct {
	Frame
	begin, end []int64
	from, to   *search // of ranges
	peer       int64   // the first peer of the last row of the piece
}

// frameOf returns the one frame that is like another.
func (o *Operator) frameOf(like Frame) *frame {
	if i := slices.IndexFunc(o.frames, func(f *frame) bool { return f.Frame == like }); i >= 0 {
		return o.frames[i]
	}
	f := &frame{Frame: like}
	if like.From.Unit == Range {
		f.from = o.search(like.From.Offset, false)
	}
	if like.To.Unit == Range {
		f.to = o.search(like.To.Offset, true)
	}
	for _, b := range []Bound{like.From, like.To} {
		o.whole = o.whole || b.Unit == Range && b.Offset > 0
		if b.Unit == Rows {
			o.ahead = max(o.ahead, b.Offset)
		}
	}
	o.whole = o.whole || like.To.Unit == Whole
	o.peers = o.peers || like.To.Unit == Peers || f.from != nil || f.to != nil
	o.frames = append(o.frames, f)
	return f
}

func (f *frame) reset() {
	f.peer = 0
	for _, s := range []*search{f.from, f.to} {
		if s != nil {
			s.row = 0
		}
	}
}

// move moves the frame to the rows of a piece.
func (f *frame) move(p *piece) error {
	n := p.rows.Len
	f.begin, f.end = slices.Grow(f.begin[:0], n)[:n], slices.Grow(f.end[:0], n)[:n]
	f.peer = p.peer[n-1]
	switch f.From.Unit {
	case Whole:
		copy(f.begin, p.partition)
	case Peers:
		copy(f.begin, p.peer)
	case Rows:
		for i := range f.begin {
			f.begin[i] = min(max(p.lo+int64(i)+f.From.Offset, p.partition[i]), p.whole[i])
		}
	default:
		if err := f.from.find(p, f.begin, p.peer); err != nil {
			return err
		}
	}
	switch f.To.Unit {
	case Whole:
		copy(f.end, p.whole)
	case Peers:
		copy(f.end, p.peers)
	case Rows:
		for i := range f.end {
			f.end[i] = min(max(p.lo+int64(i)+f.To.Offset+1, p.partition[i]), p.whole[i])
		}
	default:
		if err := f.to.find(p, f.end, p.peers); err != nil {
			return err
		}
	}
	for i, begin := range f.begin {
		f.end[i] = max(f.end[i], begin)
	}
	return nil
}

// reads returns the first row that the frame of a row can have, or that can enter it,
// but for the first of the partition.
func (f *frame) reads(next int64) int64 {
	least := next
	for _, b := range []Bound{f.From, f.To} {
		if b.Unit == Rows {
			least = min(least, next+b.Offset)
		}
	}
	if f.From.Unit == Peers {
		least = min(least, f.peer)
	}
	return min(least, f.keep(next))
}

// keep returns the first row that the search for a range may read.
func (f *frame) keep(next int64) int64 {
	for _, s := range []*search{f.from, f.to} {
		if s != nil {
			next = min(next, max(0, s.row-1)) // the end of a frame is behind its last row
		}
	}
	return next
}

// search finds the bound of ranges: the first row whose key is not before a distance
// from that of a row, or, of the end of a range, the first that is behind it.
type search struct {
	keys   *cursor
	column int
	desc   bool
	first  bool // nulls are before all
	behind bool
	offset int64
	row    int64 // that was found last
}

func (o *Operator) search(offset int64, behind bool) *search {
	k := o.cfg.Order[0]
	return &search{keys: o.tape.cursor(), column: k.Column, desc: k.Desc, first: k.NullsFirst, behind: behind, offset: offset}
}

// find finds the bound for each row of a piece. Nulls are at no distance from anything:
// their bounds are those of their peers.
func (s *search) find(p *piece, bounds, peers []int64) error {
	v := p.rows.Cols[s.column]
	for i := range bounds {
		if v.IsNull(i) {
			bounds[i] = peers[i]
			continue
		}
		s.row = max(s.row, p.partition[i])
		for s.row < p.whole[i] {
			at, err := s.keys.seek(s.row)
			if err != nil {
				return err
			}
			key := s.keys.rows.Cols[s.column]
			passes := s.first // what a null does
			if !key.IsNull(at) {
				d := distance(key, at, v, i, s.offset, s.desc)
				passes = d < 0 || d == 0 && s.behind
			}
			if !passes {
				break
			}
			s.row++
		}
		bounds[i] = s.row
	}
	return nil
}

// distance compares key j with what is at an offset from key i in the direction of the
// order: negative if it is before.
func distance(key *columnar.Vector, j int, of *columnar.Vector, i int, offset int64, desc bool) int {
	if desc {
		return -distance(key, j, of, i, -offset, false)
	}
	if key.Type == columnar.Float {
		x, y := key.Floats[j], of.Floats[i]+float64(offset)/1e6
		switch {
		case x < y || x == x && y != y: // what is not a number is above all
			return -1
		case x > y || x != x && y == y:
			return 1
		}
		return 0
	}
	x, y := key.Ints[j], of.Ints[i]
	switch bound := y + offset; {
	case offset > 0 && bound < y:
		y = math.MaxInt64
	case offset < 0 && bound > y:
		y = math.MinInt64
	default:
		y = bound
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
