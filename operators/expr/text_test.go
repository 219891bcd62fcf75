package expr

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"analyzer/columnar"
)

func TestUpper(t *testing.T) {
	s, cols := columnsOf([]columnar.Type{columnar.Text}, [][]datum{
		{"abcdefghijklmnopqrstuvwxyz{@`["}, {"àéî straße ω"}, {"ı ﬁ ǆ"}, {""}, {nil}, {"日本 x"},
	})
	v, err := mustCompile(t, Call("upper", Col("a")), s).Eval(cols, 6)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []datum{"ABCDEFGHIJKLMNOPQRSTUVWXYZ{@`[", "ÀÉÎ STRAẞE Ω", "I ﬁ Ǆ", "", nil, "日本 X"} {
		if got := show(datumAt(v, i)); got != show(want) {
			t.Errorf("row %d is %s, want %s", i, got, show(want))
		}
	}
}

// TestUpperIsToUpper compares upper with strings.ToUpper, but of ß, on random texts, of
// which some are ASCII, in batches whose texts lie anywhere in their memory.
func TestUpperIsToUpper(t *testing.T) {
	ev := mustCompile(t, Call("upper", Col("a")), columnar.Schema{{Name: "a", Type: columnar.Text}})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.OneOf(rapid.StringMatching(`[ -~]{0,20}`), rapid.String())).Draw(t, "texts")
		values := make([]datum, len(texts))
		for i, text := range texts {
			values[i] = text
		}
		col := vectorOf(columnar.Text, values, rapid.Bool().Draw(t, "shifted"))
		v, err := ev.Eval([]*columnar.Vector{col}, len(texts))
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if got, want := string(v.Bytes(i)), strings.ReplaceAll(strings.ToUpper(text), "ß", "ẞ"); got != want {
				t.Fatalf("upper(%q) is %q, want %q", text, got, want)
			}
		}
	})
}

func TestCodePointsOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var text []byte
		for range rng.IntN(40) {
			text = utf8.AppendRune(text, []rune{'a', 'é', '€', '😀', 0, 0x7f, utf8.MaxRune}[rng.IntN(7)])
		}
		if got, want := codePointsOf(text), utf8.RuneCount(text); got != want {
			t.Fatalf("%q has %d code points, not %d", text, got, want)
		}
	}
}
