package client

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/query/physical"
)

// TestAssemblies adds the parts of blocks in any order, from several goroutines, and gets each batch once, with its
// rows in the order of the file: also the last one of a file, which has fewer parts.
func TestAssemblies(t *testing.T) {
	const scan, blocks, workers = 3, 20, 4
	schema := columnar.Schema{{Name: "at", Type: columnar.Int}}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		of, last := 2+rng.IntN(6), 1
		if rng.IntN(4) > 0 {
			last = 1 + rng.IntN(of)
		}
		var s assemblies
		var mu sync.Mutex
		got := make(map[int64]string)
		take := func(a *assembly) {
			mu.Lock()
			defer mu.Unlock()
			if _, twice := got[a.block]; twice {
				t.Errorf("seed %d: block %d twice", seed, a.block)
			}
			got[a.block] = fmt.Sprint(a.rows.Cols[0].Ints, a.large)
			s.free(a)
		}
		places := make(chan int, blocks*of)
		for _, i := range rng.Perm((blocks-1)*of + last) {
			places <- i
		}
		close(places)
		var g sync.WaitGroup
		for range workers {
			g.Go(func() {
				for i := range places {
					rows := columnar.NewRows(schema)
					for k := range i % 3 {
						rows.Cols[0].AppendInt(int64(3*i + k))
						rows.Len++
					}
					large := &cell{line: int64(i)}
					if i%of == 0 {
						large = nil
					}
					if a := s.add(scanBlock{scan, int64(i / of)}, i%of, of, schema, rows, large); a != nil {
						take(a)
					}
				}
			})
		}
		g.Wait()
		s.endFile([]*physical.Node{{ID: scan}}, blocks-1, last)
		for a := s.ended(scan); a != nil; a = s.ended(scan) {
			take(a)
		}
		if n := s.incomplete(); n > 0 {
			t.Errorf("seed %d: %d batches lack parts", seed, n)
		}
		for b := range blocks {
			var want []int64
			var large *cell
			for part := range of {
				i := b*of + part
				if b == blocks-1 && part >= last {
					break
				}
				for k := range i % 3 {
					want = append(want, int64(3*i+k))
				}
				if part > 0 && large == nil {
					large = &cell{line: int64(i)}
				}
			}
			if want := fmt.Sprint(want, large); got[int64(b)] != want {
				t.Errorf("seed %d: block %d of %d parts: %s; want %s", seed, b, of, got[int64(b)], want)
			}
		}
	}
}
