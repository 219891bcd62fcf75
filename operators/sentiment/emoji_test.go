package sentiment

import (
	"testing"
	"unicode/utf8"

	"github.com/jonreiter/govader"
)

// TestNoEmojiIsASCII holds what lets ASCII be taken as it is.
func TestNoEmojiIsASCII(t *testing.T) {
	for r := range newEmojis(govader.NewSentimentIntensityAnalyzer().EmojiDict).descriptions {
		if r < utf8.RuneSelf {
			t.Errorf("%q is an emoji", r)
		}
	}
}
