package pyliteral

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var sampleFiles = []string{"credits.txt", "metadata.txt", "books.txt"}

func TestSamplesAgainstReference(t *testing.T) {
	for _, name := range sampleFiles {
		for _, cell := range cells(t, name) {
			if _, err := refCell(string(cell)); err != nil {
				t.Errorf("%s: %q: %v", name, cell, err)
			}
			compare(t, string(cell))
		}
	}
}

// pieces are what random cells are put together from: tokens, and what breaks
// tokens.
var pieces = []string{
	`[`, `]`, `(`, `)`, `{`, `}`, `,`, `:`, ` `, "\n", "\r", "\t", "\x00", `'name'`, `"name"`, `'name': `,
	`'a'`, `"b's"`, `''`, `'''`, `"""`, `'`, `"`, `\`, `\'`, `\n`, `\x41`, `\u00e9`, `\ud800`, `\U0001F600`, `\777`,
	`\N{DASH}`, "\\\n", "\\\r\n", `u`, `b`, `r`, `rb`, `é`, `None`, `True`, `1`, `0`, `.5`, `-`, `+2`, `1e3`, `7.`,
	`a longer run of text`, `{'id': 1, 'name': 'x'}`, `, {'name': `,
}

func TestRandomPiecesAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		compare(t, cell)
		compare(t, "["+cell+"]")
		compare(t, "[{"+cell+"}]")
		compare(t, "[{'name': '"+cell+"'}, 'b']")
	})
}

// Real cells with a few pieces put in or bytes cut out: mostly long valid
// stretches around one fault.
func TestDamagedSamplesAgainstReference(t *testing.T) {
	var sample [][]byte
	for _, name := range sampleFiles {
		for _, cell := range cells(t, name) {
			if len(cell) < 1000 {
				sample = append(sample, cell)
			}
		}
	}
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 0))
		cell := slices.Clone(sample[random.IntN(len(sample))])
		for range 1 + random.IntN(3) {
			at := random.IntN(len(cell))
			if random.IntN(2) == 0 {
				cell = slices.Delete(cell, at, at+1)
			} else {
				cell = slices.Insert(cell, at, []byte(pieces[random.IntN(len(pieces))])...)
			}
		}
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { compare(t, string(cell)) })
	}
}

func FuzzAppend(f *testing.F) {
	for _, name := range sampleFiles {
		for _, cell := range cells(f, name) {
			if len(cell) < 300 {
				f.Add(string(cell))
			}
		}
	}
	for _, p := range pieces {
		f.Add("[" + p + "]")
		f.Add("[{'name': " + p + "}]")
	}
	f.Fuzz(func(t *testing.T, cell string) {
		if len(cell) > 4<<10 {
			return // the reference takes its time
		}
		compare(t, cell)
	})
}
