package optest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
)

// push hands rows lo to hi to an operator as a view into a copy. Afterwards it
// checks that the copy is unchanged, and overwrites it.
func push(ctx context.Context, op operators.Operator, schema columnar.Schema, input int, rows columnar.Rows, lo, hi int, emit operators.Emit) error {
	from, to := max(0, lo-1), min(rows.Len, hi+1)
	around := columnar.Rows{Len: to - from}
	for _, v := range rows.Cols {
		around.Cols = append(around.Cols, clone(v, from, to))
	}
	view := around.Slice(lo-from, hi-from)
	if err := op.Push(ctx, input, view, emit); err != nil {
		return err
	}
	for c, v := range around.Cols {
		if !unchanged(v, rows.Cols[c], from) {
			return fmt.Errorf("the operator has changed column %q of rows that it was pushed", schema[c].Name)
		}
		overwrite(v)
	}
	return nil
}

// clone returns a copy of the values of v from position lo up to, not including, hi. It shares a
// dictionary.
func clone(v *columnar.Vector, lo, hi int) *columnar.Vector {
	if v.Dictionary != nil {
		out := v.Slice(lo, hi)
		out.Places = slices.Clone(out.Places)
		return out
	}
	out := columnar.NewVector(v.Type)
	out.AppendRange(v, lo, hi)
	return out
}

// unchanged reports whether a clone still equals the values of v from position lo on.
func unchanged(c, v *columnar.Vector, lo int) bool {
	again := clone(v, lo, lo+c.Len)
	return slices.Equal(c.Places, again.Places) && slices.Equal(c.Valid, again.Valid) && slices.Equal(c.Bools, again.Bools) &&
		slices.Equal(c.Ints, again.Ints) && slices.Equal(c.Wides, again.Wides) &&
		slices.EqualFunc(c.Floats, again.Floats, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) &&
		slices.Equal(c.Offsets, again.Offsets) && bytes.Equal(c.Data, again.Data) &&
		(c.Child == nil || unchanged(c.Child, again.Child, 0))
}

// overwrite fills a vector with meaningless values.
func overwrite(v *columnar.Vector) {
	for i := range v.Valid {
		v.Valid[i] = !v.Valid[i]
	}
	for i := range v.Bools {
		v.Bools[i] = !v.Bools[i]
	}
	for i := range v.Ints {
		v.Ints[i] = -0x5555555555555555
	}
	for i := range v.Floats {
		v.Floats[i] = -5.5e55
	}
	for i := range v.Wides {
		v.Wides[i] = decimal128.New(-0x5555555555555555, 0x5555555555555555)
	}
	for i := range v.Data {
		v.Data[i] = '#'
	}
	clear(v.Offsets)
	clear(v.Places)
	if v.Child != nil {
		overwrite(v.Child)
	}
}

// collector collects what an operator emits, as text.
type collector struct {
	schema columnar.Schema
	most   int // most rows of a page
	lines  []string
}

func (c *collector) emit(rows columnar.Rows) error {
	if rows.Len == 0 || rows.Len > c.most || len(rows.Cols) != len(c.schema) {
		return fmt.Errorf("a page of %d rows and %d columns", rows.Len, len(rows.Cols))
	}
	for i, v := range rows.Cols {
		if v.Type != c.schema[i].Type || v.Len != rows.Len || v.Valid != nil && len(v.Valid) < v.Len {
			return fmt.Errorf("column %q of a page of %d rows is %s, with %d values", c.schema[i].Name, rows.Len, v.Type, v.Len)
		}
	}
	c.lines = append(c.lines, rowtest.Lines(rows)...)
	return nil
}
