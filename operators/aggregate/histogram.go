package aggregate

import (
	"bytes"
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
				rows: &orderedRows{}, state: []column{rowListColumn}, value: histogramOfRows,
			}},
			doc: registry.Aggregates.Doc("histogram", "(value[, bins])", "a map from each value to how often it occurs, or from each bin to how many values lie up to it and above the one before", "histogram(s)", `{"a": 1, "b": 2}`),
		}}
	})
}

func histogramOfRows(s *state, r records, out *columnar.Vector) error {
	l := s.acc[0].(*rowList)
	entries := newEntries(s, out)
	if c := l.counts; c != nil {
		for _, row := range c.keys {
			if err := entries.add([]byte(row), c.of[row]); err != nil {
				return err
			}
		}
		entries.end()
		return nil
	}
	return l.sorted(s.column(0, r), func(rows [][]byte, _ int) error {
		for first := 0; first < len(rows); {
			end := first + 1
			for end < len(rows) && bytes.Equal(rows[first], rows[end]) {
				end++
			}
			if err := entries.add(rows[first], int64(end-first)); err != nil {
				return err
			}
			first = end
		}
		entries.end()
		return nil
	})
}

// entries appends maps, which are null if they have no entries.
type entries struct {
	s          *state
	out        *columnar.Vector
	key, count *columnar.Vector // of an entry
	list       *columnar.Vector // the entries of a map
	memory     []byte
}

func newEntries(s *state, out *columnar.Vector) entries {
	list := columnar.NewVector(out.Type.Entries())
	return entries{s: s, out: out, list: list, key: columnar.NewVector(list.Type.Item().Fields()[0].Type), count: columnar.NewVector(columnar.Int)}
}

// add adds an entry to the present map.
func (e *entries) add(row []byte, count int64) error {
	e.key.Reset()
	e.count.Reset()
	if err := e.s.code.appendValue(e.key, row); err != nil {
		return err
	}
	e.count.AppendInt(count)
	e.memory = e.count.AppendField(e.key.AppendField(e.memory[:0], 0), 0)
	if size := len(e.out.Data) + len(e.list.Child.Data) + len(e.memory); size > columnar.MaxVectorBytes {
		return tooLong(size)
	}
	e.list.Child.AppendBytes(e.memory)
	return nil
}

// end ends the present map.
func (e *entries) end() {
	if e.list.Child.Len == 0 {
		e.out.AppendNull()
		return
	}
	e.list.EndList()
	e.memory = columnar.AppendOrdered(e.memory[:0], e.list, 0)
	e.out.AppendBytes(e.memory)
	e.list.Reset()
}

// counts says how often each of some encoded rows is there, in their order, while they come and go.
type counts struct {
	mem  *memory
	of   map[string]int64
	keys []string
}

func (c *counts) bytesOf(row string) int64 { return timesBytes + 32 + int64(len(row)) }

func (c *counts) add(row string) {
	n := c.of[row]
	if c.of[row] = n + 1; n == 0 {
		c.mem.claim(c.bytesOf(row))
		at, _ := slices.BinarySearch(c.keys, row)
		c.keys = slices.Insert(c.keys, at, row)
	}
}

// remove reports false if the row is not there.
func (c *counts) remove(row string) bool {
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
