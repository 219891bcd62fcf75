package aggregate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
	"analyzer/operators/order"
)

// ordered returns the form of a function of ordered values.
func ordered(takes, gives columnar.Type, pick func(Agg) picker) form {
	return form{
		takes: []columnar.Type{takes}, gives: gives, pick: pick,
		state: []column{{"list", columnar.IntList, func(mem *memory) accumulator {
			return &values{list: list{arena: arena[int64]{mem: mem}, floats: takes == columnar.Float}}
		}}},
		value: func(s *state, r records, out *columnar.Vector) error {
			return s.acc[0].(*values).pick(pick(s.agg), s.nth, s.column(0, r), out)
		},
	}
}

// values are lists whose items are needed in order. If memory does not hold the items of groups
// that cannot be split, they are put off to a sort, which spills runs.
type values struct {
	list
	putOff map[*listRecord]*sortedList // of groups
	// sorted are the items of the single group of a Frame, which can be removed again, instead of
	// the list; nil elsewhere.
	sorted *sortedItems
	often  *frequent[int64] // likewise, in place of sorted, if the most frequent one is wanted
	some   []int64          // memory for present
	moved  []int64          // memory for the items of a group, which are moved about
}

func (v *values) inFrame(mem *memory, of Func) {
	if of == Mode {
		v.often = newFrequent(mem, func(int64) int64 { return 0 })
		return
	}
	v.sorted = &sortedItems{mem: mem}
}

func (v *values) update(r records, arg *columnar.Vector) {
	switch {
	case v.often != nil:
		for _, item := range v.present(arg) {
			v.often.add(item)
		}
	case v.sorted != nil:
		v.sorted.add(v.present(arg))
	default:
		v.list.update(r, arg)
	}
}

func (v *values) remove(_ records, arg *columnar.Vector) bool {
	if v.often != nil {
		return !slices.ContainsFunc(v.present(arg), func(item int64) bool { return !v.often.remove(item) })
	}
	return v.sorted != nil && v.sorted.remove(v.present(arg))
}

// present returns the items of a batch that are not null. They are valid until the next call.
func (v *values) present(arg *columnar.Vector) []int64 {
	items := v.items(arg)[:arg.Len]
	if arg.Valid == nil {
		return items
	}
	v.some = v.some[:0]
	for i, item := range items {
		if arg.Valid[i] {
			v.some = append(v.some, item)
		}
	}
	return v.some
}

// sortedList holds the items of one group that were put off, and the pickers of the group's
// results.
type sortedList struct {
	ref   uint32 // of the group
	sort  *order.Sort
	len   int64
	picks []picker // of each aggregate that shares the values
}

// makeRoom moves the items of groups to their sorts.
func (v *values) makeRoom(ctx context.Context, rt *operators.Runtime, r records) error {
	if v.putOff == nil {
		v.putOff = make(map[*listRecord]*sortedList)
	}
	for _, ref := range r.refs {
		rec := listOf(r, ref)
		s := v.putOff[rec]
		if s == nil {
			sort, err := order.NewSort(rt, columnar.Schema{{Name: "item", Type: columnar.Int}}, order.SortConfig{Limit: -1})
			if err != nil {
				return err
			}
			s = &sortedList{ref: ref, sort: sort}
			v.putOff[rec] = s
		}
		if err := v.move(ctx, rec, s, len(r.refs) == 1); err != nil {
			return err
		}
	}
	v.giveBack(len(v.slabs))
	v.arena.free()
	return nil
}

// move moves the items of a record to its sort. If the record is the only one, its items fill
// the slabs in order, and freeing the slabs that were moved makes room for the sort.
func (v *values) move(ctx context.Context, rec *listRecord, s *sortedList, only bool) error {
	all := int(rec[listLen])
	for at, ref := 0, rec[listFirst]; at < all; {
		items, next := v.chunk(ref, at, all)
		column := &columnar.Vector{Type: columnar.Int, Len: len(items), Ints: items}
		if err := s.sort.Push(ctx, 0, columnar.Rows{Len: len(items), Cols: []*columnar.Vector{column}}, nil); err != nil {
			return err
		}
		if at, ref = at+len(items), next; only && at < all {
			v.giveBack(int(ref >> 32))
		}
	}
	s.len += int64(rec[listLen])
	*rec = listRecord{}
	return nil
}

// settle computes the results of groups that were put off.
func (v *values) settle(ctx context.Context, picks func() []picker) error {
	for rec, s := range v.putOff {
		if err := v.move(ctx, rec, s, false); err != nil {
			return err
		}
		s.picks = picks()
		for _, p := range s.picks {
			p.begin(s.len)
		}
		if err := s.sort.Finish(ctx, 0, func(rows columnar.Rows) error {
			for _, p := range s.picks {
				p.take(rows.Cols[0].Ints[:rows.Len])
			}
			return nil
		}); err != nil {
			return fmt.Errorf("values of one group: %w", err)
		}
	}
	return nil
}

