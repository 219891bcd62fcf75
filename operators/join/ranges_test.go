package join

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// TestWordsOrder compares the words of values with the values.
func TestWordsOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, typ := range boundable {
		rows := rowtest.Random(rng, columnar.Schema{{Name: "v", Type: typ}}, 300, 0)
		v, alike := rows.Cols[0], 0
		for i := range rows.Len {
			for j := range rows.Len {
				words := cmp.Compare(wordOf(v, i), wordOf(v, j))
				values := bytes.Compare(columnar.AppendOrdered(nil, v, i), columnar.AppendOrdered(nil, v, j))
				switch isZero := typ == columnar.Float && v.Floats[i] == 0 && v.Floats[j] == 0; {
				case words == 0 && values != 0 && !isZero:
					alike++
				case words != values && !isZero:
					t.Fatalf("%s: words of %s and %s are %d, the values %d", typ, rowtest.Value(v, i), rowtest.Value(v, j), words, values)
				}
			}
		}
		if hasWord(typ) && alike > 0 {
			t.Errorf("%d different values of %s have one word", alike, typ)
		}
	}
}

// TestNextInRange compares the blocks of a column of several levels with a look at each value.
func TestNextInRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pages := columnar.NewPages(columnar.Schema{{Name: "first", Type: columnar.Int}, {Name: "last", Type: columnar.Int}})
	rows := columnar.NewRows(columnar.Schema{{Name: "first", Type: columnar.Int}, {Name: "last", Type: columnar.Int}})
	for rows.Len < 5000 {
		first, long := rng.Int64N(1e6), rng.Int64N(100)
		if rng.IntN(500) == 0 {
			long = 1e6
		}
		rows.Cols[0].AppendInt(first)
		rows.Cols[1].AppendInt(first + long)
		rows.Len++
	}
	for lo := 0; lo < rows.Len; {
		lo = pages.Append(rows, lo)
	}
	r := newRanges(pages, []Bound{{Build: 0}, {Build: 1, Least: true}})
	if len(r.tops) < 4 || !slices.IsSorted(r.words) {
		t.Fatalf("%d levels", len(r.tops))
	}
	for range 20_000 {
		from := rng.IntN(len(r.ids))
		to := from + rng.IntN(len(r.ids)-from+1)
		least := uint64(rng.Int64N(2e6)) ^ 1<<63
		want := to
		if at := slices.IndexFunc(r.tops[0][from:to], func(word uint64) bool { return word >= least }); at >= 0 {
			want = from + at
		}
		if got := r.next(from, to, least); got != want {
			t.Fatalf("from %d to %d, at least %d: %d instead of %d", from, to, least, got, want)
		}
	}
}

// BenchmarkRanges finds, for each of many moments, those of as many periods in which it lies.
func BenchmarkRanges(b *testing.B) {
	const n = 1 << 18
	rng := rand.New(rand.NewPCG(1, 2))
	periods := columnar.NewRows(columnar.Schema{{Name: "first", Type: columnar.Int}, {Name: "last", Type: columnar.Int}})
	moments := columnar.NewRows(columnar.Schema{{Name: "at", Type: columnar.Int}})
	for range n {
		first, long := rng.Int64N(n), int64(3)
		if rng.IntN(1<<16) == 0 {
			long = n
		}
		periods.Cols[0].AppendInt(first)
		periods.Cols[1].AppendInt(first + rng.Int64N(long))
		moments.Cols[0].AppendInt(rng.Int64N(n))
	}
	periods.Len, moments.Len = n, n
	cfg := Config{
		Build: columnar.Schema{{Name: "first", Type: columnar.Int}, {Name: "last", Type: columnar.Int}}, Probe: columnar.Schema{{Name: "at", Type: columnar.Int}},
		BuildOut: []int{0}, ProbeOut: []int{0}, Bounds: []Bound{{Build: 0}, {Build: 1, Least: true}},
	}
	pairs := 0
	for b.Loop() {
		pairs = joinOnce(b, 0, cfg, batchesOf(periods), batchesOf(moments))
	}
	b.ReportMetric(float64(pairs), "pairs")
}
