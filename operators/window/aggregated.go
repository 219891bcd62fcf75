package window

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
)

// aggregated computes an aggregate over the rows of a frame.
type aggregated struct {
	call   *call
	of     folder
	held   []span           // the rows that are in the aggregate
	spans  []span           // memory for those of the next row
	begin  int64            // of the frame of the last row
	values *columnar.Vector // of the distinct frames of a piece, after the last value of the piece before
	before *columnar.Vector // memory for the values of the next piece
	sel    []int32
}

// folder is an aggregate of rows that change.
type folder interface {
	// change makes the aggregate that of some rows. Before, it was of others.
	change(from, to []span) error
	appendTo(out *columnar.Vector) error
	close()
}

func newAggregate(o *Operator, c *call) (evaluator, error) {
	t, err := c.agg().Type(o.schema)
	if err != nil {
		return nil, err
	}
	e := &aggregated{call: c, values: columnar.NewVector(t), before: columnar.NewVector(t)}
	removable, collects := c.agg().Removable(o.schema), c.agg().Collects(o.schema)
	if !c.Distinct && !collects && !c.frame.grows() && (c.frame.jumps || !removable) {
		e.of, err = newMerged(o, c)
	} else {
		e.of, err = newSlidingFrame(o, c, removable)
	}
	return e, err
}

// grows reports whether the frame of a partition only gains rows.
func (f *frame) grows() bool {
	return f.From.Unit == Whole && f.Exclude == "" && f.To.Months == 0 && !f.jumps
}

func (e *aggregated) append(p *piece, out *columnar.Vector) error {
	f := e.call.frame
	e.keepLast()
	e.sel = slices.Grow(e.sel[:0], len(f.begin))
	for i := range f.begin {
		e.spans = f.spans(e.spans[:0], p, i)
		if e.values.Len == 0 || !slices.Equal(e.spans, e.held) {
			if err := e.of.change(e.held, e.spans); err != nil {
				return err
			}
			e.held, e.spans = e.spans, e.held
			if err := e.of.appendTo(e.values); err != nil {
				return err
			}
		}
		e.sel = append(e.sel, int32(e.values.Len-1))
	}
	e.begin = f.begin[len(f.begin)-1]
	return appendGather(out, e.values, e.sel)
}

// keepLast forgets all values but the last one. The next rows may have the same value, which
// may take long to compute.
func (e *aggregated) keepLast() {
	e.before.Reset()
	if n := e.values.Len; n > 0 {
		e.before.AppendRange(e.values, n-1, n)
	}
	e.values, e.before = e.before, e.values
}

// appendGather appends values at positions. It fails if a vector cannot hold them.
func appendGather(out, from *columnar.Vector, sel []int32) error {
	size := 0
	if kind := from.Type.Kind(); kind == columnar.KindBytes || kind == columnar.KindList {
		for _, i := range sel {
			size += int(from.VaryingBytes(int(i)))
		}
	}
	if size > columnar.MaxVectorBytes {
		return fmt.Errorf("the values of %d rows have %d bytes, and can have %d: ask for shorter texts and lists", len(sel), size, columnar.MaxVectorBytes)
	}
	out.AppendGather(from, sel)
	return nil
}

func (e *aggregated) keep(next int64) int64 {
	switch f := e.call.frame; {
	case f.jumps:
		return f.reads(next)
	case e.call.frame.grows() && len(e.held) > 0:
		return min(next, e.held[0].to)
	}
	return min(next, e.begin)
}

func (e *aggregated) close() {
	e.of.close()
	e.values.Reset()
	e.held, e.begin = e.held[:0], 0
}

// sliding adds the rows that enter a frame and removes those that leave it, or begins anew where
// that is not possible or takes more.
type sliding struct {
	of             rowSet
	removable      bool
	adds, removes  *cursor
	enters, leaves []span
}

// rowSet is rows that are added and removed.
type rowSet interface {
	Add(rows columnar.Rows, lo, hi int) error
	// Remove reports false if it cannot do that. Then the set has to be reset.
	Remove(rows columnar.Rows, lo, hi int) bool
	Reset()
}

func newSliding(o *Operator, of rowSet, removable bool) sliding {
	return sliding{of: of, removable: removable, adds: o.tape.cursor(), removes: o.tape.cursor()}
}

func (s *sliding) change(from, to []span) error {
	s.enters, s.leaves = minus(s.enters[:0], to, from), minus(s.leaves[:0], from, to)
	leave := rowsOf(s.leaves)
	removed := leave == 0
	if !removed && s.removable && leave+rowsOf(s.enters) <= rowsOf(to) {
		var err error
		if removed, err = s.remove(); err != nil {
			return err
		}
	}
	if !removed {
		s.of.Reset()
		s.enters = append(s.enters[:0], to...)
	}
	for _, part := range s.enters {
		for part.from < part.to {
			at, err := s.adds.seek(part.from)
			if err != nil {
				return err
			}
			n := min(part.to, s.adds.to) - part.from
			if err := s.of.Add(s.adds.rows, at, at+int(n)); err != nil {
				return err
			}
			part.from += n
		}
	}
	return nil
}

// remove removes the rows that leave the frame. It reports false if the aggregate cannot do that.
func (s *sliding) remove() (bool, error) {
	for _, part := range s.leaves {
		for part.from < part.to {
			at, err := s.removes.seek(part.from)
			if err != nil {
				return false, err
			}
			n := min(part.to, s.removes.to) - part.from
			if !s.of.Remove(s.removes.rows, at, at+int(n)) {
				return false, nil
			}
			part.from += n
		}
	}
	return true, nil
}

// slidingFrame is an aggregate of such rows.
type slidingFrame struct {
	sliding
	frame *aggregate.Frame
}

func newSlidingFrame(o *Operator, c *call, removable bool) (folder, error) {
	f, err := aggregate.NewFrame(c.agg(), c.Distinct, o.schema, o.rt.Budget.Reserve("window"))
	return &slidingFrame{newSliding(o, f, removable), f}, err
}

func (s *slidingFrame) appendTo(out *columnar.Vector) error { return s.frame.Append(out) }
func (s *slidingFrame) close()                              { s.frame.Close() }

// merged merges states of blocks of rows: of the least value, nothing can be removed.
type merged struct {
	blocks *aggregate.Blocks
}

func newMerged(o *Operator, c *call) (folder, error) {
	rows := o.tape.cursor()
	b, err := aggregate.NewBlocks(c.agg(), o.schema, o.rt.Budget.Reserve("window"), o.rt.Budget.Reserve("window"), func(from, to int64) (columnar.Rows, int, int, error) {
		at, err := rows.seek(from)
		return rows.rows, at, at + int(min(to, rows.to)-from), err
	})
	return merged{b}, err
}

func (m merged) change(_, to []span) error {
	m.blocks.Reset()
	for _, part := range to {
		if err := m.blocks.Add(part.from, part.to); err != nil {
			return err
		}
	}
	return nil
}

func (m merged) appendTo(out *columnar.Vector) error { return m.blocks.Append(out) }
func (m merged) close()                              { m.blocks.Close() }
