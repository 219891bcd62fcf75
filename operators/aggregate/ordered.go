package aggregate

import (
	"math"
	"math/bits"
	"slices"

	"analyzer/columnar"
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

// values are lists whose items are needed in order.
type values struct {
	list
	// sorted are the items of the single group of a Frame, which can be removed again, instead of
	// the list; nil elsewhere.
	sorted *sortedItems
	often  *frequent[int64] // likewise, in place of sorted, if the most frequent one is wanted
	some   []int64          // memory for present
	copied []int64          // memory for the items of a group, which are moved about
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

// column is one of integers that stand for values.
func (*values) column(_ *state, items []int64, out *columnar.Vector) (size int64) {
	*out = columnar.Vector{Type: columnar.Int, Len: len(items), Ints: items}
	return 8 * int64(len(items))
}

func (v *values) results(sharing []*state, off *sortedList, each eachColumn, _ func(int64) error) error {
	picks := columnar.Each(sharing, func(s *state) picker { return s.form.pick(s.agg) })
	for _, p := range picks {
		p.begin(off.len)
	}
	err := each(func(items *columnar.Vector) error {
		for _, p := range picks {
			p.take(items.Ints[:items.Len])
		}
		return nil
	})
	for i, p := range picks {
		p.append(off.made[i])
	}
	return err
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
		if v.appendMade(rec, nth, out) {
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
	if more := n - cap(v.copied); more > 0 {
		v.mem.claim(8 * int64(more))
		v.copied = make([]int64, n)
	}
	v.copied = v.copied[:n]
	v.copy(v.copied, rec)
	return v.copied, nil
}

func (v *values) reset() {
	v.list.reset()
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
	v.copied = nil
	v.resetFrame()
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
