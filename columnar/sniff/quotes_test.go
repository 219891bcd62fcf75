package sniff_test

import (
	"strings"
	"testing"

	"analyzer/columnar/sniff"
)

// TestApostrophes tells quotes from apostrophes in words, for each usual delimiter, which is ¦ in
// the texts.
func TestApostrophes(t *testing.T) {
	for name, tt := range map[string]struct{ text, quote string }{
		"in words":                      {"a¦b\nit's¦don't\nMary's¦x\n", ""},
		"before words":                  {"a¦b\n'tis¦1\n'twas¦2\n", ""},
		"before words of texts alone":   {"a¦b\nx¦'u\ny¦'v\nz¦w\n", ""},
		"behind words":                  {"a¦b\ndogs'¦1\ncats'¦2\n", ""},
		"before one and behind another": {"a¦b\nx¦'tis\ny¦u\nz¦dogs'\nw¦v\n", ""},
		"likewise, and a short record":  {"a¦b\nx¦'tis\ny\nz¦dogs'\nw¦v\n", ""},
		"likewise, and nothing else":    {"a¦b\nx¦'tis\ny\nz¦dogs'\n", ""},
		"before two, and a long record": {"a¦b\nx¦'u\ny¦z¦w\nz¦'v\nw¦z\n", ""},
		"beside double quotes":          {"a¦b\n\"it's\"¦x\n'u\n'v¦y\n", ""},
		"within double quotes":          {"a¦b\n\"'u'\"¦\"x\"\n\"'v'\"¦\"y¦z\"\n", ""},
		"around a word among others":    {"a¦b\n'Heroes'¦1\nLow¦2\nLodger¦3\n", ""},
		"around a word, and lone ones":  {"a¦b\n'Heroes'\nx¦'39\ny¦u\nz¦Rollin'\n", ""},
		"in the header alone":           {"'a¦b'\n1¦2\n3¦4\n", ""},
		"of feet and inches":            {"a¦b\n5' 3\"¦1\n6' 2\"¦2\n", ""},
		"of an open cell at the end":    {"a¦b\nx¦y\nz¦'u\nw\n", ""},
		"of all cells":                  {"'a'¦'b'\n'x'¦'1'\n'y'¦'2'\n", "'"},
		"of texts with the delimiter":   {"a¦b\n'x¦ y'¦1\n'it''s'¦2\n", "'"},
		"where they are needed":         {"a¦b\nx¦1\n'y¦ z'¦2\nit's¦3\n", "'"},
		"of texts, beside nulls":        {"a¦b\n1¦'x¦y'\n2¦NULL\n3¦\n4¦'z'\n", "'"},
		"around a line end":             {"a¦b\n'x\ny'¦'z'\n'v'¦'w'\n'u'¦'w'\n", "'"},
		"with escapes":                  {"a¦b¦c\n1¦'it\\'s¦ well'¦2\n3¦'so¦ so'¦4\n5¦'x'¦6\n", "'"},
	} {
		for _, delimiter := range sniff.Delimiters() {
			text := strings.ReplaceAll(tt.text, "¦", delimiter)
			if f, err := sniffed(t, text); err != nil || f.Quote != tt.quote || f.Delimiter != delimiter {
				t.Errorf("%s: of %q: %+v, %v", name, text, f, err)
			}
		}
	}
}
