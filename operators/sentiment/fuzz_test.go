package sentiment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// FuzzAgrees compares whole texts with the reference.
func FuzzAgrees(f *testing.F) {
	p := newPair(f)
	for _, text := range readTexts(f) {
		f.Add([]byte(text))
	}
	for _, text := range []string{
		"", " ", "good but BAD", "never so good", "no bad or good", "the least good", "he is the shit now",
		"\xff\xf0\x9f\x98", "😀x😀", "li\u212ae", "isn't VERY kind of good!?!?", "a\x00b", "\u00a0good\u3000",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			text = text[:1<<14]
		}
		before := slices.Clone(text)
		p.check(t, string(text))
		if !slices.Equal(before, text) {
			t.Fatal("the text was changed")
		}
	})
}

// TestAgreesOnWordSoup draws texts from the words that the rules look for, so
// that rules meet each other far more often than in real texts.
func TestAgreesOnWordSoup(t *testing.T) {
	p := newPair(t)
	lexicon := make([]string, 0, len(p.ref.Lexicon))
	for w := range p.ref.Lexicon {
		lexicon = append(lexicon, w)
	}
	slices.Sort(lexicon)
	rules := slices.Clone(p.ref.Constants.NegateList)
	for w := range p.ref.Constants.BoosterDict {
		rules = append(rules, strings.Fields(w)...)
	}
	for w := range p.ref.Constants.SpecialCaseIdioms {
		rules = append(rules, strings.Fields(w)...)
	}
	for w := range ruleWords() {
		rules = append(rules, w)
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	phrases := []string{"kind of", "sort of", "just enough", "the shit", "the bomb", "bad ass", "yeah right", "kiss of death", "to die for"}
	odd := []string{"", "", "table", "!", "?", "??", "😀", "x😀", "n't", "\xff", "\u212ain\u212a", ":-D", "O_o", "\n", "...", "badn't"}
	word := rapid.Custom(func(t *rapid.T) string {
		w := rapid.SampledFrom([][]string{rules, rules, lexicon, lexicon, phrases, odd}[rapid.IntRange(0, 5).Draw(t, "list")]).Draw(t, "word")
		switch rapid.IntRange(0, 7).Draw(t, "case") {
		case 0:
			w = strings.ToUpper(w)
		case 1:
			w = strings.ToUpper(w[:min(1, len(w))]) + w[min(1, len(w)):]
		case 2:
			w = rapid.SampledFrom([]string{"!", "(", "\"", "'"}).Draw(t, "before") + w
		case 3:
			w += rapid.SampledFrom([]string{"!", "?", ".", ",", "'"}).Draw(t, "after")
		}
		return w
	})
	rapid.Check(t, func(t *rapid.T) {
		p.check(t, strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " "))
	})
}
