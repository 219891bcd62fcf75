package order

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Key is one column of an order.
type Key struct {
	Column     string `json:"column"`
	Desc       bool   `json:"desc,omitempty"`
	NullsFirst bool   `json:"nullsFirst,omitempty"` // otherwise nulls are last in both directions
}

// Describe lists sort keys as EXPLAIN shows them.
func Describe(by []Key) string {
	var keys []string
	for _, k := range by {
		key := k.Column
		if k.Desc {
			key += " desc"
		}
		if k.NullsFirst {
			key += " nulls first"
		}
		keys = append(keys, key)
	}
	return strings.Join(keys, ", ")
}

// key is a Key with the position of its column.
type key struct {
	at               int
	desc, nullsFirst bool
}

// keysOf finds the columns of sort keys.
func keysOf(schema columnar.Schema, order []Key) ([]key, error) {
	var keys []key
	for _, k := range order {
		at := schema.Index(k.Column)
		if at < 0 {
			return nil, fmt.Errorf("there is no column %q", k.Column)
		}
		keys = append(keys, key{at, k.Desc, k.NullsFirst})
	}
	return keys, nil
}

// total is a total order of the rows of a schema.
type total struct {
	keys     []key // all columns; from zeros on, the columns of floats and of float lists once more
	compares []compareFunc
	zeros    int
}

// compareFunc orders value i of x and value j of y, neither of which is null.
type compareFunc func(x *columnar.Vector, i int, y *columnar.Vector, j int) int

// newTotal returns the total order that starts with the given keys. Equal floats are equal
// there too, so -0 and 0 are told apart only after all other columns.
func newTotal(schema columnar.Schema, order []Key) (total, error) {
	keys, err := keysOf(schema, order)
	o := total{keys: keys}
	for i := range schema {
		if !slices.ContainsFunc(keys, func(k key) bool { return k.at == i }) {
			o.keys = append(o.keys, key{at: i})
		}
	}
	for _, k := range o.keys {
		o.compares = append(o.compares, compareOf(schema[k.at].Type))
	}
	o.zeros = len(o.keys)
	for i, f := range schema {
		switch f.Type {
		case columnar.Float:
			o.keys, o.compares = append(o.keys, key{at: i}), append(o.compares, compareZeros)
		case columnar.FloatList:
			o.keys, o.compares = append(o.keys, key{at: i}), append(o.compares, compareLists(compareZeros))
		}
	}
	return o, err
}

// compare orders row i of a and row j of b.
func (o *total) compare(a columnar.Rows, i int, b columnar.Rows, j int) int {
	for n, k := range o.keys {
		x, y := a.Cols[k.at], b.Cols[k.at]
		switch nx, ny := x.IsNull(i), y.IsNull(j); {
		case nx && ny:
			continue
		case nx != ny:
			if nx == k.nullsFirst {
				return -1
			}
			return 1
		}
		if d := o.compares[n](x, i, y, j); d != 0 {
			if k.desc {
				return -d
			}
			return d
		}
	}
	return 0
}

// compareIDs orders two rows of pages.
func (o *total) compareIDs(p *columnar.Pages, x, y uint32) int {
	a, i := p.Row(x)
	b, j := p.Row(y)
	return o.compare(a, i, b, j)
}

func compareOf(t columnar.Type) compareFunc {
	switch t.Kind() {
	case columnar.KindInt64:
		return func(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
			return cmp.Compare(x.Ints[i], y.Ints[j])
		}
	case columnar.KindFloat64:
		return func(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
			return cmp.Compare(number.FloatWord(x.Floats[i]), number.FloatWord(y.Floats[j]))
		}
	case columnar.KindBool:
		return func(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
			return cmp.Compare(boolWord(x.Bools[i]), boolWord(y.Bools[j]))
		}
	case columnar.KindInt128:
		return func(x *columnar.Vector, i int, y *columnar.Vector, j int) int { return x.Wides[i].Cmp(y.Wides[j]) }
	case columnar.KindList:
		return compareLists(compareOf(t.Item()))
	}
	return func(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
		return bytes.Compare(x.Bytes(i), y.Bytes(j))
	}
}

// compareZeros orders -0 before 0. All other pairs that reach it are equal.
func compareZeros(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
	return cmp.Compare(zeroWord(x.Floats[i]), zeroWord(y.Floats[j]))
}

// compareLists orders lists by the first items that differ, nulls last, or, if none differ, by
// length.
func compareLists(items compareFunc) compareFunc {
	return func(x *columnar.Vector, i int, y *columnar.Vector, j int) int {
		xs, xe := int(x.Offsets[i]), int(x.Offsets[i+1])
		ys, ye := int(y.Offsets[j]), int(y.Offsets[j+1])
		for ; xs < xe && ys < ye; xs, ys = xs+1, ys+1 {
			d := 0
			if nx, ny := x.Child.IsNull(xs), y.Child.IsNull(ys); nx || ny {
				d = cmp.Compare(boolWord(nx), boolWord(ny))
			} else {
				d = items(x.Child, xs, y.Child, ys)
			}
			if d != 0 {
				return d
			}
		}
		return cmp.Compare(xe-xs, ye-ys)
	}
}

const signBit = 1 << 63

// zeroWord is 0 for -0 and 1 for all other floats.
func zeroWord(f float64) uint64 { return boolWord(f != 0 || !math.Signbit(f)) }

func boolWord(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
