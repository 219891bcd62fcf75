package window

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
)

// frame is a Frame with its beginning and end for each row of a piece. Calls share it.
type frame struct {
	Frame
	bounds
	all      bounds // of the rows of the run
	from, to edge
	jumps    bool  // later frames may begin or end earlier
	peer     int64 // the first peer of the last row of the current piece
	start    int64 // the first row of its partition
}

// bounds are where frames begin and end.
type bounds struct{ begin, end []int64 }

// edge is a bound over the rows of a window.
type edge struct {
	Bound
	far    int     // position of Column, -1 if there is none
	search *search // for ranges and groups
	behind int64   // 1 for the end of a frame, which is the position after its last row
}

// frameOf returns the frame equal to the given one, and makes it if there is none.
func (o *Operator) frameOf(like Frame) *frame {
	if i := slices.IndexFunc(o.frames, func(f *frame) bool { return f.Frame == like }); i >= 0 {
		return o.frames[i]
	}
	f := &frame{Frame: like, from: o.edge(like.From, 0), to: o.edge(like.To, 1)}
	for _, e := range []edge{f.from, f.to} {
		f.jumps = f.jumps || e.far >= 0
		o.whole = o.whole || e.far >= 0 || e.search != nil && (e.Offset > 0 || e.Months > 0)
		if e.Unit == Rows && e.far < 0 {
			o.ahead = max(o.ahead, e.Offset)
		}
		o.peers = o.peers || e.search != nil
	}
	o.whole = o.whole || like.To.Unit == Whole
	o.peers = o.peers || like.To.Unit == Peers || like.Exclude == ExcludePeers || like.Exclude == ExcludeTies
	o.frames = append(o.frames, f)
	return f
}

func (o *Operator) edge(b Bound, behind int64) edge {
	e := edge{Bound: b, far: o.schema.Index(b.Column), behind: behind}
	switch b.Unit {
	case Groups:
		e.search = &search{keys: o.tape.cursor(), column: o.group, edge: e}
	case Range:
		k := o.order[0]
		e.search = &search{keys: o.tape.cursor(), column: o.schema.Index(k.Column), desc: k.Desc, first: k.NullsFirst, edge: e}
	}
	return e
}

// byKey reports whether the frame depends on which rows are peers, or on values of the key.
func (f Frame) byKey() bool {
	units := []Unit{Peers, Groups, Range}
	return slices.Contains(units, f.From.Unit) || slices.Contains(units, f.To.Unit) || f.Exclude == ExcludePeers || f.Exclude == ExcludeTies
}

func (f *frame) reset() {
	f.peer, f.start = 0, 0
	for _, e := range []edge{f.from, f.to} {
		if s := e.search; s != nil {
			s.low, s.row = 0, 0
		}
	}
}

// move moves the frame to the rows of a run.
func (f *frame) move(p *piece) (err error) {
	if f.all.begin, err = f.from.place(f.all.begin, p, p.partition, p.peer); err != nil {
		return err
	}
	if f.all.end, err = f.to.place(f.all.end, p, p.whole, p.peers); err != nil {
		return err
	}
	for i, begin := range f.all.begin {
		f.all.end[i] = max(f.all.end[i], begin)
	}
	return nil
}

// take narrows the frame to some rows of the run.
func (f *frame) take(run *piece, from, to int) {
	f.peer, f.start = run.peer[to-1], run.partition[to-1]
	f.bounds = bounds{f.all.begin[from:to], f.all.end[from:to]}
}

// spans appends to dst the rows of the frame of row i of a piece.
func (f *frame) spans(dst []span, p *piece, i int) []span {
	all, row := span{f.begin[i], f.end[i]}, p.lo+int64(i)
	if all.from >= all.to {
		return dst
	}
	switch f.Exclude {
	case ExcludeRow:
		return all.without(span{row, row + 1}, dst)
	case ExcludePeers:
		return all.without(span{p.peer[i], p.peers[i]}, dst)
	case ExcludeTies:
		parts := all.without(span{p.peer[i], row}, nil)
		for _, part := range parts {
			dst = part.without(span{row + 1, p.peers[i]}, dst)
		}
		return dst
	}
	return append(dst, all)
}

