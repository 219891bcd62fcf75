package csv

import (
	"context"
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

var manyRanges = flag.Int("ranges", 2000, "seeds of TestRanges")

// TestRanges cuts files of all dialects, with quotes anywhere, before random blocks. Readers that
// begin at the cuts, with what surveys say of the blocks before them, find together what one reader of
// the whole file finds.
func TestRanges(t *testing.T) {
	cut := 0
	for seed := range uint64(*manyRanges) {
		rng := rand.New(rand.NewPCG(seed, 21))
		data, opts := randomFile(rng, 1+rng.IntN(300)), Options{BlockSize: 1 + rng.IntN(64), portable: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			opts.Dialect = dialects[rng.IntN(len(dialects))]
			opts.Headless = rng.IntN(4) == 0
			for _, piece := range []string{opts.Delimiter, opts.Quote, opts.Escape, opts.Comment} {
				for at := range data {
					if piece != "" && rng.IntN(8) == 0 {
						copy(data[at:], piece)
					}
				}
			}
		}
		r, err := Open(t.Context(), newFile(data), opts)
		if err != nil {
			continue // there is no header
		}
		anywhere := r.Anywhere()
		r.Close()
		if !anywhere {
			continue
		}
		_, whole, err := readAll(newFile(data), opts, 1)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, got := slices.Concat(whole...), []refRecord(nil)
		before := Edge{Line: 1}
		for first, all := int64(0), int64(len(whole)); first < all; cut++ {
			part := opts
			part.First, part.Blocks, part.Before = first, first+1+rng.Int64N(all-first), before
			records, err := readRange(newFile(data), part, 1+rng.IntN(3))
			if err != nil {
				t.Fatalf("seed %d: blocks from %d to %d: %v", seed, part.First, part.Blocks, err)
			}
			got = append(got, records...)
			part.Before = Edge{Inside: rng.IntN(2) == 0, Line: rng.Int64()}
			p, err := Survey(t.Context(), newFile(data), part.divided(1+rng.IntN(part.BlockSize)), 1+rng.IntN(3))
			if err != nil {
				t.Fatalf("seed %d: survey of blocks from %d to %d: %v", seed, part.First, part.Blocks, err)
			}
			before, first = p.After(before), part.Blocks
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %q in blocks of %d, by %+v:\ngot  %v\nwant %v", seed, data, opts.BlockSize, opts.Dialect, got, want)
		}
	}
	if cut < *manyRanges {
		t.Errorf("%d ranges of %d files are too few", cut, *manyRanges)
	}
}

// readRange returns the records of some blocks, in order.
func readRange(f *memFile, opts Options, workers int) (records []refRecord, err error) {
	found := make(map[int64][]refRecord)
	_, err = readWith(f, opts, workers, func(b *Block) error {
		found[b.Index()] = copyBlock(b)
		return nil
	})
	for k := opts.First; k < opts.Blocks; k++ {
		records = append(records, found[k]...)
	}
	return records, err
}

// A file that is read in order cannot be read in ranges.
func TestNoRanges(t *testing.T) {
	for _, f := range []*memFile{newPipe([]byte("a\n1\n2\n")), newFile(compressed([]byte("a\n1\n2\n")))} {
		opts := Options{BlockSize: 2, First: 1, Blocks: 2, Before: Edge{Line: 2}}
		if _, err := Open(context.Background(), f, opts); err == nil {
			t.Errorf("%s is read from block 1", f.Name())
		}
		opts.First = 0
		if _, err := Survey(context.Background(), f, opts, 1); err == nil {
			t.Errorf("%s was surveyed", f.Name())
		}
	}
}