// pick appends the results of groups by a picker, of the nth aggregate that shares the values: null for
// a group without values.
func (v *values) pick(p picker, nth int, r records, out *columnar.Vector) error {
	switch {
	case v.sorted != nil:
		v.sorted.pick(p, out)
		return nil
	case v.often != nil:
		if item, ok := v.often.best(); ok {
			appendItem(out, item)
		} else {
			out.AppendNull()
		}
		return nil
	}
	for _, ref := range r.refs {
		rec := listOf(r, ref)
		if s := v.putOff[rec]; s != nil {
			s.picks[nth].append(out)
			continue
		}
		list, err := v.taken(rec)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			out.AppendNull()
			continue
		}
		first, last := p.begin(int64(len(list)))
		sortAround(list, int(first), int(last))
		p.take(list)
		p.append(out)
	}
	return nil
}

// taken returns a copy of the items of a group, which is valid until the next call.
func (v *values) taken(rec *listRecord) ([]int64, error) {
	n, err := itemsOf(rec, 0)
	if err != nil {
		return nil, err
	}
	if more := n - cap(v.moved); more > 0 {
		v.mem.claim(8 * int64(more))
		v.moved = make([]int64, n)
	}
	v.moved = v.moved[:n]
	v.copy(v.moved, rec)
	return v.moved, nil
}

func (v *values) reset() {
	v.list.reset()
	clear(v.putOff)
	v.resetFrame()
}

func (v *values) resetFrame() {
	switch {
	case v.sorted != nil:
		v.sorted.reset()
	case v.often != nil:
		v.often.reset()
	}
}

func (v *values) free() {
	v.list.free()
	v.putOff, v.moved = nil, nil
	v.resetFrame()
}

// drop forgets what was put off and not settled.
func (v *values) drop() error {
	var errs []error
	for _, s := range v.putOff {
		errs = append(errs, s.sort.Close())
	}
	v.putOff = nil
	return errors.Join(errs...)
}

// handBack adds the items that were put off to spilled states of the same groups. The groups
// were spilled when another group came.
func (g *groups) handBack(ctx context.Context, spool *spill.Spool) error {
	for i, s := range g.states {
		v, ok := s.acc[0].(*values)
		if !ok {
			continue
		}
		for _, off := range v.putOff {
			row, list, err := g.emptyState(i, off.ref)
			if err != nil {
				return s.named(err)
			}
			g.beginStored(row)
			g.encode()
			if err := off.sort.Finish(ctx, 0, func(rows columnar.Rows) error {
				list.Reset()
				list.Child.AppendRange(rows.Cols[0], 0, rows.Len)
				list.EndList()
				return spool.Add(row, g.hashes, g.table.seed)
			}); err != nil {
				return s.named(err)
			}
		}
		clear(v.putOff)
	}
	return nil
}

// emptyState returns a row in the form of a spool, with the key of a group and states of no
// rows. list is the column of that row that is the list of state i.
func (g *groups) emptyState(i int, ref uint32) (row columnar.Rows, list *columnar.Vector, err error) {
	row = columnar.NewRows(g.storedSchema)
	if err := g.appendStored(&row, []uint32{ref}); err != nil {
		return row, nil, err
	}
	none, at := records{pages: pages{new(page)}, refs: oneGroup}, len(row.Cols)
	for j := len(g.states) - 1; j >= 0; j-- {
		for k := len(g.states[j].acc) - 1; k >= 0; k-- {
			at--
			row.Cols[at].Reset()
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

// sortAround moves the items that belong at places first to last to these places, with no
// greater item before them. The order of other items is arbitrary. It continues only in the
// part that has the places, where quicksort continues in both (Hoare, "Algorithm 65: Find",
// Communications of the ACM 4, 1961).
func sortAround(items []int64, first, last int) {
	const few = 32
	for rounds := 2 * bits.Len(uint(len(items))); len(items) > few && rounds > 0; rounds-- {
		a, b, c := items[0], items[len(items)/2], items[len(items)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		n := divide(items, pivot)
		if n == 0 { // the pivot is the least item, maybe one of many equal ones
			if pivot == math.MaxInt64 {
				return
			}
			if n = divide(items, pivot+1); last < n {
				return
			}
		}
		switch {
		case last < n:
			items = items[:n]
		case first >= n:
			items, first, last = items[n:], first-n, last-n
		default:
			rounds = 0 // both parts have some of the places
		}
	}
	slices.Sort(items)
}

// divide moves items less than the pivot before the others, and returns how many there are. It
// does not branch on the items, since no processor could predict such a branch.
func divide(items []int64, pivot int64) (n int) {
	for i, item := range items {
		items[i], items[n] = items[n], item
		less := 0
		if item < pivot {
			less = 1
		}
		n += less
	}
	return n
}
