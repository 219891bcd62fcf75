package aggregate

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/order"
)

// collector is a column of a state that keeps all values of a group, from which results are made in
// order. If memory does not hold them, or not beside the results, they are put off to a sort,
// which spills runs.
type collector interface {
	accumulator
	// kept is where the items are.
	kept() *list
	// column makes items a column of a sort, and returns how many bytes their values take.
	column(s *state, items []int64, out *columnar.Vector) (size int64)
	// movedOut frees what was taken only by items of chunks before one, all of which were moved out; moved
	// frees everything.
	movedOut(chunk uint64, items []int64)
	moved()
	// results makes the results of a group that was put off, of each aggregate that shares the column, in
	// off.made. grown is told how many bytes they take so far.
	results(sharing []*state, off *sortedList, each eachColumn, grown func(size int64) error) error
}

var _, _ collector = (*values)(nil), (*rowList)(nil)

// eachColumn calls take with the items of a group in order, some at a time. take borrows them.
type eachColumn func(take func(items *columnar.Vector) error) error

// sortedList has the items of one group that were put off, and then what they are made into.
type sortedList struct {
	ref       uint32 // of the group
	sort      *order.Sort
	len, size int64              // of the items, and of their values in bytes
	made      []*columnar.Vector // the result of each aggregate that shares them
}

// collector returns the column that collects values, nil if there is none.
func (s *state) collector() collector {
	c, _ := s.acc[0].(collector)
	return c
}

// bytesOfOne says what an error is about.
const bytesOfOne = "the values of one group"

// putOff makes room where groups cannot be split further, by moving out whatever can wait until
// results are made. It is an error if the rest, such as one long text, exceeds its share of memory.
func (g *groups) putOff(ctx context.Context, rt *operators.Runtime) error {
	for _, s := range g.states {
		if s.collector() != nil {
			if err := s.makeRoom(ctx, rt, g.records(g.all())); err != nil {
				return s.named(err)
			}
		}
	}
	g.mem.full = !g.collects
	if err := g.mem.reserved.CheckOne(bytesOfOne); err != nil {
		return fmt.Errorf("%s: %w", g.collecting(), err)
	}
	return nil
}

// makeRoom moves the items of groups to their sorts. If there is only one group, its items fill the
// slabs in order, and freeing those that were moved makes room for the sort.
func (s *state) makeRoom(ctx context.Context, rt *operators.Runtime, behind records) error {
	for _, ref := range behind.refs {
		off, err := s.move(ctx, rt, s.column(0, behind), ref, len(behind.refs) == 1)
		if err == nil && s.agg.Gathers() { // what is too long need not wait for more
			err = rt.Budget.CheckOne(bytesOfOne, off.size)
		}
		if err != nil {
			return err
		}
	}
	s.collector().moved()
	return nil
}

// move moves the items of a group to its sort.
func (s *state) move(ctx context.Context, rt *operators.Runtime, r records, ref uint32, only bool) (*sortedList, error) {
	off, err := s.collector().kept().sortOf(rt, s.form.state[0].typ.Item(), listOf(r, ref))
	if err != nil {
		return nil, err
	}
	off.ref = ref
	return off, s.moveOut(r, ref, only, func(items *columnar.Vector, size int64) error {
		off.len, off.size = off.len+int64(items.Len), off.size+size
		return off.sort.Push(ctx, 0, columnar.Rows{Len: items.Len, Cols: []*columnar.Vector{items}}, nil)
	})
}

// moveOut passes the items of a group on, which has none after that. If it is the only group, what they take is freed
// on the way.
func (s *state) moveOut(r records, ref uint32, only bool, take func(items *columnar.Vector, size int64) error) error {
	c, rec := s.collector(), listOf(r, ref)
	column := columnar.NewVector(s.form.state[0].typ.Item())
	for at, chunk, all := 0, rec[listFirst], int(rec[listLen]); at < all; {
		items, next := c.kept().chunk(chunk, at, all)
		if only {
			c.movedOut(chunk, items)
		}
		size := c.column(s, items, column)
		if err := take(column, size); err != nil {
			return err
		}
		at, chunk = at+len(items), next
	}
	clear(r.pages.rest(ref, r.at)[:c.words()])
	return nil
}

// sortOf returns the sort of a group.
func (l *list) sortOf(rt *operators.Runtime, item columnar.Type, rec *listRecord) (*sortedList, error) {
	if off := l.putOff[rec]; off != nil {
		return off, nil
	}
	sort, err := order.NewSort(rt, columnar.Schema{{Name: "item", Type: item}}, order.SortConfig{Limit: -1})
	if err != nil {
		return nil, err
	}
	if l.putOff == nil {
		l.putOff = make(map[*listRecord]*sortedList)
	}
	off := &sortedList{sort: sort}
	l.putOff[rec] = off
	return off, nil
}

// ready makes the results of a group that has collected much if its items were put off, or if there is no room
// for what else it takes to make them. It is an error if they take more than those of one group may.
func (g *groups) ready(ctx context.Context, rt *operators.Runtime, ref uint32) error {
	size := g.collected(ref)
	room := rt.Budget.CheckOne(bytesOfOne, size) == nil && g.made.TryGrow(madeTimes*size)
	for i, s := range g.states {
		if c := s.collector(); c == nil || room && c.kept().putOff[(*listRecord)(s.words(g.records(nil), ref))] == nil {
			continue
		}
		if err := g.settle(ctx, rt, i, ref); err != nil {
			return s.named(err)
		}
	}
	return nil
}

