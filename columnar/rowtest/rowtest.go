// Package rowtest makes rows for tests of what stores or moves them.
package rowtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

// EveryType returns a schema with a column of each type, named after it.
func EveryType() columnar.Schema {
	var s columnar.Schema
	for _, t := range columnar.Types() {
		s = append(s, columnar.Field{Name: t.String(), Type: t})
	}
	return s
}

// Random returns n random rows of a schema. Of eight values, so many are null, on
// average.
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
	switch v.Type.Kind() {
	case columnar.KindBool:
		v.AppendBool(rng.IntN(2) == 0)
	case columnar.KindInt64:
		v.AppendInt(rng.Int64() - rng.Int64())
	case columnar.KindFloat64:
		v.AppendFloat(rng.NormFloat64())
	case columnar.KindInt128:
		v.AppendWide(decimal128.New(rng.Int64N(1<<40), rng.Uint64()))
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

// Checked calls do with an allocator all of whose memory must be released when do
// returns.
func Checked(t memory.TestingT, do func(memory.Allocator)) {
	t.Helper()
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	do(alloc)
	alloc.AssertSize(t, 0)
}
