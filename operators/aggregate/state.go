package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/plan"
)

// state computes one aggregate. Its words lie in each record from the position
// at on; a record's words start out as zeros. The vectors of a state are its
// columns in a batch of states.
type state interface {
	// words is how many words of a record the state takes.
	words() int
	// update takes in the argument of each row; nil counts rows.
	update(t *table, at int, ids []uint32, arg *columnar.Vector) error
	// merge takes in states.
	merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error
	// appendState appends the state of a record.
	appendState(words []uint64, out []*columnar.Vector)
	// appendValue appends the value of a record.
	appendValue(words []uint64, out *columnar.Vector) error
	// single appends the states of rows as if each were a group.
	single(arg *columnar.Vector, rows int, out []*columnar.Vector)
	// room makes sure that the state can take in rows without asking for more
	// memory, and reports false when the budget does not allow it.
	room(t *table, cols []*columnar.Vector, rows int, force bool) bool
	// reset forgets what the state keeps outside records; free gives back its
	// memory as well.
	reset()
	free()
}

// inRecord is for states that keep all they know in their words.
type inRecord struct{}

func (inRecord) room(*table, []*columnar.Vector, int, bool) bool { return true }
func (inRecord) reset()                                          {}
func (inRecord) free()                                           {}

func newState(a plan.Agg, arg columnar.Type) (state, error) {
	switch a.Func {
	case plan.Count:
		return &countState{}, nil
	case plan.CountIf:
		return &countState{onlyTrue: true}, nil
	case plan.Sum, plan.Avg:
		value := valueType(a, arg)
		if arg == columnar.Float {
			return &floatSumState{name: a.Name, avg: a.Func == plan.Avg}, nil
		}
		if a.Func == plan.Avg {
			return &avgState{scale: scaleOf(arg)}, nil
		}
		return &sumState{name: a.Name, value: value}, nil
	case plan.Min:
		return &extremeState{of: arg, sign: -1}, nil
	case plan.Max:
		return &extremeState{of: arg, sign: 1}, nil
	case plan.List:
		return &listState{}, nil
	}
	return nil, fmt.Errorf("aggregate: there is no function %q", a.Func)
}

// countState counts rows, values that are not null, or true ones, in one word.
type countState struct {
	inRecord
	onlyTrue bool
}

func (*countState) words() int { return 1 }

func (c *countState) update(t *table, at int, ids []uint32, arg *columnar.Vector) error {
	switch {
	case c.onlyTrue:
		for i, id := range ids {
			if arg.Bools[i] && !arg.IsNull(i) {
				t.record(id)[at]++
			}
		}
	case arg != nil && arg.Valid != nil:
		for i, id := range ids {
			if arg.Valid[i] {
				t.record(id)[at]++
			}
		}
	default:
		for _, id := range ids {
			t.record(id)[at]++
		}
	}
	return nil
}

func (*countState) merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error {
	for i, id := range ids {
		t.record(id)[at] += uint64(cols[0].Ints[i])
	}
	return nil
}

func (*countState) appendState(words []uint64, out []*columnar.Vector) {
	out[0].AppendInt(int64(words[0]))
}

func (*countState) appendValue(words []uint64, out *columnar.Vector) error {
	out.AppendInt(int64(words[0]))
	return nil
}

func (c *countState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	for i := range rows {
		n := int64(1)
		if arg != nil && (arg.IsNull(i) || c.onlyTrue && !arg.Bools[i]) {
			n = 0
		}
		out[0].AppendInt(n)
	}
}

// extremeState keeps the least or the greatest value: a flag and the value's
// word.
type extremeState struct {
	inRecord
	of   columnar.Type
	sign int // 1 for the greatest, -1 for the least
}

func (*extremeState) words() int { return 2 }

func (e *extremeState) update(t *table, at int, ids []uint32, arg *columnar.Vector) error {
	for i, id := range ids {
		if arg.IsNull(i) {
			continue
		}
		rec := t.record(id)[at : at+2]
		if w := wordOf(arg, i); rec[0] == 0 || e.less(rec[1], w) {
			rec[0], rec[1] = 1, w
		}
	}
	return nil
}

func (e *extremeState) merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error {
	return e.update(t, at, ids, cols[0])
}

// less reports whether b goes before a.
func (e *extremeState) less(a, b uint64) bool {
	if e.of == columnar.Float {
		return compareFloatWords(b, a)*e.sign > 0
	}
	if e.sign > 0 {
		return int64(b) > int64(a)
	}
	return int64(b) < int64(a)
}

func (e *extremeState) appendState(words []uint64, out []*columnar.Vector) {
	if words[0] == 0 {
		out[0].AppendNull()
		return
	}
	appendWord(out[0], words[1])
}

func (e *extremeState) appendValue(words []uint64, out *columnar.Vector) error {
	e.appendState(words, []*columnar.Vector{out})
	return nil
}

func (e *extremeState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	out[0].AppendRange(arg, 0, rows)
}
