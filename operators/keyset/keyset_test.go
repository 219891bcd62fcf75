package keyset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

func TestSelectsWhatWasAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few upper bits make long runs of slots that wrap around.
		mask := rapid.SampledFrom([]uint64{^uint64(0), 0xF0000000000000FF, 0x00000000000000FF}).Draw(t, "mask")
		hash := rapid.Custom(func(t *rapid.T) uint64 {
			return rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, ^uint64(0)})).Draw(t, "hash") & mask
		})
		keys := rapid.SliceOf(hash).Draw(t, "keys")
		probes := append(rapid.SliceOf(hash).Draw(t, "probes"), keys...)

		bytes := budget.New(0)
		b := NewBuilder(bytes)
		for batch := range slices.Chunk(keys, rapid.IntRange(1, 200).Draw(t, "batch")) {
			if !b.Add(batch) {
				t.Fatal("the builder gave up")
			}
		}
		set := b.Build()
		different := slices.Compact(slices.Sorted(slices.Values(keys)))
		if len(different) > 0 && different[0] == 0 {
			different = different[1:]
		}
		if set.Len() != len(different) {
			t.Fatalf("%d keys, want %d", set.Len(), len(different))
		}
		want := []int32{-7}
		for i, h := range probes {
			if slices.Contains(keys, h) || h == 0 {
				want = append(want, int32(i))
			}
		}
		if got := set.Select(probes, []int32{-7}); !slices.Equal(got, want) {
			t.Fatalf("selected %v, want %v", got, want)
		}
		b.Close()
		b.Close()
		if used := bytes.Used(); used != 0 {
			t.Fatalf("%d bytes are still reserved", used)
		}
	})
}

// randomHashes returns n hashes, the same ones for the same seed.
func randomHashes(seed uint64, n int) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = rng.Uint64()
	}
	return hashes
}

func TestReplicasAddAtOnce(t *testing.T) {
	bytes := budget.New(0)
	b := NewBuilder(bytes)
	defer b.Close()
	var replicas sync.WaitGroup
	for replica := range 4 {
		replicas.Go(func() {
			for batch := range slices.Chunk(randomHashes(uint64(replica), 20_000), 4096) {
				b.Add(batch)
			}
		})
	}
	replicas.Wait()
	set := b.Build()
	for replica := range 4 {
		if got := set.Select(randomHashes(uint64(replica), 20_000), nil); len(got) != 20_000 {
			t.Errorf("%d of the keys of replica %d are found", len(got), replica)
		}
	}
	if got := set.Select(randomHashes(9, 100_000), nil); len(got) != 0 {
		t.Errorf("%d other keys are found", len(got))
	}
	if set.Len() != 80_000 {
		t.Errorf("%d keys", set.Len())
	}
}

