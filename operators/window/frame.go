package window

import (
	"cmp"
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// frame is a Frame with its beginning and end for each row of a piece. Calls share it.
type frame struct {
	Frame
	begin, end []int64
	from, to   *search // for ranges
	peer       int64   // the first peer of the last row of the current piece
}

// frameOf returns the frame equal to the given one, and makes it if there is none.
func (o *Operator) frameOf(like Frame) *frame {
	if i := slices.IndexFunc(o.frames, func(f *frame) bool { return f.Frame == like }); i >= 0 {
		return o.frames[i]
	}
	f := &frame{Frame: like, from: o.search(like.From, false), to: o.search(like.To, true)}
	for _, b := range []Bound{like.From, like.To} {
		o.whole = o.whole || b.Unit == Range && (b.Offset > 0 || b.Months > 0)
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
			s.low, s.row = 0, 0
		}
	}
}

// move moves the frame to the rows of a piece.
func (f *frame) move(p *piece) (err error) {
	f.peer = p.peer[p.rows.Len-1]
	if f.begin, err = f.From.place(f.begin, p, 0, p.partition, p.peer, f.from); err != nil {
		return err
	}
	if f.end, err = f.To.place(f.end, p, 1, p.whole, p.peers, f.to); err != nil {
		return err
	}
	for i, begin := range f.begin {
		f.end[i] = max(f.end[i], begin)
	}
	return nil
}

// place returns, in dst's memory, the position of the bound for each row of a piece: a number
// of rows from the row, an end of the partition or of the peers, or the row that a search
// finds. behind is 1 for the end of a frame, which is the position after its last row.
func (b Bound) place(dst []int64, p *piece, behind int64, partition, peers []int64, s *search) ([]int64, error) {
	dst = slices.Grow(dst[:0], p.rows.Len)[:p.rows.Len]
	switch b.Unit {
	case Whole:
		copy(dst, partition)
	case Peers:
		copy(dst, peers)
	case Rows:
		for i := range dst {
			dst[i] = min(max(p.lo+int64(i)+b.Offset+behind, p.partition[i]), p.whole[i])
		}
	default:
		return dst, s.find(p, dst, peers)
	}
	return dst, nil
}

// reads returns the first row that the frame of row next or a later one can contain, or that
// can enter it, not counting the first row of the partition.
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

// keep returns the first row that the search for a range may still read.
func (f *frame) keep(next int64) int64 {
	for _, s := range []*search{f.from, f.to} {
		if s != nil {
			next = min(next, max(0, s.low-1)) // the end of a frame is the position after its last row
		}
	}
	return next
}

// search finds a bound of ranges. For the beginning of a range it is the first row whose key is
// not before the target; for the end, the first row whose key is after it. The target is the
// key of the current row, moved by the bound's distance.
type search struct {
	keys   *cursor
	column int
	desc   bool
	first  bool // nulls come first
	behind bool
	bound  Bound
	low    int64 // no later search ends before this row
	row    int64 // the row found last
}

// search returns the search for a bound, or nil if the bound is not a range.
func (o *Operator) search(bound Bound, behind bool) *search {
	if bound.Unit != Range {
		return nil
	}
	k := o.order[0]
	return &search{keys: o.tape.cursor(), column: o.schema.Index(k.Column), desc: k.Desc, first: k.NullsFirst, behind: behind, bound: bound}
}

// find finds the bound for each row of a piece. A null is at no distance from anything: its
// bounds are those of its peers.
func (s *search) find(p *piece, bounds, peers []int64) error {
	v := p.rows.Cols[s.column]
	for i := range bounds {
		if v.IsNull(i) {
			bounds[i] = peers[i]
			continue
		}
		to := s.target(v, i)
		if err := s.move(to, s.least(to, v, i), p.partition[i], p.whole[i]); err != nil {
			return err
		}
		bounds[i] = s.row
	}
	return nil
}

// move moves the search to the row of a target within a partition. No later target is before
// least.
func (s *search) move(to, least target, start, end int64) (err error) {
	if s.low, err = s.skip(max(s.low, start), end, least); err != nil || least == to {
		s.row = s.low
		return err
	}
	for s.row = max(s.row, s.low); s.row > s.low; s.row-- {
		passes, err := s.passes(s.row-1, to)
		if err != nil {
			return err
		}
		if passes {
			break
		}
	}
	s.row, err = s.skip(s.row, end, to)
	return err
}

// skip returns the first row, from the given one on, that does not pass.
func (s *search) skip(row, end int64, to target) (int64, error) {
	for ; row < end; row++ {
		if passes, err := s.passes(row, to); err != nil || !passes {
			return row, err
		}
	}
	return row, nil
}

// passes reports whether a row comes before the one that a target is to find.
func (s *search) passes(row int64, to target) (bool, error) {
	at, err := s.keys.seek(row)
	if err != nil {
		return false, err
	}
	key := s.keys.rows.Cols[s.column]
	if key.IsNull(at) {
		return s.first, nil
	}
	d := to.compare(key, at)
	if s.desc {
		d = -d
	}
	return d < 0 || d == 0 && s.behind, nil
}

// target is the key that a range reaches to from a row.
type target struct {
	n int64
	f float64 // of floats
}

// target returns the key at the bound's distance from key i, in the direction of the order.
func (s *search) target(v *columnar.Vector, i int) target {
	offset, months := s.bound.Offset, s.bound.Months
	if s.desc {
		offset, months = -offset, -months
	}
	if v.Type == columnar.Float {
		return target{f: v.Floats[i] + float64(offset)/1e6}
	}
	n := addMonths(v.Type, v.Ints[i], months)
	switch sum := n + offset; {
	case offset > 0 && sum < n:
		return target{n: math.MaxInt64}
	case offset < 0 && sum > n:
		return target{n: math.MinInt64}
	default:
		return target{n: sum}
	}
}

// least returns a lower bound for the targets of row i and all later rows. One month after
// January the 31st is not an earlier day than one month after the 30th, but it may be an
// earlier time of that day.
func (s *search) least(to target, v *columnar.Vector, i int) target {
	if s.bound.Months == 0 || v.Type != columnar.Timestamp {
		return to
	}
	_, clock := number.DayAndClock(v.Ints[i])
	to.n -= clock
	if s.desc {
		to.n += number.Day - 1
	}
	return to
}

// addMonths moves a date or timestamp by months. A timestamp keeps its time of day.
func addMonths(t columnar.Type, at, months int64) int64 {
	switch {
	case months == 0:
		return at
	case t == columnar.Timestamp:
		days, clock := number.DayAndClock(at)
		return number.AddMonths(days, months)*number.Day + clock
	}
	return number.AddMonths(at, months)
}

// compare compares key j with the target in ascending order. The result is negative if the key
// is before it.
func (t target) compare(key *columnar.Vector, j int) int {
	if key.Type == columnar.Float {
		return number.CompareFloats(key.Floats[j], t.f)
	}
	return cmp.Compare(key.Ints[j], t.n)
}
