package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

// everyType is a schema with a column of each type.
var everyType = columnar.Schema{
	{Name: "bool", Type: columnar.Bool},
	{Name: "int", Type: columnar.Int},
	{Name: "decimal", Type: columnar.Decimal},
	{Name: "float", Type: columnar.Float},
	{Name: "text", Type: columnar.Text},
	{Name: "wide", Type: columnar.Wide},
	{Name: "floatsum", Type: columnar.FloatSum},
	{Name: "texts", Type: columnar.TextList},
	{Name: "ints", Type: columnar.IntList},
}

// checked calls do with an allocator all of whose memory must be released when
// do returns.
func checked(t memory.TestingT, do func(memory.Allocator)) {
	t.Helper()
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	do(alloc)
	alloc.AssertSize(t, 0)
}

// randomRows returns random rows of schema; of eight values, so many are null.
func randomRows(rng *rand.Rand, schema columnar.Schema, rows, nulls int) columnar.Rows {
	out := columnar.NewRows(schema)
	out.Len = rows
	for _, c := range out.Cols {
		for range rows {
			appendRandom(c, rng, nulls)
		}
	}
	return out
}

func appendRandom(v *columnar.Vector, rng *rand.Rand, nulls int) {
	if rng.IntN(8) < nulls {
		v.AppendNull()
		return
	}
	switch v.Type {
	case columnar.Bool:
		v.AppendBool(rng.IntN(2) == 0)
	case columnar.Int, columnar.Decimal:
		v.AppendInt(rng.Int64() - rng.Int64())
	case columnar.Float:
		v.AppendFloat(rng.NormFloat64())
	case columnar.Wide:
		v.AppendWide(decimal128.New(rng.Int64N(1<<40), rng.Uint64()))
	case columnar.Text, columnar.FloatSum:
		text := make([]byte, rng.IntN(12))
		for i := range text {
			text[i] = 'a' + byte(rng.IntN(26))
		}
		v.AppendBytes(text)
	case columnar.TextList, columnar.IntList:
		for range rng.IntN(4) {
			appendRandom(v.Child, rng, nulls)
		}
		v.EndList()
	}
}

// encode returns the body of rows in memory as Decode needs it.
func encode(t testing.TB, schema columnar.Schema, rows columnar.Rows) []byte {
	t.Helper()
	body, err := Append(nil, schema, rows)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// checkRows checks that a batch holds rows, by way of Arrow's own comparison.
func checkRows(t testing.TB, schema columnar.Schema, got columnar.RecordBatch, want columnar.Rows) {
	t.Helper()
	batch := columnar.Batch(memory.DefaultAllocator, schema.Arrow(), want.Cols, want.Len)
	defer batch.Release()
	if !array.RecordEqual(got, batch) {
		t.Fatalf("decoded %v, want %v", got, batch)
	}
}
