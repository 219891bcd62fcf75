package sentiment

import (
	"testing"
	"unicode/utf8"

	"github.com/jonreiter/govader"
)

// TestNoEmojiIsASCII checks the assumption that lets ASCII be copied unchanged.
func TestNoEmojiIsASCII(t *testing.T) {
	for r := range newEmojis(govader.NewSentimentIntensityAnalyzer().EmojiDict).descriptions {
		if r < utf8.RuneSelf {
			t.Errorf("%q is an emoji", r)
		}
	}
}