// collected returns how many bytes a group has collected. It is more than a page has if they were put off.
func (g *groups) collected(ref uint32) int64 {
	size := 0
	for _, s := range g.states {
		if s.collector() != nil {
			size += s.acc[0].size(s.words(g.records(nil), ref))
		}
	}
	return int64(size)
}

// madeTimes is how many times the bytes of a group's items are taken by what they are made into, and on the way.
const madeTimes = 2

// words returns the words of the first column of a group.
func (s *state) words(behind records, ref uint32) []uint64 {
	return behind.pages.rest(ref, behind.at+s.at[0])
}

// settle makes the results of a group of all aggregates that share a state.
func (g *groups) settle(ctx context.Context, rt *operators.Runtime, of int, ref uint32) error {
	s, only := g.states[of], g.table.count == 1
	off, err := s.move(ctx, rt, s.column(0, g.records(nil)), ref, only)
	if err != nil {
		return err
	}
	if only {
		s.collector().moved()
	}
	var sharing []*state
	for i, result := range g.results {
		if g.stateOf[i] == of {
			sharing = append(sharing, result)
			off.made = append(off.made, columnar.NewVector(result.form.gives))
		}
	}
	before := g.made.Size()
	return s.collector().results(sharing, off, func(take func(*columnar.Vector) error) error {
		return off.sort.Finish(ctx, 0, func(rows columnar.Rows) error { return take(rows.Cols[0]) })
	}, func(size int64) error {
		g.made.Grow(max(0, before+size-g.made.Size()))
		return g.made.CheckOne(bytesOfOne)
	})
}

// appendMade appends the result of a group that was put off, of the nth aggregate that shares its items. It
// reports false for any other group.
func (l *list) appendMade(rec *listRecord, nth int, out *columnar.Vector) bool {
	off := l.putOff[rec]
	if off == nil {
		return false
	}
	out.Take(off.made[nth])
	return true
}

// sizeOf returns the size of a group whose items in memory take so many bytes.
func (l *list) sizeOf(words []uint64, size int) int {
	if l.putOff[(*listRecord)(words)] != nil {
		return bulkyBytes + 1
	}
	return size
}

// drop forgets everything that was put off.
func (g *groups) drop() error {
	var errs []error
	for _, s := range g.states {
		if c := s.collector(); c != nil {
			for _, off := range c.kept().putOff {
				errs = append(errs, off.sort.Close())
			}
			c.kept().putOff = nil
		}
	}
	return errors.Join(errs...)
}

// handBack passes on the items that were put off, as further states of the same groups.
func (g *groups) handBack(ctx context.Context, as paging, add operators.Emit) error {
	for i, s := range g.states {
		c := s.collector()
		if c == nil {
			continue
		}
		for _, off := range c.kept().putOff {
			row, list, err := g.emptyState(as, i, off.ref)
			if err != nil {
				return s.named(err)
			}
			if err := off.sort.Finish(ctx, 0, func(rows columnar.Rows) error {
				list.Reset()
				list.Child.AppendRange(rows.Cols[0], 0, rows.Len)
				list.EndList()
				return add(row)
			}); err != nil {
				return s.named(err)
			}
		}
		clear(c.kept().putOff)
	}
	return nil
}

// inParts passes on what a group has collected, as further states of it, none of which takes much memory.
func (g *groups) inParts(as paging, ref uint32, add operators.Emit) error {
	for i, s := range g.states {
		if s.collector() == nil {
			continue
		}
		row, list, err := g.emptyState(as, i, ref)
		if err != nil {
			return s.named(err)
		}
		list.Reset()
		flush := func() error {
			list.EndList()
			err := add(row)
			list.Reset()
			return err
		}
		if err := s.moveOut(s.column(0, g.records(nil)), ref, false, func(items *columnar.Vector, _ int64) error {
			if list.Child.AppendRange(items, 0, items.Len); list.Child.ValueBytes() < bulkyBytes {
				return nil
			}
			return flush()
		}); err != nil {
			return s.named(err)
		}
		if err := flush(); err != nil {
			return s.named(err)
		}
	}
	return nil
}

// emptyState returns a row with the key of a group and states of no rows. list is the column of that row that is the
// list of state i.
func (g *groups) emptyState(as paging, i int, ref uint32) (row columnar.Rows, list *columnar.Vector, err error) {
	row = columnar.NewRows(as.schema)
	as.keys(&row, []uint32{ref})
	none, at := records{pages: pages{new(page)}, refs: oneGroup}, len(row.Cols)
	for j := len(g.states) - 1; j >= 0; j-- {
		for k := len(g.states[j].acc) - 1; k >= 0; k-- {
			at--
			if err := g.states[j].acc[k].appendTo(g.states[j].column(k, none), row.Cols[at]); err != nil {
				return row, nil, err
			}
			if j == i && k == 0 {
				list = row.Cols[at]
			}
		}
	}
	return row, list, nil
}
