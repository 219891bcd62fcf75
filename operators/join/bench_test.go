package join

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
)

var ratingSchema = columnar.Schema{
	{Name: "user", Type: columnar.Int}, {Name: "film", Type: columnar.Int}, {Name: "rating", Type: columnar.Decimal},
}

// ratings returns batches of rows with distinct pairs of a user and a film,
// ordered by user, and in another order for another seed.
func ratings(seed uint64, rows, batch int) []columnar.Rows {
	rng := rand.New(rand.NewPCG(seed, 0))
	batches := make([]columnar.Rows, 0, rows/batch)
	for lo := 0; lo < rows; lo += batch {
		r := columnar.NewRows(ratingSchema)
		for i := lo; i < lo+batch; i++ {
			r.Cols[0].AppendInt(int64(i / 100))
			r.Cols[1].AppendInt(int64(i%100) * 37)
			r.Cols[2].AppendInt(int64(rng.IntN(10)) * 500_000)
		}
		r.Len = batch
		batches = append(batches, r)
	}
	rng.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
	return batches
}

func benchRuntime(b *testing.B, limit int64) *operators.Runtime {
	scratch := segment.NewScratch(vfs.OS(), b.TempDir())
	b.Cleanup(func() { scratch.Close() })
	return &operators.Runtime{Budget: budget.New(limit), Scratch: scratch}
}

var ratingJoin = Config{
	Build: ratingSchema, Probe: ratingSchema, BuildKeys: []int{0, 1}, ProbeKeys: []int{0, 1},
	BuildOut: []int{2}, ProbeOut: []int{0, 1, 2},
}

// BenchmarkRatings joins ratings with themselves, in memory and with an eighth
// of the memory that one side takes.
func BenchmarkRatings(b *testing.B) {
	const rows = 1 << 22
	build, probe := ratings(1, rows, 1<<15), ratings(2, rows, 1<<15)
	for _, limit := range []int64{0, 24 << 20} {
		b.Run(fmt.Sprintf("budget %dMiB", limit>>20), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out := joinOnce(b, limit, ratingJoin, build, probe)
				if out != rows {
					b.Fatalf("%d rows", out)
				}
			}
			b.ReportMetric(2*rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// batchesOf cuts rows into pages.
func batchesOf(rows columnar.Rows) (batches []columnar.Rows) {
	for lo := 0; lo < rows.Len; lo += operators.PageRows {
		batches = append(batches, rows.Slice(lo, min(rows.Len, lo+operators.PageRows)))
	}
	return batches
}

// joinOnce joins the batches of both sides within a memory limit, and returns how many rows there are.
func joinOnce(b *testing.B, limit int64, cfg Config, build, probe []columnar.Rows) (out int) {
	op, err := New(benchRuntime(b, limit), cfg)
	if err != nil {
		b.Fatal(err)
	}
	emit := func(rows columnar.Rows) error { out += rows.Len; return nil }
	for side, batches := range [][]columnar.Rows{build, probe} {
		for _, rows := range batches {
			if err := op.Push(context.Background(), side, rows, emit); err != nil {
				b.Fatal(err)
			}
		}
		if err := op.Finish(context.Background(), side, emit); err != nil {
			b.Fatal(err)
		}
	}
	return out
}

// BenchmarkProbe looks up rows in build sides that fit the caches and in ones
// that do not. All of the rows have a match, or none.
func BenchmarkProbe(b *testing.B) {
	cfg := Config{
		Build: ratingSchema, Probe: ratingSchema, BuildKeys: []int{0}, ProbeKeys: []int{0}, BuildOut: []int{2}, ProbeOut: []int{0},
	}
	for _, rows := range []int{1_000, 100_000, 3_000_000} {
		for _, hit := range []bool{true, false} {
			b.Run(fmt.Sprintf("%d rows/hit=%t", rows, hit), func(b *testing.B) {
				op, err := New(benchRuntime(b, 0), cfg)
				if err != nil {
					b.Fatal(err)
				}
				defer op.Close()
				ctx := context.Background()
				rng := rand.New(rand.NewPCG(1, 1))
				if err := op.Push(ctx, 0, permutation(rng, rows, 0), nil); err != nil {
					b.Fatal(err)
				}
				if err := op.Finish(ctx, 0, nil); err != nil {
					b.Fatal(err)
				}
				first := 0
				if !hit {
					first = rows
				}
				probe := permutation(rng, max(rows, 1<<16), first).Slice(0, 1<<16)
				out := 0
				emit := func(rows columnar.Rows) error { out += rows.Len; return nil }
				b.SetBytes(8 << 16)
				b.ReportAllocs()
				for b.Loop() {
					if err := op.Push(ctx, 1, probe, emit); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N<<16), "ns/row")
			})
		}
	}
}

// permutation returns rows whose first column holds the numbers from first on,
// in random order.
func permutation(rng *rand.Rand, n, first int) columnar.Rows {
	r := columnar.NewRows(ratingSchema)
	for _, i := range rng.Perm(n) {
		for _, c := range r.Cols {
			c.AppendInt(int64(first + i))
		}
	}
	r.Len = n
	return r
}

func BenchmarkBuild(b *testing.B) {
	for _, rows := range []int{1 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%d rows", rows), func(b *testing.B) {
			batches := ratings(1, rows, 1<<10)
			rt := benchRuntime(b, 0)
			b.SetBytes(int64(rows) * 24)
			b.ReportAllocs()
			for b.Loop() {
				op, err := New(rt, ratingJoin)
				if err != nil {
					b.Fatal(err)
				}
				for _, rows := range batches {
					if err := op.Push(context.Background(), 0, rows, nil); err != nil {
						b.Fatal(err)
					}
				}
				if err := op.Finish(context.Background(), 0, nil); err != nil {
					b.Fatal(err)
				}
				op.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
		})
	}
}
