package language

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// FuzzDetect checks that no text makes Detect panic, is changed by it, or gets
// another answer the second time or from another goroutine.
func FuzzDetect(f *testing.F) {
	d := newDetectorOrFail(f)
	for _, l := range readList(f, "testdata/reviews.tsv") {
		f.Add([]byte(l.text))
	}
	for _, text := range []string{
		strings.Repeat("a ", 400), strings.Repeat("'", 1000), "x" + strings.Repeat("’", 200) + "y", strings.Repeat("www. ", 100),
		"http://", "https://\xff", strings.Repeat("é", 190) + "😀", strings.Repeat("ｗ", 127) + "ww", "\u0300a\u0300", "Σ", "ΑΣ’",
	} {
		f.Add([]byte(text))
	}
	codes := append(d.Codes(), "")
	f.Fuzz(func(t *testing.T, text []byte) {
		before := slices.Clone(text)
		want := d.Detect(text)
		if !slices.Contains(codes, want) {
			t.Fatalf("%q is no code", want)
		}
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				if got := d.Detect(text); got != want {
					t.Errorf("%q is %q, was %q", text, got, want)
				}
			})
		}
		group.Wait()
		if !slices.Equal(before, text) {
			t.Fatal("the text was changed")
		}
	})
}
