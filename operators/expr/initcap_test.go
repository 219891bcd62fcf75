package expr

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"analyzer/columnar"
)

func TestInitcap(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"bad KÖSEN", "Bad Kösen"},
		{"", ""},
		{"o'neil-smith", "O'Neil-Smith"},
		{"3rd éTAGE", "3rd Étage"},
		{"ǆ ß", "Ǆ ß"},
		{"ne\u0301E", "Ne\u0301e"},
		{"日本 x", "日本 X"},
	} {
		got, err := Call(OpInitcap, Str(tt.text)).compute(nil)
		if err != nil || got.Value.Text != tt.want {
			t.Errorf("initcap of %q is %q (%v), not %q", tt.text, got.Value.Text, err, tt.want)
		}
	}
	if got, err := Call(OpInitcap, Null(columnar.Text)).compute(nil); err != nil || !got.Value.Null {
		t.Errorf("initcap of null is %v (%v)", got, err)
	}
}

// TestInitcapIsOfWords compares with capitals of the words of a text, one by one.
func TestInitcapIsOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[abÄé3 ,'-]{0,12}`).Draw(t, "text")
		want := []rune(strings.ToLower(text))
		for i, r := range want {
			if i == 0 || strings.ContainsRune(" ,'-", want[i-1]) {
				want[i] = unicode.ToUpper(r)
			}
		}
		if got, err := Call(OpInitcap, Str(text)).compute(nil); err != nil || got.Value.Text != string(want) {
			t.Fatalf("initcap of %q is %q (%v), not %q", text, got.Value.Text, err, string(want))
		}
	})
}
