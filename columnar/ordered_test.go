package columnar_test

import (
	"bytes"
	"cmp"
	"testing"

	"analyzer/columnar"
)

// Words of texts order as the texts do, and are equal only where the first eight bytes are, but for zeros at their end.
func TestTextWords(t *testing.T) {
	text := []byte("\x00ab\xff\x80cdefgh")
	var texts [][]byte
	for from := range text {
		for to := from; to <= len(text); to++ {
			texts = append(texts, text[from:to])
		}
	}
	first := func(text []byte) []byte { return bytes.TrimRight(text[:min(8, len(text))], "\x00") }
	for _, a := range texts {
		for _, b := range texts {
			if got, want := cmp.Compare(columnar.TextWord(a), columnar.TextWord(b)), bytes.Compare(first(a), first(b)); got != want {
				t.Errorf("%q and %q are ordered %d, not %d", a, b, got, want)
			}
		}
	}
}
