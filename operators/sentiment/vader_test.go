package sentiment

import (
	"bufio"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jonreiter/govader"
)

// pair is the model and the reference that it must agree with.
type pair struct {
	model *vader
	ref   *govader.SentimentIntensityAnalyzer
}

func newPair(t testing.TB) pair {
	t.Helper()
	return pair{model: newVader(), ref: govader.NewSentimentIntensityAnalyzer()}
}

// failer is the part of a test, a benchmark or a property that check needs.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// check fails unless both give the same compound score, bit for bit, except for the sign of
// zero.
func (p pair) check(t failer, text string) {
	t.Helper()
	want := p.ref.PolarityScores(text).Compound
	got := p.model.compound([]byte(text))
	if math.Float64bits(got+0) != math.Float64bits(want+0) {
		t.Fatalf("compound of %q is %v, reference says %v", text, got, want)
	}
	if polarity := p.model.Polarity([]byte(text)); polarity != int32(math.Round(want*10000)) {
		t.Fatalf("polarity of %q is %d, reference says %v", text, polarity, want)
	}
}

// readTexts returns real reviews and film plots, one JSON string a line.
func readTexts(t testing.TB) []string {
	t.Helper()
	f, err := os.Open("testdata/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatalf("line %d: %v", len(texts)+1, err)
		}
		texts = append(texts, text)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestPublishedScores pins polarities: the first twenty are those that the
// authors of VADER print for their original implementation.
func TestPublishedScores(t *testing.T) {
	model, err := New(Lexicon)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int32{
		"VADER is smart, handsome, and funny.":                                                8316,
		"VADER is smart, handsome, and funny!":                                                8439,
		"VADER is very smart, handsome, and funny.":                                           8545,
		"VADER is VERY SMART, handsome, and FUNNY.":                                           9227,
		"VADER is VERY SMART, handsome, and FUNNY!!!":                                         9342,
		"VADER is VERY SMART, uber handsome, and FRIGGIN FUNNY!!!":                            9469,
		"VADER is not smart, handsome, nor funny.":                                            -7424,
		"The book was good.":                                                                  4404,
		"At least it isn't a horrible book.":                                                  4310,
		"The book was only kind of good.":                                                     3832,
		"The plot was good, but the characters are uncompelling and the dialog is not great.": -7042,
		"Today SUX!": -5461,
		"Today only kinda sux! But I'll get by, lol":      5249,
		"Make sure you :) or :D today!":                   8633,
		"Catch utf-8 emoji such as such as 💘 and 💋 and 😁": 7003,
		"Not bad at all": 4310,
		"Sentiment analysis has never been good.":                               -3412,
		"With VADER, sentiment analysis is the shit!":                           6476,
		"On the other hand, VADER is quite bad ass":                             8020,
		"Roger Dodger is one of the least compelling variations on this theme.": -1695,
		"":                   0,
		" \t\n":              0,
		"the table is green": 0,
		"12345 10/10":        0,
		"\xff\xfe\x80":       0,
		"good\xff":           0,
		"GOOD":               4404,
		"good\nbad":          0,
	} {
		if got := model.Polarity([]byte(text)); got != want {
			t.Errorf("polarity of %q is %d, want %d", text, got, want)
		}
	}
}

func TestAgreesOnReviews(t *testing.T) {
	p := newPair(t)
	for _, text := range readTexts(t) {
		p.check(t, text)
		p.check(t, strings.ToUpper(text))
		p.check(t, text[len(text)/3:len(text)*2/3])
	}
}

// TestAgreesOnRules covers every rule, and the cases where the reference behaves unexpectedly.
func TestAgreesOnRules(t *testing.T) {
	p := newPair(t)
	for _, text := range []string{
		"no good", "no table good", "no bad or good", "no bad nor good thing", "no", "no no no good",
		"NO good", "No Good thing", "so no bad",
		"kind of good", "KIND OF good", "kind", "kind person of", "sort of very good", "it is just enough good fun",
		"a kind of kind of kind", "sort of sort of good good",
		"never so good", "never good this good", "never this very good", "never very so good", "never was good",
		"without doubt good", "without any doubt good", "without a doubt good", "without the good",
		"least good", "at least good", "very least good", "the least good", "the LEAST good", "AT least good", "at Least good",
		"x least good", "Very least good",
		"he is the bomb", "he is a bad ass", "so that was the shit", "it was the kiss of death", "a song to die for",
		"yeah right good", "the bomb", "a b the shit now", "a b c to die for d", "a b kiss of death", "bad ass bad ass bad ass",
		"but", "good but bad", "good but bad but good", "BUT good", "good bad but", "but but good",
		"VERY good thing", "very GOOD thing", "VERY GOOD", "a VERY bad thing", "EXTREMELY a bad thing", "hardly A good thing",
		"barely good", "BARELY good thing", "really really really bad", "REALLY REALLY REALLY bad idea",
		"isn't good", "ISN'T good", "bisn't good", "xn't x good", "a n't x y good", "n'tgood x", "'n't' fun", "a't good", "an'd good", "n' t good", "an'n't good", "'t good", "n' good",
		"good  bad", "  good", "good  ", "good   but   bad", "!good", "\"good\"", "(good)", "good.", "ok!", "ok", "'ok", "...", "!!!", ":)", ":-D", ":-d",
		"x :-D good", "O_o good", "o_O o.O XD xd good", "(:O bad", ":-Þ good", "x :-Þ bad", ":þ bad",
		":-D that's the shit now", "O_o that's the shit now", ":-X that's the shit now", ":-Þ he's bad ass now",
		"fine!", "fine!!", "fine!!!", "fine!!!!", "fine!!!!!", "bad?", "bad??", "bad???", "bad????", "bad?????", "bad!?!?!?!?",
		"😀", "😀😀", "x😀", "😀x", "😀 good", "good😀", "♥♥♥♥ game", "❤️ it", "👍🏽", "🤷‍♂️ bad", "🔛", "🆙 good", "\u00a0good\u00a0", "\u3000good",
		"\u0085 good", "good\u2028", "\u2028", "\ufeffgood",
		"liKe", "li\u212ae it", "\u212aind of good", "\u0130diot", "gr\u00e9at good", "GO\u00d6D", "\u017ftupid", "ﬁne", "STRASSE straße good",
		"\xffgood", "good\xff bad", "\xf0\x9f\x98 good", "\xed\xa0\x80 good", "a\x00b good", "good\x00", "\x00\x00\x00 good",
		strings.Repeat("A", 24) + " good thing", strings.Repeat("a", 25) + " GOOD", strings.Repeat("\u212a", 40) + " good", strings.Repeat("n't", 40) + " good",
		strings.Repeat("Ä", 50) + " good x", strings.Repeat("\u212a", 24) + " good", strings.Repeat("\u212a", 96) + " good",
		"good\tbad", "good\rbad", "good\vbad good", "\tgood", "good-bad", "good/bad", "fed up", "can't stand it", "( '}{' ) good",
	} {
		p.check(t, text)
		p.check(t, "A b "+text+" c D")
		p.check(t, text+" "+text)
	}
}

// TestWordsFit checks that each word of the reference fits into a key, and that all of them fit
// into the table with room to spare.
func TestWordsFit(t *testing.T) {
	p := newPair(t)
	words := slices.Collect(maps.Keys(p.ref.Lexicon))
	for _, phrases := range []map[string]float64{p.ref.Constants.BoosterDict, p.ref.Constants.SpecialCaseIdioms} {
		for text := range phrases {
			words = append(words, strings.Split(text, " ")...)
		}
	}
	for _, w := range append(words, p.ref.Constants.NegateList...) {
		if len(w) > maxKey && !strings.Contains(w, " ") {
			t.Errorf("%q has %d bytes", w, len(w))
		}
	}
	if n := len(p.model.dict.entries); n > maxEntries || n < 7000 {
		t.Errorf("%d entries", n)
	}
}

func TestEveryWordAgrees(t *testing.T) {
	p := newPair(t)
	words := make([]string, 0, len(p.ref.Lexicon)+len(p.ref.EmojiDict))
	for w := range p.ref.Lexicon {
		words = append(words, w)
	}
	for w := range p.ref.EmojiDict {
		words = append(words, w)
	}
	for w := range p.ref.Constants.BoosterDict {
		words = append(words, w)
	}
	words = append(words, p.ref.Constants.NegateList...)
	for _, w := range words {
		p.check(t, w)
		p.check(t, "It was "+w+" good, and "+strings.ToUpper(w)+" bad")
	}
}

func TestHugeText(t *testing.T) {
	p := newPair(t)
	p.check(t, strings.Repeat("a GREAT book, but not so good for 😀 people ", 1<<13))
	size := 10 << 20
	if raceEnabled {
		size = 1 << 20
	}
	for unit, want := range map[string]int32{
		"good ": Scale, "VERY bad ": -Scale, "good": 0, "! ": 0, " ": 0, "\xff": 0, "n't": 0, "but ": 0, "\u212a": 0,
	} {
		text := []byte(strings.Repeat(unit, size/len(unit)))
		if got := p.model.Polarity(text); got != want {
			t.Errorf("%d bytes of %q: polarity %d, want %d", len(text), unit, got, want)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	model, err := New(Lexicon)
	if err != nil {
		t.Fatal(err)
	}
	texts := readTexts(t)
	want := make([]int32, len(texts))
	for i, text := range texts {
		want[i] = model.Polarity([]byte(text))
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range texts {
				i = (i + g*len(texts)/8) % len(texts)
				if got := model.Polarity([]byte(texts[i])); got != want[i] {
					t.Errorf("goroutine %d: polarity of %q is %d, was %d", g, texts[i], got, want[i])
				}
			}
		})
	}
	group.Wait()
}

func TestDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops buffers at random under the race detector")
	}
	model, err := New(Lexicon)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"A really GREAT book!", "très good 😀 li\u212ae", strings.Repeat("not bad ", 1000)} {
		b := []byte(text)
		if n := testing.AllocsPerRun(200, func() { model.Polarity(b) }); n != 0 {
			t.Errorf("%v allocations for %.30q", n, text)
		}
	}
}
