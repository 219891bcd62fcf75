package aggregate

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// Histogram is a map from each value to how often it occurs, in the order of the values.
const Histogram Func = "histogram"

func init() {
	functions.Add(func() []function {
		return []function{{
			name: Histogram, forms: []form{{
				takes: []columnar.Type{registry.Any}, givesOf: func(t columnar.Type) columnar.Type { return columnar.MapOf(t, columnar.Int) },
				rows: &orderedRows{}, state: []column{rowListColumn}, pickRows: inRuns(func(s *state) runs { return newEntries(s) }), value: histogramOfRows,
			}},
			doc: registry.Aggregates.Doc("histogram", "(value[, bins])", "a map from each value to how often it occurs, or from each bin to how many values lie up to it and above the one before", "histogram(s)", `{"a": 1, "b": 2}`),
		}}
	})
}

func histogramOfRows(s *state, r records, out *columnar.Vector) error {
	c, ok := s.acc[0].(*rowList).frame.(*counts)
	if !ok {
		return pickedRows(s, r, out)
	}
	e := newEntries(s)
	e.beginRuns(0, out)
	for _, row := range c.keys {
		if err := e.runOf([]byte(row), c.of[row]); err != nil {
			return err
		}
	}
	return e.endRuns(out)
}

// entries makes maps, which are null if they have no entries.
type entries struct {
	s          *state
	key, count *columnar.Vector // of an entry
	list       *columnar.Vector // the entries of a map
	memory     []byte
	before     int // bytes of maps before this one
}

func newEntries(s *state) *entries {
	list := columnar.NewVector(s.form.gives.Entries())
	return &entries{s: s, list: list, key: columnar.NewVector(list.Type.Item().Fields()[0].Type), count: columnar.NewVector(columnar.Int)}
}

func (e *entries) beginRuns(_ int64, out *columnar.Vector) {
	e.list.Reset()
	e.before = len(out.Data)
}

// runOf adds an entry to the present map.
func (e *entries) runOf(row []byte, times int64) error {
	e.key.Reset()
	e.count.Reset()
	if err := e.s.code.appendValue(e.key, row); err != nil {
		return err
	}
	e.count.AppendInt(times)
	e.memory = e.count.AppendField(e.key.AppendField(e.memory[:0], 0), 0)
	if size := e.before + len(e.list.Child.Data) + len(e.memory); size > columnar.MaxVectorBytes {
		return tooLong(size)
	}
	e.list.Child.AppendBytes(e.memory)
	return nil
}

func (e *entries) endRuns(out *columnar.Vector) error {
	if e.list.Child.Len == 0 {
		out.AppendNull()
		return nil
	}
	e.list.EndList()
	e.memory = columnar.AppendOrdered(e.memory[:0], e.list, 0)
	out.AppendBytes(e.memory)
	return nil
}

func (e *entries) size() int64 { return e.list.Child.ValueBytes() }

// counts says how often each of some encoded rows is there, in their order, while they come and go.
type counts struct {
	mem  *memory
	of   map[string]int64
	keys []string
}

func (c *counts) bytesOf(row string) int64 { return timesBytes + 32 + int64(len(row)) }

func (c *counts) add(of []byte) {
	row := string(of)
	n := c.of[row]
	if c.of[row] = n + 1; n == 0 {
		c.mem.claim(c.bytesOf(row))
		at, _ := slices.BinarySearch(c.keys, row)
		c.keys = slices.Insert(c.keys, at, row)
	}
}

func (c *counts) remove(of []byte) bool {
	row := string(of)
	n := c.of[row]
	if n > 1 {
		c.of[row] = n - 1
		return true
	}
	at, found := slices.BinarySearch(c.keys, row)
	if found {
		c.mem.unclaim(c.bytesOf(row))
		delete(c.of, row)
		c.keys = slices.Delete(c.keys, at, at+1)
	}
	return found
}

func (c *counts) reset() {
	for _, row := range c.keys {
		c.mem.unclaim(c.bytesOf(row))
	}
	clear(c.of)
	c.keys = nil
}
