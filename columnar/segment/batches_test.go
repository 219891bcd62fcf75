package segment

import (
	"fmt"
	"math/rand/v2"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

var everyType = rowtest.EveryType()

// randomBatch returns random rows of schema, with null values or without.
func randomBatch(rng *rand.Rand, schema columnar.Schema, n int) columnar.Rows {
	return rowtest.Random(rng, schema, n, []int{0, 1, 4}[rng.IntN(3)])
}

var intSchema = columnar.Schema{{Name: "value", Type: columnar.Int}}

// numbers returns a batch of one column of integers.
func numbers(values ...int64) columnar.Rows {
	rows := columnar.NewRows(intSchema)
	for _, n := range values {
		rows.Cols[0].AppendInt(n)
	}
	rows.Len = len(values)
	return rows
}

// intBatch returns a batch of one column of integers of so many bytes.
func intBatch(size int) columnar.Rows {
	values := make([]int64, size/8)
	for i := range values {
		values[i] = int64(uint64(i) * 0x9E3779B97F4A7C15 >> 3)
	}
	return numbers(values...)
}

var countSchema = columnar.Schema{{Name: "name", Type: columnar.Text}, {Name: "count", Type: columnar.Int}}

// countBatch returns rows as a group-by spills them: a name and a small number.
func countBatch(rng *rand.Rand, n int) columnar.Rows {
	rows := columnar.NewRows(countSchema)
	for range n {
		rows.Cols[0].AppendBytes(fmt.Appendf(nil, "Group of users number %d", rng.IntN(1_000_000)))
		rows.Cols[1].AppendInt(rng.Int64N(1000))
	}
	rows.Len = n
	return rows
}
