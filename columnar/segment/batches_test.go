package segment

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

var everyType = rowtest.EveryType()

// randomBatch returns random rows of schema, with null values or without.
func randomBatch(alloc memory.Allocator, rng *rand.Rand, schema columnar.Schema, n int) columnar.RecordBatch {
	nulls := []int{0, 1, 4}[rng.IntN(3)]
	rows := rowtest.Random(rng, schema, n, nulls)
	return columnar.Batch(alloc, schema.Arrow(), rows.Cols, rows.Len)
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
