package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/operators"
	"analyzer/operators/order"
)

var benchSchema = columnar.Schema{
	{Name: "id", Type: columnar.Int}, {Name: "name", Type: columnar.Text}, {Name: "count", Type: columnar.Int},
}

// benchRows are a million rows in batches: ids in random order, names with many
// common prefixes, and counts with many equal values.
func benchRows() []columnar.Rows {
	rng := rand.New(rand.NewPCG(1, 1))
	var batches []columnar.Rows
	for range 1_000_000 / 8000 {
		rows := columnar.NewRows(benchSchema)
		for range 8000 {
			n := rng.Int64N(1 << 40)
			rows.Cols[0].AppendInt(n)
			rows.Cols[1].AppendBytes(fmt.Appendf(nil, "the name of %d", n%100_000))
			rows.Cols[2].AppendInt(rng.Int64N(100))
			rows.Len++
		}
		batches = append(batches, rows)
	}
	return batches
}

func BenchmarkSort(b *testing.B) {
	batches := benchRows()
	for _, bench := range []struct {
		name  string
		key   order.Key
		limit int64
		bytes int64 // of the budget
	}{
		{"int", order.Key{Column: benchSchema[0].Name}, -1, 0},
		{"text", order.Key{Column: benchSchema[1].Name}, -1, 0},
		{"equal", order.Key{Column: benchSchema[2].Name, Desc: true}, -1, 0},
		{"spill", order.Key{Column: benchSchema[0].Name}, -1, 16 << 20},
		{"top", order.Key{Column: benchSchema[0].Name, Desc: true}, 10, 0},
		{"top-equal", order.Key{Column: benchSchema[2].Name, Desc: true}, 10, 0},
		{"top-many", order.Key{Column: benchSchema[0].Name}, 100_000, 0},
	} {
		b.Run(bench.name, func(b *testing.B) {
			rt := &operators.Runtime{Budget: budget.New(bench.bytes)}
			rt.Scratch = segment.NewScratch(vfs.OS(), b.TempDir())
			sort, err := order.NewSort(rt, benchSchema, order.SortConfig{Order: []order.Key{bench.key}, Limit: bench.limit})
			if err != nil {
				b.Fatal(err)
			}
			rows := 0
			emit := func(columnar.Rows) error { return nil }
			b.ReportAllocs()
			for b.Loop() {
				for _, batch := range batches {
					if err := sort.Push(context.Background(), 0, batch, emit); err != nil {
						b.Fatal(err)
					}
					rows += batch.Len
				}
				if err := sort.Finish(context.Background(), 0, emit); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
			if err := rt.Scratch.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}
