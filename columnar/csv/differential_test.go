package csv

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// kinds are the alphabets of random files: from mere structure to rare quotes in
// text.
var kinds = [][]string{
	{`"`, ",", "\n", "a"},
	{`"`, ",", "\n", "\r", "a", "\r\n", `""`, "bc"},
	{`"`, ",", "\n", "a", "b", "cdefgh", "ijklmnopqr", "1", "2"},
	{`,"x ""y"" , z"`, `,"`, `",`, ",a", "\n", "\r\n", "text and more of it"},
	{",a", ",1.5", "\n", "\n", `,"q,r"`, "é", "\x00"},
	{"\r", "\n", `"`},
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
	rounds := 8000
	if testing.Short() {
		rounds = 2000
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		data := randomFile(rng, 1+rng.IntN(300))
		opts := Options{BlockSize: 1 + rng.IntN(64), Portable: rng.IntN(2) == 0}
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

func FuzzReader(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"), uint8(3), uint8(2))
	f.Add([]byte("a,b\r\n\"x\r\ny\",\"\"\"z\"\r\n\r\n1,2"), uint8(1), uint8(3))
	f.Add([]byte("a\n5\" pipe\n\"x\" y\"z,\n"), uint8(7), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, blockSize, workers uint8) {
		opts := Options{BlockSize: 1 + int(blockSize)}
		if bytes.HasPrefix(data, []byte("PK")) || bytes.HasPrefix(data, []byte("\x1f\x8b")) ||
			bytes.HasPrefix(data, []byte("\x28\xb5")) || bytes.HasPrefix(data, []byte("BZh")) ||
			bytes.HasPrefix(data, []byte("\xfd7z")) || bytes.HasPrefix(data, []byte("7z")) || bytes.HasPrefix(data, []byte("PAR1")) {
			return
		}
		check(t, data, newFile(data), opts, 1+int(workers%4))
		opts.Portable = true
		check(t, data, newPipe(data), opts, 1+int(workers%3))
	})
}