func TestNoSetOfTooMany(t *testing.T) {
	for name, c := range map[string]struct {
		limit int64
		keys  int
		set   bool
		act   func(*Builder)
	}{
		"all that are allowed": {0, MaxKeys, true, nil},
		"one more":             {0, MaxKeys + 1, false, nil},
		"within the budget":    {1 << 20, 5_000, true, nil},
		"over the budget":      {1 << 20, 50_000, false, nil},
		"no budget":            {1, 1, false, nil},
		"none":                 {0, 0, true, nil},
		"some are not known":   {0, 10, false, (*Builder).Abandon},
	} {
		t.Run(name, func(t *testing.T) {
			bytes := budget.New(c.limit)
			b := NewBuilder(bytes)
			added := b.Add(randomHashes(1, c.keys))
			if c.act != nil {
				c.act(b)
			}
			set := b.Build()
			if (set != nil) != c.set || (c.act == nil && added != c.set) {
				t.Errorf("set %v, added %t", set != nil, added)
			}
			if set == nil && bytes.Used() != 0 {
				t.Errorf("%d bytes are reserved for no set", bytes.Used())
			}
			if c.limit > 0 && bytes.Peak() > c.limit {
				t.Errorf("%d of %d bytes were reserved", bytes.Peak(), c.limit)
			}
			if set != nil && set.Len() != c.keys {
				t.Errorf("%d keys, want %d", set.Len(), c.keys)
			}
			b.Close()
			if used := bytes.Used(); used != 0 {
				t.Errorf("%d bytes are still reserved", used)
			}
			if b.Add([]uint64{1}) {
				t.Error("added to a closed builder")
			}
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	for _, keys := range []int{1_000, 20_000, 100_000} {
		for _, hits := range []int{0, 10, 50, 100} { // of 100
			b.Run(fmt.Sprintf("%d keys/%d%% hit", keys, hits), func(b *testing.B) {
				in := randomHashes(1, keys)
				builder := NewBuilder(budget.New(0))
				defer builder.Close()
				builder.Add(in)
				set := builder.Build()
				rng := rand.New(rand.NewPCG(2, 2))
				probes := make([]uint64, 1<<16)
				for i := range probes {
					if probes[i] = rng.Uint64(); rng.IntN(100) < hits {
						probes[i] = in[rng.IntN(len(in))]
					}
				}
				var dst []int32
				b.SetBytes(int64(8 * len(probes)))
				b.ReportAllocs()
				for b.Loop() {
					dst = set.Select(probes, dst[:0])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(probes)), "ns/probe")
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	hashes := randomHashes(1, 100_000)
	b.SetBytes(int64(8 * len(hashes)))
	b.ReportAllocs()
	for b.Loop() {
		builder := NewBuilder(budget.New(0))
		for batch := range slices.Chunk(hashes, 4096) {
			builder.Add(batch)
		}
		builder.Build()
		builder.Close()
	}
}

// TestSelectorRemembers compares selectors that work at once with their set, for numbers that repeat or do
// not, and for keys of other kinds.
func TestSelectorRemembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(
			rapid.Int64Range(0, 50), rapid.Int64Range(0, 1<<16),
			rapid.SampledFrom([]int64{-1, 31, 32, maxSeen - 1, maxSeen, math.MinInt64, math.MaxInt64}),
		)
		keys := columnar.NewVector(columnar.Int)
		for _, v := range rapid.SliceOf(number).Draw(t, "keys") {
			keys.AppendInt(v)
		}
		b := NewBuilder(budget.New(0))
		defer b.Close()
		b.Add(columnar.HashRows(nil, []*columnar.Vector{keys}, keys.Len))
		set := b.Build()
		selectors := []*Selector{NewSelector(set), NewSelector(set)}
		for range rapid.IntRange(1, 9).Draw(t, "batches") {
			rows := columnar.NewVector(columnar.Int)
			for _, v := range rapid.SliceOf(number).Draw(t, "rows") {
				rows.AppendInt(v)
			}
			if rows.Len > 0 && rapid.Bool().Draw(t, "null") {
				rows.Valid = slices.Repeat([]bool{true}, rows.Len)
				rows.Valid[0] = false
			}
			columns := slices.Repeat([]*columnar.Vector{rows}, rapid.IntRange(1, 2).Draw(t, "columns"))
			want := set.Select(columnar.HashRows(nil, columns, rows.Len), []int32{-7})
			got := make([][]int32, len(selectors))
			var all sync.WaitGroup
			for i, s := range selectors {
				all.Go(func() { got[i] = s.Select(columns, rows.Len, []int32{-7}) })
			}
			all.Wait()
			for _, selected := range got {
				if !slices.Equal(selected, want) {
					t.Fatalf("selected %v, want %v", selected, want)
				}
			}
		}
	})
}

func BenchmarkSelector(b *testing.B) {
	for name, different := range map[string]int{"films": 40_000, "all new": 1 << 40} {
		b.Run(name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(2, 2))
			rows := columnar.NewVector(columnar.Int)
			for range 1 << 16 {
				rows.AppendInt(int64(rng.IntN(different)))
			}
			builder := NewBuilder(budget.New(0))
			defer builder.Close()
			keys := []*columnar.Vector{rows}
			builder.Add(columnar.HashRows(nil, keys, 500))
			set := builder.Build()
			s := NewSelector(set)
			var dst []int32
			var hashes []uint64
			for way, selected := range map[string]func(){
				"remembering": func() { dst = s.Select(keys, rows.Len, dst[:0]) },
				"hashing": func() {
					hashes = columnar.HashRows(hashes, keys, rows.Len)
					dst = set.Select(hashes, dst[:0])
				},
			} {
				b.Run(way, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						selected()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows.Len), "ns/row")
				})
			}
		})
	}
}
