package columnar

import (
	"strings"
	"unicode/utf8"
)

// Excerpt is a text as messages quote it: in valid UTF-8, and no more than so many characters from its beginning.
func Excerpt(text string, most int) string {
	text = strings.ToValidUTF8(text[:min(len(text), (most+1)*utf8.UTFMax)], "\ufffd")
	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
