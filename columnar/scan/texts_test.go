package scan

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
)

// TestCopyTexts copies random texts in groups, and compares each with what package
// csv makes of its cell.
func TestCopyTexts(t *testing.T) {
	pieces := []string{"a", "word", `"`, `""`, "'", `\`, `\\`, `\"`, "ä", "\x80", "a text of so many bytes", "0123456789abcdef0123456789abcdef"}
	if !copiesTexts {
		t.Skip("this processor copies texts one by one")
	}
	quotings := []csv.Quoting{quotingOf(t, columnar.Dialect{}), quotingOf(t, columnar.Dialect{Quote: "'"}), quotingOf(t, columnar.Dialect{Unquoted: true}), quotingOf(t, columnar.Dialect{Escape: `\`}), quotingOf(t, columnar.Dialect{Quote: "'", Escape: `"`})}
	copied, quoted, unescaped := 0, 0, 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 11))
		q := quotings[seed%uint64(len(quotings))]
		rows, stride := 1+rng.IntN(50), 1+rng.IntN(3)
		var data []byte
		bounds := []int32{-1}
		for range rows * stride {
			var cell []byte
			for range rng.IntN(4) {
				cell = append(cell, pieces[rng.IntN(len(pieces))]...)
			}
			quote, escape := []byte{q.Quote()}, []byte{q.Escape()}
			switch rng.IntN(4) {
			case 0:
				cell = slices.Concat(quote, bytes.ReplaceAll(bytes.ReplaceAll(cell, quote, nil), escape, nil), quote)
			case 1:
				cell = slices.Concat(quote, escaped(cell, q), quote)
			case 2:
				cell = slices.Concat(quote, cell, quote)
			}
			data = append(append(data, cell...), ',')
			bounds = append(bounds, int32(len(data)-1))
		}
		for range number.Behind {
			data = append(data, byte(rng.Uint32()))
		}
		out, ends := make([]byte, len(data)+textSlack), make([]int32, rows+1)
		for r := 0; r < rows; r++ {
			n := copyTexts(out, ends[r:], &number.Cells{Data: data, Bounds: bounds, Stride: stride}, r, q)
			for i := r; i < r+n; i++ {
				cell := data[bounds[i*stride]+1 : bounds[i*stride+1]]
				if got, want := out[ends[i]:ends[i+1]], q.Append(nil, cell); !bytes.Equal(got, want) || len(got) > 0 && !utf8.RuneStart(got[0]) {
					t.Fatalf("seed %d: %q becomes %q, not %q", seed, cell, got, want)
				}
				if copied++; len(cell) > 1 && cell[0] == q.Quote() {
					quoted++
					if text, ok := q.Text(cell); !ok || bytes.IndexByte(text, q.Escape()) >= 0 {
						unescaped++
					}
				}
			}
			if r += n; r < rows {
				cell := data[bounds[r*stride]+1 : bounds[r*stride+1]]
				text := q.Append(nil, cell)
				wellFormed := bytes.IndexByte(cell, q.Quote()) < 0
				if unescapesTexts && len(cell) > 1 && cell[0] == q.Quote() {
					wellFormed = bytes.Equal(slices.Concat(cell[:1], escaped(text, q), cell[:1]), cell)
				}
				if len(cell) <= 64 && wellFormed && (len(text) == 0 || utf8.RuneStart(text[0])) {
					t.Fatalf("seed %d: %q was not copied", seed, cell)
				}
				ends[r+1] = ends[r]
			}
		}
	}
	if copied < 10_000 || quoted < 1000 || unescapesTexts && unescaped < 1000 {
		t.Errorf("%d texts were copied, %d of them quoted, %d with escapes", copied, quoted, unescaped)
	}
}

// escaped returns a text as it is written between quotes.
func escaped(text []byte, q csv.Quoting) []byte {
	quote, escape := []byte{q.Quote()}, []byte{q.Escape()}
	if q.Escapes() {
		text = bytes.ReplaceAll(text, escape, slices.Concat(escape, escape))
	}
	return bytes.ReplaceAll(text, quote, slices.Concat(escape, quote))
}

// quotingOf returns how the cells of a file in a dialect are quoted.
func quotingOf(t *testing.T, d columnar.Dialect) csv.Quoting {
	t.Helper()
	r, err := csv.Open(t.Context(), vfs.Stdin(strings.NewReader("a\nb\n")), csv.Options{Dialect: d})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b csv.Block
	if err := r.Next(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Quoting()
}
