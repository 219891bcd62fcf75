package sentiment

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"unicode"

	"github.com/jonreiter/govader"
)

// Scale is how many units of polarity equal a score of 1.
const Scale = 10_000

// vader is the lexicon model.
type vader struct {
	dict        *dictionary
	emojis      *emojis
	punctuation [256]bool
	buffers     sync.Pool // of *[]byte
}

// newVader builds the model from the word lists of the reference.
func newVader() *vader {
	ref := govader.NewSentimentIntensityAnalyzer()
	v := &vader{dict: newDictionary(ref), emojis: newEmojis(ref.EmojiDict)}
	for _, c := range []byte(ref.Constants.Regex.PunctuationString) {
		v.punctuation[c] = true
	}
	v.buffers.New = func() any { return new([]byte) }
	return v
}

// Polarity implements [Model]. It allocates nothing once the model is warm: buffers are pooled,
// and an unused one is freed by the second garbage collection.
func (v *vader) Polarity(text []byte) int32 {
	return int32(math.Round(v.compound(text) * Scale))
}

// compound returns VADER's compound score, between -1 and 1.
func (v *vader) compound(text []byte) float64 {
	kept := v.buffers.Get().(*[]byte)
	buf := slices.Grow((*kept)[:0], len(text)+padding)
	buf = v.emojis.appendText(buf, text)
	n := len(buf)
	buf = append(buf, make([]byte, padding)...)
	sum := v.sum(buf, n)
	*kept = buf
	v.buffers.Put(kept)
	return normalise(sum)
}

// sum adds the valences of the words of buf[:n] and the emphasis of its
// punctuation; padding bytes follow.
func (v *vader) sum(buf []byte, n int) float64 {
	s := scan{vader: v, buf: buf}
	s.run(n-len(bytes.TrimLeftFunc(buf[:n], unicode.IsSpace)), len(bytes.TrimRightFunc(buf[:n], unicode.IsSpace)))
	sum := s.total()
	amount := emphasis(buf[:n])
	if sum > 0 {
		sum += amount
	} else if sum < 0 {
		sum -= amount
	}
	return sum
}

// emphasis returns what exclamation and question marks add.
func emphasis(text []byte) float64 {
	exclamations := min(bytes.Count(text, []byte{'!'}), 4)
	amount := float64(float64(exclamations) * 0.292)
	switch questions := bytes.Count(text, []byte{'?'}); {
	case questions > 3:
		amount += 0.96
	case questions > 1:
		amount += float64(float64(questions) * 0.18)
	}
	return amount
}

// normalise maps a sum of valences to (-1, 1). 15 approximates the largest sum that is to be
// expected.
func normalise(sum float64) float64 {
	score := sum / math.Sqrt(float64(sum*sum)+15)
	return max(-1, min(1, score))
}
