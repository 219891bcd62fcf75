package spill

import (
	"context"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

// BenchmarkSpool adds rows of three numbers by partition, writes them and reads
// them back.
func BenchmarkSpool(b *testing.B) {
	schema := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Int}, {Name: "c", Type: columnar.Int}}
	rng := rand.New(rand.NewPCG(1, 1))
	rows := columnar.NewRows(schema)
	rows.Len = 1 << 15
	hashes := make([]uint64, rows.Len)
	for i := range rows.Len {
		hashes[i] = rng.Uint64()
		for _, c := range rows.Cols {
			c.AppendInt(rng.Int64())
		}
	}
	const batches = 64
	scratch := segment.NewScratch(vfs.OS(), b.TempDir())
	defer scratch.Close()
	b.SetBytes(batches * rows.ValueBytes())
	b.ReportAllocs()
	for b.Loop() {
		s := New(Config{
			Schema: schema, Partitions: 64, Scratch: scratch,
			Budget: budget.New(16 << 20), Holder: "benchmark",
		})
		for range batches {
			if err := s.Add(rows, hashes, 1); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Seal(); err != nil {
			b.Fatal(err)
		}
		for p := range 64 {
			if err := s.Each(context.Background(), p, func(columnar.Rows) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batches*rows.Len), "ns/row")
}