// place returns, in dst's memory, the position of the bound for each row of a piece: a number
// of rows from the row, an end of the partition or of the peers, or the row that a search
// finds.
func (e edge) place(dst []int64, p *piece, partition, peers []int64) ([]int64, error) {
	dst = slices.Grow(dst[:0], p.rows.Len)[:p.rows.Len]
	switch {
	case e.Unit == Whole:
		copy(dst, partition)
	case e.Unit == Peers:
		copy(dst, peers)
	case e.Unit == Rows && e.far >= 0:
		e.placeFar(dst, p)
	case e.Unit == Rows:
		for i := range dst {
			dst[i] = min(max(p.lo+int64(i)+e.Offset+e.behind, p.partition[i]), p.whole[i])
		}
	default:
		return dst, e.search.find(p, dst, peers)
	}
	return dst, nil
}

// placeFar places a bound that is as many rows away as a column says, or none.
func (e edge) placeFar(dst []int64, p *piece) {
	far := p.rows.Cols[e.far]
	for i := range dst {
		n := int64(0)
		if !far.IsNull(i) {
			n = e.Offset * min(max(far.Ints[i], -MostOffset), MostOffset)
		}
		dst[i] = min(max(p.lo+int64(i)+n+e.behind, p.partition[i]), p.whole[i])
	}
}

// reads returns the first row that the frame of row next or a later one can contain, or that
// can enter it, not counting the first row of the partition.
func (f *frame) reads(next int64) int64 {
	if f.jumps || f.From.Unit == Whole && f.Exclude != "" {
		return min(next, f.start)
	}
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
	if f.jumps {
		return min(next, f.start)
	}
	for _, e := range []edge{f.from, f.to} {
		if s := e.search; s != nil {
			next = min(next, max(0, s.low-1)) // the end of a frame is the position after its last row
		}
	}
	return next
}

// search finds a bound of ranges or of groups. For the beginning of a range it is the first row whose
// key is not before the target; for the end, the first row whose key is after it. The target is the
// key of the current row, moved by the bound's distance. The key of groups is their number.
type search struct {
	keys   *cursor
	column int
	desc   bool
	first  bool // nulls come first
	edge   edge
	low    int64 // no later search ends before this row
	row    int64 // the row found last
}

// find finds the bound for each row of a piece. A null is at no distance from anything: its
// bounds are those of its peers.
func (s *search) find(p *piece, bounds, peers []int64) (err error) {
	v := p.rows.Cols[s.column]
	for i := range bounds {
		switch {
		case v.IsNull(i) || s.edge.far >= 0 && p.rows.Cols[s.edge.far].IsNull(i):
			bounds[i] = peers[i]
		case s.edge.far >= 0:
			bounds[i], err = s.jump(p, v, i)
		default:
			to := s.target(v, i)
			err = s.move(to, s.least(to, v, i), p.partition[i], p.whole[i])
			bounds[i] = s.row
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// jump finds a bound that a column determines, anywhere in the partition.
func (s *search) jump(p *piece, v *columnar.Vector, i int) (int64, error) {
	to, far := target{}, p.rows.Cols[s.edge.far]
	side := 0 // of the target from the key, in ascending order
	switch {
	case s.edge.Unit == Groups:
		far := min(max(far.Ints[i], -MostOffset), MostOffset)
		to.n, side = v.Ints[i]+s.edge.Offset*far, cmp.Compare(s.edge.Offset*far, 0)
	case v.Type == columnar.Float:
		to.f = far.Floats[i]
		side = -to.compare(v, i)
	default:
		to.n = far.Ints[i]
		side = -to.compare(v, i)
	}
	if s.desc {
		side = -side
	}
	if int64(side) == -s.edge.Offset {
		return 0, fmt.Errorf("a frame of a window ends less than nothing before or behind its row: %w", expr.ErrNoNumber)
	}
	low, high := p.partition[i], p.whole[i]
	for low < high {
		middle := low + (high-low)/2
		passes, err := s.passes(middle, to)
		switch {
		case err != nil:
			return 0, err
		case passes:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, nil
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
	return d < 0 || d == 0 && s.edge.behind > 0, nil
}

// target is the key that a range reaches to from a row.
type target struct {
	n int64
	f float64 // of floats
}

// target returns the key at the bound's distance from key i, in the direction of the order.
func (s *search) target(v *columnar.Vector, i int) target {
	offset, months := s.edge.Offset, s.edge.Months
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
	if s.edge.Months == 0 || v.Type != columnar.Timestamp {
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
		return number.TimestampOf(number.AddMonths(days, months)) + clock
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
