package segment

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow/go/v17/arrow"
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

// randomBatch returns rows random rows of schema, some values null.
func randomBatch(alloc memory.Allocator, rng *rand.Rand, schema columnar.Schema, rows int) columnar.RecordBatch {
	builder := array.NewRecordBuilder(alloc, schema.Arrow())
	defer builder.Release()
	nulls := rng.IntN(3) // none, few, many
	for _, column := range builder.Fields() {
		for range rows {
			appendRandom(column, rng, nulls)
		}
	}
	return builder.NewRecord()
}

func appendRandom(builder array.Builder, rng *rand.Rand, nulls int) {
	if nulls > 0 && rng.IntN(8) < nulls*nulls {
		builder.AppendNull()
		return
	}
	switch b := builder.(type) {
	case *array.BooleanBuilder:
		b.Append(rng.IntN(2) == 0)
	case *array.Int64Builder:
		b.Append(rng.Int64() - rng.Int64())
	case *array.Float64Builder:
		b.Append(rng.NormFloat64())
	case *array.StringBuilder:
		b.Append(randomText(rng))
	case *array.BinaryBuilder:
		b.Append([]byte(randomText(rng)))
	case *array.Decimal128Builder:
		b.Append(decimal128.New(rng.Int64N(1<<40), rng.Uint64()))
	case *array.ListBuilder:
		b.Append(true)
		for range rng.IntN(4) {
			appendRandom(b.ValueBuilder(), rng, nulls)
		}
	default:
		panic(fmt.Sprintf("no random values for %T", builder))
	}
}

func randomText(rng *rand.Rand) string {
	text := make([]byte, rng.IntN(12))
	for i := range text {
		text[i] = 'a' + byte(rng.IntN(26))
	}
	return string(text)
}

// intBatch returns a batch of one int64 column of so many bytes.
func intBatch(alloc memory.Allocator, size int) columnar.RecordBatch {
	builder := array.NewInt64Builder(alloc)
	defer builder.Release()
	builder.Reserve(size / 8)
	for i := range size / 8 {
		builder.UnsafeAppend(int64(uint64(i) * 0x9E3779B97F4A7C15 >> 3))
	}
	column := builder.NewArray()
	defer column.Release()
	return array.NewRecord(intSchema.Arrow(), []arrow.Array{column}, int64(size/8))
}

var intSchema = columnar.Schema{{Name: "value", Type: columnar.Int}}

var countSchema = columnar.Schema{{Name: "name", Type: columnar.Text}, {Name: "count", Type: columnar.Int}}

// countBatch returns rows as a group-by spills them: a name and a small number.
func countBatch(alloc memory.Allocator, rng *rand.Rand, rows int) columnar.RecordBatch {
	builder := array.NewRecordBuilder(alloc, countSchema.Arrow())
	defer builder.Release()
	for range rows {
		builder.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("Group of users number %d", rng.IntN(1_000_000)))
		builder.Field(1).(*array.Int64Builder).Append(rng.Int64N(1000))
	}
	return builder.NewRecord()
}
