package csv

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// available returns the loops that this machine can run, by name.
func available() map[string]kernels {
	best := newKernels(false)
	found := otherKernels()
	found["portable"], found["best"] = portableKernels, best
	return found
}

// randomBytes has about one special byte in every n.
func randomBytes(rng *rand.Rand, size, n int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(rng.Uint32())
		if rng.IntN(n) == 0 {
			data[i] = "\",;\t|\n\r'"[rng.IntN(8)]
		}
	}
	return data
}

// describeSlowly is the classifier for one byte at a time.
func describeSlowly(data []byte, i int, x *syntax) (quote, newline, end bool) {
	c := data[i]
	newline = c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n')
	return x.quoted() && c == x.quote, newline, newline || c == x.delimiter[0]
}

func TestClassify(t *testing.T) {
	for name, k := range available() {
		for seed := range uint64(300) {
			rng := rand.New(rand.NewPCG(seed, 3))
			n := rng.IntN(1000)
			data := randomBytes(rng, n, 1+rng.IntN(30))
			buf := append(slices.Clone(data), make([]byte, wordBytes+8)...)
			delimiter := ",;\t|"[seed%4]
			x := syntax{Quoting: doubleQuotes, delimiter: string(rune(delimiter))}
			switch seed % 3 {
			case 1:
				x.quote = '\''
			case 2:
				x.quote = '\n' // no quotes
			}
			var l, portable lexer
			l.reset(&x, k.classify)
			words := l.rest(nil, buf[:n])
			inside := false
			for i := range n {
				quote, newline, end := describeSlowly(data, i, &x)
				inside = inside != quote
				w, bit := words[i/wordBytes], i%wordBytes
				for j, got := range []uint64{w.quote, w.newline, w.end, w.inside} {
					if want := []bool{quote, newline, end, inside}[j]; (got>>bit&1 != 0) != want {
						t.Fatalf("%s, seed %d: byte %d of %q: mask %d is %v", name, seed, i, data, j, !want)
					}
				}
			}
			portable.reset(&x, classifyPortable)
			if portable.rest(nil, buf[:n]); !reflect.DeepEqual(normal(l.sum), normal(portable.sum)) {
				t.Fatalf("%s, seed %d: summary %+v, not %+v", name, seed, l.sum, portable.sum)
			}
			// Where there are escapes, a quote must not follow a closing one.
			one, other := x.newSummary(), x.newSummary()
			one.doubling, other.doubling = 0, 0
			if full := words[:n/wordBytes]; len(full) > 0 {
				k.classify(full, buf, &one)
				classifyPortable(full, buf, &other)
			}
			if !reflect.DeepEqual(normal(one), normal(other)) {
				t.Fatalf("%s, seed %d, escapes: summary %+v, not %+v", name, seed, one, other)
			}
		}
	}
}

// normal makes summaries equal that differ only in which bits are set.
func normal(s summary) summary {
	for _, p := range []*uint64{&s.irregular[0], &s.irregular[1], &s.cr} {
		if *p != 0 {
			*p = 1
		}
	}
	return s
}

func TestExtract(t *testing.T) {
	for name, k := range available() {
		for seed := range uint64(300) {
			rng := rand.New(rand.NewPCG(seed, 4))
			words := make([]word, rng.IntN(extractWords+1))
			for i := range words {
				dense := rng.Uint64()
				for range rng.IntN(7) {
					dense &= rng.Uint64()
				}
				if rng.IntN(10) == 0 {
					dense = ^uint64(0)
				}
				words[i] = word{end: dense, newline: dense & rng.Uint64(), inside: rng.Uint64() & -(rng.Uint64() & 1)}
			}
			flip, base := -(rng.Uint64() & 1), int32(rng.IntN(1<<30))
			dst := make([]int32, len(words)*wordBytes+extractSlack)
			ends, newlines := k.extract(dst, words, flip, base)
			var want []int32
			lines := 0
			for i := range words {
				for bit := range wordBytes {
					outside := (words[i].inside^flip)>>bit&1 == 0
					if outside && words[i].end>>bit&1 != 0 {
						want = append(want, base+int32(i*wordBytes+bit))
						lines += int(words[i].newline >> bit & 1)
					}
				}
			}
			if !slices.Equal(dst[:ends], want) || newlines != lines {
				t.Fatalf("%s, seed %d: %d ends with %d newlines, not %d with %d", name, seed, ends, newlines, len(want), lines)
			}
		}
	}
}
