package csv

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"analyzer/columnar/stored"
)

// kinds are the alphabets of random files, from structural bytes alone to text with rare
// quotes.
var kinds = [][]string{
	{`"`, ",", "\n", "a"},
	{`"`, ",", "\n", "\r", "a", "\r\n", `""`, "bc"},
	{`"`, ",", "\n", "a", "b", "cdefgh", "ijklmnopqr", "1", "2"},
	{`,"x ""y"" , z"`, `,"`, `",`, ",a", "\n", "\r\n", "text and more of it"},
	{",a", ",1.5", "\n", "\n", `,"q,r"`, "é", "\x00"},
	{"\r", "\n", `"`},
	{"a,b\r\r\n", "a,b\n\n", "1,2\r\n\r\n", "\n", "x\n"},
}

func randomFile(rng *rand.Rand, maxParts int) []byte {
	kind := kinds[rng.IntN(len(kinds))]
	data := []byte{}
	if rng.IntN(4) == 0 {
		data = append(data, byteOrderMark...)
	}
	if rng.IntN(2) == 0 {
		data = append(data, "h1,h2\n"...)
	}
	for range rng.IntN(maxParts) {
		data = append(data, kind[rng.IntN(len(kind))]...)
	}
	return data
}

func TestRandomFiles(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 200
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		data := randomFile(rng, 1+rng.IntN(300))
		opts := Options{BlockSize: 1 + rng.IntN(64), portable: rng.IntN(2) == 0, SkipBlank: rng.IntN(2) == 0}
		if rng.IntN(3) == 0 {
			opts.BlockSize = 1 + rng.IntN(1000)
		}
		workers := 1 + rng.IntN(4)
		f := newFile(data)
		switch rng.IntN(3) {
		case 0:
			f = newPipe(data)
		case 1:
			f = newFile(compressed(data))
		}
		if !t.Run("", func(t *testing.T) { check(t, data, f, opts, workers) }) {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Reading the first blocks of a file gives the same records as reading a copy that ends at
// Progress.End.
func TestFirstBlocks(t *testing.T) {
	rounds := 800
	if testing.Short() {
		rounds = 100
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 2))
		data := randomFile(rng, 1+rng.IntN(300))
		opts := Options{BlockSize: 1 + rng.IntN(200)}
		cut := opts
		cut.Blocks = 1 + rng.Int64N(int64(len(data)/opts.BlockSize)+1)
		for form, f := range map[string]*memFile{"file": newFile(data), "pipe": newPipe(data), "gzip": newFile(compressed(data))} {
			_, blocks, end, err := readTo(f, cut, 1+rng.IntN(4))
			if int64(len(blocks)) > cut.Blocks {
				t.Fatalf("seed %d, %s: %d blocks of %d", seed, form, len(blocks), cut.Blocks)
			}
			if err != nil {
				continue // as without a cut: there is no header
			}
			_, want, wantErr := readAll(newFile(data[:end]), opts, 1)
			if wantErr != nil {
				t.Fatalf("seed %d, %s: %d bytes cannot be read: %v", seed, form, end, wantErr)
			}
			if got, want := slices.Concat(blocks...), slices.Concat(want...); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %s: %d blocks of %d bytes, up to %d:\ngot  %v\nwant %v", seed, form, cut.Blocks, opts.BlockSize, end, got, want)
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"), uint8(3), uint8(2))
	f.Add([]byte("a,b\r\n\"x\r\ny\",\"\"\"z\"\r\n\r\n1,2"), uint8(1), uint8(3))
	f.Add([]byte("a\n5\" pipe\n\"x\" y\"z,\n"), uint8(7), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, blockSize, workers uint8) {
		opts := Options{BlockSize: 1 + int(blockSize)}
		if bytes.HasPrefix(data, []byte("PK")) || bytes.HasPrefix(data, []byte("\x1f\x8b")) ||
			bytes.HasPrefix(data, []byte("\x28\xb5")) || bytes.HasPrefix(data, []byte("BZh")) ||
			bytes.HasPrefix(data, []byte("\xfd7z")) || !stored.Plain(data[:min(len(data), stored.MagicBytes)]) || bytes.HasPrefix(data, []byte("7z")) || bytes.HasPrefix(data, []byte("PAR1")) {
			return
		}
		check(t, data, newFile(data), opts, 1+int(workers%4))
		opts.portable, opts.SkipBlank = true, true
		check(t, data, newPipe(data), opts, 1+int(workers%3))
	})
}
