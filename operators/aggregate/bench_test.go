package aggregate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/operators"
	"analyzer/operators/aggregate"
)

// benchBatch is the number of rows in a batch, as a scan of a narrow table
// makes it.
const benchBatch = 32 << 10

// benchRuntime spills to disk.
func benchRuntime(b *testing.B, limit int64) *operators.Runtime {
	rt := &operators.Runtime{Budget: budget.New(limit)}
	rt.Scratch = segment.NewScratch(vfs.OS(), b.TempDir())
	b.Cleanup(func() {
		if err := rt.Scratch.Close(); err != nil {
			b.Error(err)
		}
	})
	return rt
}

// aggregateAll runs an aggregation over batches b.N times and reports the time
// per row.
func aggregateAll(b *testing.B, rt *operators.Runtime, cfg aggregate.Config, batches []columnar.Rows) {
	op, err := aggregate.New(rt, cfg)
	if err != nil {
		b.Fatal(err)
	}
	rows, groups := 0, 0
	emit := func(page columnar.Rows) error {
		groups += page.Len
		return nil
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, batch := range batches {
			if err := op.Push(context.Background(), 0, batch, emit); err != nil {
				b.Fatal(err)
			}
			rows += batch.Len
		}
		if err := op.Finish(context.Background(), 0, emit); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
	b.ReportMetric(float64(groups)/float64(rows), "groups/row")
}

var ratingSchema = columnar.Schema{
	{Name: "user", Type: columnar.Int}, {Name: "movie", Type: columnar.Int}, {Name: "rating", Type: columnar.Decimal},
}

// ratings returns n ratings, each of a random user for a random film.
func ratings(n, users, movies int) []columnar.Rows {
	rng := rand.New(rand.NewPCG(1, 1))
	var batches []columnar.Rows
	for lo := 0; lo < n; lo += benchBatch {
		rows := columnar.NewRows(ratingSchema)
		rows.Len = min(benchBatch, n-lo)
		for range rows.Len {
			rows.Cols[0].AppendInt(rng.Int64N(int64(users)))
			rows.Cols[1].AppendInt(rng.Int64N(int64(movies)))
			rows.Cols[2].AppendInt(500_000 * (1 + rng.Int64N(10)))
		}
		batches = append(batches, rows)
	}
	return batches
}

var ratingAggs = []aggregate.Agg{{Func: aggregate.Count, Name: "n"}, {Func: aggregate.Sum, Args: []string{"rating"}, Name: "sum"}}

// Groups hardly repeat, and a fifth of them fits the budget.
func BenchmarkSpill(b *testing.B) {
	states, err := aggregate.Config{Input: ratingSchema, Keys: []string{"user", "movie"}, Aggs: ratingAggs, ToStates: true}.Schema()
	if err != nil {
		b.Fatal(err)
	}
	rt := benchRuntime(b, 48<<20)
	partial := aggregate.Config{Input: ratingSchema, Keys: []string{"user", "movie"}, Aggs: ratingAggs, ToStates: true, Streaming: true}
	var batches []columnar.Rows
	op, err := aggregate.New(rt, partial)
	if err != nil {
		b.Fatal(err)
	}
	var batch columnar.Rows
	collect := func(rows columnar.Rows) error {
		if batch.Len >= benchBatch || batch.Cols == nil {
			if batch.Cols != nil {
				batches = append(batches, batch)
			}
			batch = columnar.NewRows(states)
		}
		batch.AppendRange(rows, 0, rows.Len)
		return nil
	}
	for _, rows := range ratings(4_000_000, 270_000, 45_000) {
		if err := op.Push(context.Background(), 0, rows, collect); err != nil {
			b.Fatal(err)
		}
	}
	if err := op.Finish(context.Background(), 0, collect); err != nil {
		b.Fatal(err)
	}
	batches = append(batches, batch)
	aggregateAll(b, rt, aggregate.Config{
		Input: states, Keys: partial.Keys, Aggs: ratingAggs,
		FromStates: true, ArgTypes: [][]columnar.Type{nil, {columnar.Decimal}},
	}, batches)
}

// A streaming aggregation by one or two integers, with few groups or many.
func BenchmarkStreaming(b *testing.B) {
	for _, bench := range []struct {
		users, movies int
		keys          []string
		aggs          []aggregate.Agg
	}{
		{60_000, 1, []string{"user"}, ratingAggs[:1]},
		{60_000, 1, []string{"user"}, ratingAggs},
		{1000, 1, []string{"user"}, ratingAggs},
		{200, 200, []string{"user", "movie"}, ratingAggs},
		{270_000, 45_000, []string{"user", "movie"}, ratingAggs},
		{1, 1, nil, ratingAggs},
	} {
		b.Run(fmt.Sprintf("groups=%d/keys=%d/aggs=%d", bench.users*bench.movies, len(bench.keys), len(bench.aggs)), func(b *testing.B) {
			batches := ratings(3_200_000, bench.users, bench.movies)
			aggregateAll(b, benchRuntime(b, 0), aggregate.Config{
				Input: ratingSchema, Keys: bench.keys, Aggs: bench.aggs, ToStates: true, Streaming: true,
			}, batches)
		})
	}
}

// Everything stays in memory, and results are made.
func BenchmarkInMemory(b *testing.B) {
	batches := ratings(1_000_000, 100_000, 1000)
	schema := append(columnar.Schema{{Name: "name", Type: columnar.Text}, {Name: "ratio", Type: columnar.Float}, {Name: "price", Type: columnar.Float}}, ratingSchema...)
	for i, rows := range batches {
		name, ratio, price := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Float), columnar.NewVector(columnar.Float)
		for _, n := range rows.Cols[0].Ints {
			name.AppendBytes(fmt.Appendf(nil, "user number %d", n))
			ratio.AppendFloat(1 / float64(n+1))
			price.AppendFloat(float64(n%10_000) / 100)
		}
		batches[i].Cols = append([]*columnar.Vector{name, ratio, price}, rows.Cols...)
	}
	for _, bench := range []struct {
		key string
		agg aggregate.Agg
	}{
		{"user", aggregate.Agg{Func: aggregate.Avg, Args: []string{"rating"}, Name: "a"}},
		{"name", aggregate.Agg{Func: aggregate.Count, Name: "a"}},
		{"name+user+movie", aggregate.Agg{Func: aggregate.Count, Name: "a"}},
		{"user", aggregate.Agg{Func: aggregate.List, Args: []string{"movie"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: aggregate.List, Args: []string{"user"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: aggregate.Sum, Args: []string{"ratio"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: "stddev_samp", Args: []string{"ratio"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: "stddev_samp", Args: []string{"price"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: aggregate.QuantileCont, Args: []string{"ratio"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: aggregate.QuantileCont, Args: []string{"rating"}, Name: "a"}},
		{"movie", aggregate.Agg{Func: "corr", Args: []string{"ratio", "ratio"}, Name: "a"}},
		{"user", aggregate.Agg{Func: aggregate.Max, Args: []string{"ratio"}, Name: "a"}},
	} {
		b.Run(fmt.Sprintf("%s(%s) by %s", bench.agg.Func, strings.Join(bench.agg.Args, ","), bench.key), func(b *testing.B) {
			aggregateAll(b, benchRuntime(b, 0), aggregate.Config{Input: schema, Keys: strings.Split(bench.key, "+"), Aggs: []aggregate.Agg{bench.agg}}, batches)
		})
	}
}

// A text key of fifty values, as texts and as places in a dictionary.
func BenchmarkCoded(b *testing.B) {
	schema := columnar.Schema{{Name: "name", Type: columnar.Text}}
	dictionary := columnar.NewVector(columnar.Text)
	for i := range 50 {
		dictionary.AppendBytes(fmt.Appendf(nil, "category %d", i))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var plain, coded []columnar.Rows
	for range 32 {
		v := &columnar.Vector{Type: columnar.Text, Len: benchBatch, Dictionary: dictionary}
		for range benchBatch {
			v.Places = append(v.Places, rng.Int32N(50))
		}
		text := columnar.NewVector(columnar.Text)
		text.AppendGather(dictionary, v.Places)
		plain = append(plain, columnar.Rows{Len: benchBatch, Cols: []*columnar.Vector{text}})
		coded = append(coded, columnar.Rows{Len: benchBatch, Cols: []*columnar.Vector{v}})
	}
	for name, batches := range map[string][]columnar.Rows{"plain": plain, "coded": coded} {
		b.Run(name, func(b *testing.B) {
			aggregateAll(b, benchRuntime(b, 0), aggregate.Config{
				Input: schema, Keys: []string{"name"}, Aggs: []aggregate.Agg{{Func: aggregate.Count, Name: "n"}}, ToStates: true, Streaming: true,
			}, batches)
		})
	}
}

// The words of texts are counted: few of them often, most of them hardly ever.
func BenchmarkWords(b *testing.B) {
	schema := columnar.Schema{{Name: "word", Type: columnar.Text}}
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 4, 200_000)
	var batches []columnar.Rows
	for range 64 {
		words := columnar.NewVector(columnar.Text)
		for range benchBatch {
			n := zipf.Uint64()
			words.AppendBytes([]byte("w" + strconv.FormatUint(n*n, 36)))
		}
		batches = append(batches, columnar.Rows{Len: benchBatch, Cols: []*columnar.Vector{words}})
	}
	aggregateAll(b, benchRuntime(b, 0), aggregate.Config{
		Input: schema, Keys: []string{"word"}, Aggs: []aggregate.Agg{{Func: aggregate.Count, Name: "n"}}, ToStates: true, Streaming: true,
	}, batches)
}
