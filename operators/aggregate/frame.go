package aggregate

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

// Frame computes an aggregate of rows that are added and removed, as a window's frame moves. It
// is the single group of an aggregation without keys. It has one user at a time, and holds its
// reserved memory until Close.
type Frame struct {
	mem    memory
	state  *state
	record records // the single group, repeated for each row
	args   []int   // positions of the arguments
	views  []columnar.Vector
	batch  []*columnar.Vector // the views of a batch of arguments
	values int64              // number of values in the group that are not null
	times  *times             // of values, if equal ones count once
}

// NewFrame returns an aggregate over rows of a schema, with no rows yet. If it is distinct, equal
// values count once.
func NewFrame(a Agg, distinct bool, in columnar.Schema, reserved *budget.Reservation) (*Frame, error) {
	form, args, err := a.over(in)
	if err != nil {
		return nil, err
	}
	f := &Frame{mem: memory{reserved: reserved}, args: args, views: make([]columnar.Vector, len(args))}
	for i := range f.views {
		f.batch = append(f.batch, &f.views[i])
	}
	f.state, _ = newState(a, form, &f.mem, 0)
	f.record.pages, f.record.same = pages{new(page)}, true
	for _, acc := range f.state.acc {
		if c, ok := acc.(interface{ inFrame(*memory, Func) }); ok {
			c.inFrame(&f.mem, a.Func)
		}
	}
	if distinct {
		f.times = newTimes(&f.mem)
	}
	return f, nil
}

// remover is an accumulator that can take values out again. remove may report that it cannot;
// then the accumulator must be reset before further use.
type remover interface {
	remove(r records, arg *columnar.Vector) bool
}

// Removable reports whether an aggregate over the given columns can take values out again. If
// not, it is computed anew.
func (a Agg) Removable(in columnar.Schema) bool {
	f, _, err := a.over(in)
	return err == nil && !slices.ContainsFunc(f.state, func(c column) bool {
		_, ok := c.make(&memory{}).(remover)
		return !ok
	})
}

// Collects reports whether an aggregate over the given columns keeps all values. If so, states of
// it take as much memory as the rows.
func (a Agg) Collects(in columnar.Schema) bool {
	f, _, err := a.over(in)
	return err == nil && slices.ContainsFunc(f.state, func(c column) bool { return c.typ.Item() != columnar.Invalid })
}

// Gathers reports whether the value of an aggregate has the values of all rows, as a list has.
func (a Agg) Gathers() bool {
	f := functions.Find(string(a.Func))
	return f != nil && f.gathers
}

// Add takes in rows lo up to, not including, hi. It fails when they do not fit into memory.
func (f *Frame) Add(rows columnar.Rows, lo, hi int) error {
	arg, n, err := f.take(rows, lo, hi)
	if err != nil {
		return f.state.named(err)
	}
	if f.times != nil {
		arg, n = f.times.add(arg, hi-lo)
	}
	f.values += n
	f.state.add(f.record, arg)
	return f.checkRoom()
}

// checkRoom returns an error if the values do not fit into memory.
func (f *Frame) checkRoom() error {
	if !f.mem.full {
		return nil
	}
	return f.state.named(f.mem.reserved.CheckOne("the values of one window"))
}

// Remove takes out rows that were added. It reports false if that is impossible; then the
// caller must Reset the frame and add the remaining rows again.
func (f *Frame) Remove(rows columnar.Rows, lo, hi int) bool {
	arg, n, err := f.take(rows, lo, hi)
	if err != nil {
		return false
	}
	if f.times != nil {
		arg, n = f.times.remove(arg, hi-lo)
	}
	if f.values -= n; f.values == 0 { // some aggregates of no values are null
		f.Reset()
		return true
	}
	for i, acc := range f.state.acc {
		if r, ok := acc.(remover); !ok || !r.remove(f.state.column(i, f.record), arg) {
			return false
		}
	}
	return true
}

// take returns what the accumulators take in for rows, and how many of its values are not null.
func (f *Frame) take(rows columnar.Rows, lo, hi int) (arg *columnar.Vector, values int64, err error) {
	if n := hi - lo; n > cap(f.record.refs) {
		f.record.refs = make([]uint32, n)
	}
	f.record.refs = f.record.refs[:hi-lo]
	for i, at := range f.args {
		f.views[i].View(rows.Cols[at], lo, hi)
	}
	arg, err = f.state.taken(f.batch)
	if arg == nil || arg.Valid == nil {
		return arg, int64(hi - lo), err
	}
	for _, valid := range arg.Valid[:hi-lo] {
		if valid {
			values++
		}
	}
	return arg, values, err
}

// Append appends the aggregate of the current rows.
func (f *Frame) Append(out *columnar.Vector) error {
	one := f.record
	one.refs = oneGroup
	return f.state.appendValues(one, out)
}

var oneGroup = []uint32{0} // read only

// Reset forgets all rows.
func (f *Frame) Reset() {
	f.values = 0
	if f.times != nil {
		f.times.reset()
	}
	for i, acc := range f.state.acc {
		at := f.state.at[i]
		clear(f.record.pages[0][at : at+acc.words()])
		acc.reset()
	}
}

// Close forgets all rows and gives back the memory.
func (f *Frame) Close() {
	f.Reset()
	for _, acc := range f.state.acc {
		acc.free()
	}
	f.mem.release()
}

// merge merges states of other groups into the group.
func (f *Frame) merge(states []*columnar.Vector) error {
	one, n := f.record, states[0].Len
	if n > cap(f.record.refs) {
		f.record.refs = make([]uint32, n)
	}
	one.refs = f.record.refs[:n]
	for i, acc := range f.state.acc {
		if err := acc.merge(f.state.column(i, one), states[i]); err != nil {
			return f.state.named(err)
		}
	}
	return f.checkRoom()
}
