package scan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"analyzer/columnar/csv"
)

func TestUTF8(t *testing.T) {
	// The examples of the Unicode Standard, tables 3-8 to 3-11, and plain text.
	for text, want := range map[string]string{
		"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82A":     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA",
		"\xED\xA0\x80\xED\xBF\xBF\xED\xAFA":     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA",
		"\xF4\x91\x92\x93\xFFA\x80\xBFB":        "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB",
		"\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA":     "\uFFFD\uFFFD\uFFFD\uFFFDA",
		"\xE2\x82":                              "\uFFFD",
		"漢\uFFFD\U0001F600":                     "漢\uFFFD\U0001F600",
		"":                                      "",
		"\xF0\x9F\x98\xF0\x9F\x98\x80\xC3\xC3é": "\uFFFD😀\uFFFD\uFFFDé",
	} {
		if got := string(csv.AppendUTF8(nil, []byte(text))); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
		if got := refUTF8(text); got != want {
			t.Errorf("%q becomes %q in the reference, not %q", text, got, want)
		}
	}
}

// TestValidUTF8 compares with utf8.Valid on long texts with single faults.
func TestValidUTF8(t *testing.T) {
	runes := []rune{'a', 'é', '漢', '😀', 0x7ff, 0x800, 0xffff, 0x10ffff, 0xd7ff, 0xe000}
	for seed := range uint64(20000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var text []byte
		kinds := 1 + rng.IntN(len(runes))
		if rng.IntN(2) == 0 { // what is ASCII for long is read in larger steps
			text = append(text, strings.Repeat("a", rng.IntN(600))...)
		}
		for range rng.IntN(200) {
			text = utf8.AppendRune(text, runes[rng.IntN(kinds)])
		}
		for range rng.IntN(3) {
			if len(text) > 0 {
				text[rng.IntN(len(text))] = byte(rng.Uint32())
			}
		}
		if rng.IntN(3) == 0 {
			text = text[:rng.IntN(len(text)+1)]
		}
		if got, want := validUTF8(text), utf8.Valid(text); got != want {
			t.Fatalf("seed %d: %q: %v, not %v", seed, text, got, want)
		}
	}
}

// TestSplitSequence splits a sequence between neighbouring cells.
func TestSplitSequence(t *testing.T) {
	data := []byte("app_id,review_text,review_score\n1,a\xe2,1\n2,\x82\xacb,1\n3,€,1\n")
	got, err := collect(memFile(t, "r.csv", data), reviewsTable, Options{}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"1", `"a\uFFFD"`, "1"}, {"2", `"\uFFFD\uFFFDb"`, "1"}, {"3", `"€"`, "1"}}
	for i := range want {
		want[i][1] = strings.ReplaceAll(want[i][1], `\uFFFD`, "\uFFFD")
		if !slices.Equal(got.rows[i], want[i]) {
			t.Errorf("row %d is %q, not %q", i, got.rows[i], want[i])
		}
	}
	if w := got.stats.Warnings; len(w) != 1 || w[0] != (Count{WarnInvalidUTF8, "review_text", 2}) {
		t.Error(w)
	}
}

// TestWarningsAreGivenOnce materialises faulty cells twice.
func TestWarningsAreGivenOnce(t *testing.T) {
	data := []byte("app_id,review_text,review_score\n1,a\xe2,1\n2,\x82\xacb,1\n3,€,1\n")
	s, err := Open(t.Context(), memFile(t, "r.csv", data), reviewsTable, []string{"review_text"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	chunk, err := s.NewWorker().Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, sel := range [][]int32{nil, {1}, nil} {
		if _, err := chunk.Materialise([]int{0}, sel); err != nil {
			t.Fatal(err)
		}
	}
	if w := s.Stats().Warnings; len(w) != 1 || w[0].Count != 2 {
		t.Error(w)
	}
}
