package csv

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var manyRanges = flag.Int("ranges", 2000, "seeds of TestRanges")

// TestRanges cuts files of all dialects, with quotes anywhere, before random blocks. Readers that
// begin at the cuts, with what the reading of the blocks before them found, find together what one reader of
// the whole file finds; so do those that guess, if what they guessed agrees with what was found.
func TestRanges(t *testing.T) {
	cut, right, wrong := 0, 0, 0
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
			if part.Guess = first > 0 && rng.IntN(2) == 0; part.Guess {
				part.Before = Edge{Inside: rng.IntN(2) == 0, Line: rng.Int64()}
			}
			records, p, err := readRange(newFile(data), part, 1+rng.IntN(3))
			if part.Guess && p.Before.Inside != before.Inside {
				wrong++
				part.Guess, part.Before = false, before
				records, p, err = readRange(newFile(data), part, 1)
			}
			if err != nil {
				t.Fatalf("seed %d: blocks from %d to %d: %v", seed, part.First, part.Blocks, err)
			}
			if part.Guess {
				right++
				for i := range records {
					records[i].line += before.Line - 1
				}
				p.After.Line += before.Line - 1
			}
			got, before, first = append(got, records...), p.After, part.Blocks
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %q in blocks of %d, by %+v:\ngot  %v\nwant %v", seed, data, opts.BlockSize, opts.Dialect, got, want)
		}
	}
	if right < *manyRanges/4 || wrong == 0 {
		t.Errorf("%d guesses were right and %d wrong, of %d ranges", right, wrong, cut)
	}
	if cut < *manyRanges {
		t.Errorf("%d ranges of %d files are too few", cut, *manyRanges)
	}
}

// readRange returns the records of some blocks, in order.
func readRange(f *memFile, opts Options, workers int) (records []refRecord, p Passage, err error) {
	found := make(map[int64][]refRecord)
	r, err := readWith(f, opts, workers, func(b *Block) error {
		found[b.Index()] = copyBlock(b)
		return nil
	})
	for k := opts.First; k < opts.Blocks; k++ {
		records = append(records, found[k]...)
	}
	if r != nil {
		p = r.Passage()
	}
	return records, p, err
}

// Where quotes are used as people use them, a range that begins in the middle of one is seen to do so.
func TestGuesses(t *testing.T) {
	rows := 10_000
	if testing.Short() {
		rows = 2000 // as many as some rows have lines
	}
	for name, row := range map[string]func(i int) string{
		"no quotes":           func(i int) string { return fmt.Sprintf("%d,plain,%d\n", i, i%7) },
		"no quotes, ragged":   func(i int) string { return fmt.Sprintf("%d,plain%s\n", i, strings.Repeat(",x", i%5)) },
		"all cells in quotes": func(i int) string { return fmt.Sprintf("\"%d\",\"it is \"\"so\"\", %d\",\"\"\n", i, i) },
		"lines in quotes": func(i int) string {
			return fmt.Sprintf("%d,\"a note, of\n%s, which \"\"ends\"\" here\",%d\n", i, strings.Repeat("many words, and\n", i%9), i%7)
		},
		"rows in quotes": func(i int) string {
			return fmt.Sprintf("%d,\"%s\",%d\n", i, strings.Repeat("1,2,3\n", i%9), i%7)
		},
		"rows in quotes, ragged": func(i int) string {
			note := "plain"
			switch i % 50 {
			case 3:
				note = fmt.Sprintf("\"a note of \"\"%d\"\",\n0,0,lines\n\"", i)
			case 17:
				note = "\"" + strings.Repeat("1,2,3\n", i%1000) + "\""
			case 40:
				note = "plain\nshort"
			}
			return fmt.Sprintf("%d,%d,%s\n", i, i%7, note)
		},
		"inches": func(i int) string { return fmt.Sprintf("%d,a 5\" nail,%d\n", i, i%7) },
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte("a,b,c\n")
			for i := range rows {
				text = append(text, row(i)...)
			}
			opts, before, wrong := Options{BlockSize: 16 << 10}, Edge{Line: 1}, 0
			all := int64(len(text)+opts.BlockSize-1) / int64(opts.BlockSize)
			for opts.First = 0; opts.First < all; opts.First = opts.Blocks {
				opts.Blocks, opts.Before = opts.First+1, before
				_, p, err := readRange(newFile(text), opts, 1)
				if err != nil {
					t.Fatal(err)
				}
				if opts.First > 0 {
					asked := opts
					asked.Guess = true
					if _, guessed, err := readRange(newFile(text), asked, 1); err != nil || guessed.Before.Inside != before.Inside {
						wrong++
					}
				}
				before = p.After
			}
			if wrong > int(all)/20 || wrong > 0 && !strings.Contains(name, "ragged") {
				t.Errorf("%d of %d guesses are wrong", wrong, all-1)
			}
		})
	}
}

// A file that is read in order cannot be read in ranges.
func TestNoRanges(t *testing.T) {
	for _, f := range []*memFile{newPipe([]byte("a\n1\n2\n")), newFile(compressed([]byte("a\n1\n2\n")))} {
		opts := Options{BlockSize: 2, First: 1, Blocks: 2, Before: Edge{Line: 2}}
		if _, err := Open(context.Background(), f, opts); err == nil {
			t.Errorf("%s is read from block 1", f.Name())
		}
	}
}
