package order

import (
	"bytes"
	"cmp"

	"analyzer/columnar"
)

// Key is one column of an order.
type Key struct {
	Column int
	Desc   bool
}

// comparator orders rows of a schema.
type comparator struct {
	keys []Key // all columns
}

// newComparator returns the total order that starts with the given keys.
func newComparator(schema columnar.Schema, keys []Key) comparator {
	c := comparator{keys: append([]Key(nil), keys...)}
	taken := make([]bool, len(schema))
	for _, k := range keys {
		taken[k.Column] = true
	}
	for i := range schema {
		if !taken[i] {
			c.keys = append(c.keys, Key{Column: i})
		}
	}
	return c
}

// compare orders row i of a and row j of b.
func (c comparator) compare(a columnar.Rows, i int, b columnar.Rows, j int) int {
	for _, k := range c.keys {
		x, y := a.Cols[k.Column], b.Cols[k.Column]
		switch nx, ny := x.IsNull(i), y.IsNull(j); {
		case nx && ny:
			continue
		case nx:
			return 1
		case ny:
			return -1
		}
		d := compareValues(x, i, y, j)
		if d == 0 {
			continue
		}
		if k.Desc {
			return -d
		}
		return d
	}
	return 0
}

// compareValues orders two values that are not null.
func compareValues(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
	switch x.Type {
	case columnar.Int, columnar.Decimal:
		return cmp.Compare(x.Ints[i], y.Ints[j])
	case columnar.Float:
		return compareFloats(x.Floats[i], y.Floats[j])
	case columnar.Text, columnar.FloatSum:
		return bytes.Compare(x.Bytes(i), y.Bytes(j))
	case columnar.Bool:
		return compareBools(x.Bools[i], y.Bools[j])
	case columnar.Wide:
		return x.Wides[i].Cmp(y.Wides[j])
	}
	return compareLists(x, i, y, j)
}

// compareFloats puts NaN after all numbers.
func compareFloats(x, y float64) int {
	if x != x || y != y {
		return -cmp.Compare(x, y) // cmp puts it first
	}
	return cmp.Compare(x, y)
}

func compareBools(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

func compareLists(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
	xs, xe := x.Offsets[i], x.Offsets[i+1]
	ys, ye := y.Offsets[j], y.Offsets[j+1]
	for xs < xe && ys < ye {
		if d := compareValues(x.Child, int(xs), y.Child, int(ys)); d != 0 {
			return d
		}
		xs, ys = xs+1, ys+1
	}
	return cmp.Compare(xe-xs, ye-ys)
}
