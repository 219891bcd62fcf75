// Package rowtest generates and compares rows, for tests of code that stores or moves them.
package rowtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Nested returns types that are made of others: lists of lists, structs, lists of structs, and maps.
func Nested() []columnar.Type {
	one := columnar.StructOf(columnar.Field{Name: "a", Type: columnar.Int}, columnar.Field{Name: "b", Type: columnar.Text}, columnar.Field{Name: "c", Type: columnar.FloatList})
	return []columnar.Type{columnar.ListOf(columnar.TextList), one, columnar.ListOf(one), columnar.MapOf(columnar.Text, columnar.Int)}
}

// EveryType returns a schema with a column of each type, those of Nested too, named after it.
func EveryType() columnar.Schema {
	var s columnar.Schema
	for _, t := range append(columnar.Types(), Nested()...) {
		s = append(s, columnar.Field{Name: t.String(), Type: t})
	}
	return s
}

// Random returns n random rows of a schema. On average, nulls of every eight values are
// null.
func Random(rng *rand.Rand, schema columnar.Schema, n, nulls int) columnar.Rows {
	rows := columnar.NewRows(schema)
	for _, v := range rows.Cols {
		for range n {
			appendRandom(v, rng, nulls)
		}
	}
	rows.Len = n
	return rows
}

func appendRandom(v *columnar.Vector, rng *rand.Rand, nulls int) {
	if rng.IntN(8) < nulls {
		v.AppendNull()
		return
	}
	if v.Type.IsNested() {
		AppendNested(v, func(part *columnar.Vector) { appendRandom(part, rng, nulls) })
		return
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		v.AppendBool(rng.IntN(2) == 0)
	case columnar.KindInt64:
		v.AppendInt(rng.Int64() - rng.Int64())
	case columnar.KindFloat64:
		v.AppendFloat(rng.NormFloat64())
	case columnar.KindInt128:
		n := decimal128.New(rng.Int64N(1<<40), rng.Uint64())
		if v.Type.IsWide() {
			_, n, _ = number.QuoRem128(n, number.Power128(v.Type.Digits()))
		}
		v.AppendWide(n)
	case columnar.KindBytes:
		text := make([]byte, rng.IntN(12))
		for i := range text {
			text[i] = 'a' + byte(rng.IntN(26))
		}
		v.AppendBytes(text)
	case columnar.KindList:
		for range rng.IntN(4) {
			appendRandom(v.Child, rng, nulls)
		}
		v.EndList()
	default:
		panic(fmt.Sprintf("no random values of type %v", v.Type))
	}
}

// AppendNested appends a struct or a map whose parts a function appends.
func AppendNested(v *columnar.Vector, random func(part *columnar.Vector)) {
	if v.Type.IsMap() {
		entries := columnar.NewVector(v.Type.Entries())
		for entries.Len == 0 || entries.IsNull(0) {
			entries.Reset()
			random(entries)
		}
		v.AppendBytes(columnar.AppendOrdered(nil, entries, 0))
		return
	}
	var value []byte
	for _, f := range v.Type.Fields() {
		part := columnar.NewVector(f.Type)
		random(part)
		value = part.AppendField(value, 0)
	}
	v.AppendBytes(value)
}

// Text writes rows as text, for comparison.
func Text(rows columnar.Rows) string { return strings.Join(Lines(rows), "\n") }

// Lines writes each row as a line of text. Lines are equal if and only if all values are,
// down to the bits.
func Lines(rows columnar.Rows) []string {
	lines := make([]string, rows.Len)
	for i := range lines {
		lines[i] = Line(rows, i)
	}
	return lines
}

// Line writes one row as text.
func Line(rows columnar.Rows, i int) string {
	var b []byte
	for c, v := range rows.Cols {
		if c > 0 {
			b = append(b, '|')
		}
		b = appendValue(b, v, i)
	}
	return string(b)
}

// Value writes one value as text.
func Value(v *columnar.Vector, i int) string { return string(appendValue(nil, v, i)) }

func appendValue(b []byte, v *columnar.Vector, i int) []byte {
	if v.Dictionary != nil {
		return appendValue(b, v.Dictionary, int(v.Places[i]))
	}
	if v.IsNull(i) {
		return append(b, "null"...)
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		return strconv.AppendBool(b, v.Bools[i])
	case columnar.KindInt64:
		return strconv.AppendInt(b, v.Ints[i], 10)
	case columnar.KindFloat64:
		b = append(strconv.AppendFloat(b, v.Floats[i], 'g', 6, 64), '/')
		return strconv.AppendUint(b, math.Float64bits(v.Floats[i]), 16)
	case columnar.KindInt128:
		return append(b, v.Wides[i].BigInt().String()...)
	case columnar.KindBytes:
		return strconv.AppendQuote(b, string(v.Bytes(i)))
	}
	b = append(b, '[')
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		b = append(appendValue(b, v.Child, int(j)), ' ')
	}
	return append(b, ']')
}

// Same fails the test unless the rows equal those wanted.
func Same(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, got, want columnar.Rows,
) {
	t.Helper()
	if got.Len != want.Len || Text(got) != Text(want) {
		t.Fatalf("%d rows\n%s\nwant %d\n%s", got.Len, Text(got), want.Len, Text(want))
	}
}

// FromArrow returns the record batch of another program's reader as rows of a schema,
// whose types fit the Arrow types of the batch.
func FromArrow(schema columnar.Schema, b arrow.Record) columnar.Rows {
	rows := columnar.Rows{Len: int(b.NumRows()), Cols: make([]*columnar.Vector, len(schema))}
	for i, f := range schema {
		rows.Cols[i] = fromArray(f.Type, b.Column(i))
	}
	return rows
}

func fromArray(t columnar.Type, a arrow.Array) *columnar.Vector {
	n := a.Len()
	v := &columnar.Vector{Type: t, Len: n}
	if a.NullN() > 0 {
		v.Valid = make([]bool, n)
		bitmap, offset := a.NullBitmapBytes(), a.Data().Offset()
		for i := range v.Valid {
			v.Valid[i] = bitutil.BitIsSet(bitmap, offset+i)
		}
	}
	switch a := a.(type) {
	case *array.Boolean:
		v.Bools = make([]bool, n)
		for i := range v.Bools {
			v.Bools[i] = a.Value(i)
		}
	case *array.Int64:
		v.Ints = a.Int64Values()
	case *array.Float64:
		v.Floats = a.Float64Values()
	case *array.Decimal128:
		v.Wides = a.Values()
	case *array.String:
		v.Offsets, v.Data = offsetsOf(a.Data()), bufferOf(a.Data(), 2)
	case *array.Binary:
		v.Offsets, v.Data = offsetsOf(a.Data()), bufferOf(a.Data(), 2)
	case *array.List:
		v.Offsets, v.Child = offsetsOf(a.Data()), fromArray(t.Item(), a.ListValues())
	default:
		panic(fmt.Sprintf("no vector of Arrow type %s", a.DataType()))
	}
	return v
}

func bufferOf(d arrow.ArrayData, i int) []byte {
	if b := d.Buffers()[i]; b != nil {
		return b.Bytes()
	}
	return nil
}

func offsetsOf(d arrow.ArrayData) []int32 {
	raw := arrow.Int32Traits.CastFromBytes(bufferOf(d, 1))
	if len(raw) == 0 {
		return []int32{0}
	}
	return raw[d.Offset() : d.Offset()+d.Len()+1]
}
