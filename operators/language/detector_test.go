package language

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
)

func TestTextsWithoutALanguage(t *testing.T) {
	d := newDetectorOrFail(t)
	for _, text := range []string{
		"", " ", "\x00", "\xff", "\xed\xa0\x80", "10/10", "3.14159", "!?", "😀", "♥♥♥♥", "░▒▓█", "\u0301\u0301", "\u00ad",
		"https://example.org/some/english/words", "www.example.org", "HTTP://X.EXAMPLE", "'", "𝕋𝕙𝕖",
		strings.Repeat("9", 1<<20), strings.Repeat("\xff", 1<<20), strings.Repeat(" ", 1<<16) + "the game is good",
	} {
		if got := d.Detect([]byte(text)); got != "" {
			t.Errorf("%.40q: got %q", text, got)
		}
	}
}

func TestReading(t *testing.T) {
	d := newDetectorOrFail(t)
	for _, c := range []labelled{
		{"en", "ｇｏｏｄ"},
		{"en", "g\u0337o\u0337o\u0337d\u0337 g\u0337a\u0337m\u0337e\u0337"},
		{"en", "ok"},
		{"en", "OK!!!"},
		{"tr", "İyi oyun, çok eğlenceli"},
		{"tr", "MÜKEMMEL BİR OYUN"},
		{"fr", "tre\u0300s bon jeu, je le conseille"},
		{"de", "Das ist http ein Spiel und www kein Link"},
		{"zh", "https://example.org/很好玩"},
	} {
		if got := d.Detect([]byte(c.text)); got != c.code {
			t.Errorf("%q is %q, got %q", c.text, c.code, got)
		}
	}
}

// TestOnlyTheBeginningCounts checks that the answer does not depend on what
// follows the words that are read, however long the text is.
func TestOnlyTheBeginningCounts(t *testing.T) {
	d := newDetectorOrFail(t)
	for _, sentence := range []string{"this is the best game I have ever played, ", "ich habe das Spiel sehr gern gespielt, ", "очень хорошая игра для всех друзей, "} {
		head := strings.Repeat(sentence, 20)
		want := d.Detect([]byte(head))
		for _, tail := range []string{"", strings.Repeat("很好玩", 1000), strings.Repeat("x", 10<<20)} {
			if got := d.Detect([]byte(head + tail)); got != want || want == "" {
				t.Errorf("%.30q… and %.20q is %q, want %q", head, tail, got, want)
			}
		}
	}
	if got := d.Detect(bytes.Repeat([]byte("a"), 10<<20)); got != d.Detect(bytes.Repeat([]byte("a"), hardEnd+1)) {
		t.Errorf("ten million letters are %q", got)
	}
}

func TestCodes(t *testing.T) {
	d := newDetectorOrFail(t)
	codes := d.Codes()
	if len(codes) != 60 || !slices.IsSorted(codes) || !slices.Contains(codes, english) {
		t.Fatalf("codes are %q", codes)
	}
	codes[0] = "xx"
	if d.Codes()[0] == "xx" {
		t.Error("the caller can change the codes")
	}
}

func TestConcurrentUse(t *testing.T) {
	d := newDetectorOrFail(t)
	list := readList(t, "testdata/reviews.tsv")
	want := make([]string, len(list))
	for i, l := range list {
		want[i] = d.Detect([]byte(l.text))
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range list {
				i = (i + g*len(list)/8) % len(list)
				if got := d.Detect([]byte(list[i].text)); got != want[i] {
					t.Errorf("goroutine %d: %q is %q, was %q", g, list[i].text, got, want[i])
				}
			}
		})
	}
	group.Wait()
}

func TestDoesNotAllocate(t *testing.T) {
	d := newDetectorOrFail(t)
	for _, text := range []string{"", "ok", "très bon jeu 😀", strings.Repeat("http://x the game ", 1000), strings.Repeat("ж", 1000)} {
		b := []byte(text)
		if n := testing.AllocsPerRun(100, func() { d.Detect(b) }); n != 0 {
			t.Errorf("%v allocations for %.20q", n, text)
		}
	}
}

// TestAlphabetLowers compares the alphabet with Go's lower case, for letters
// whose lower case is a letter of the model too.
func TestAlphabetLowers(t *testing.T) {
	d := newDetectorOrFail(t)
	letters := 0
	for c := range rune(len(d.alphabet)) {
		class := d.alphabet[c]
		if class < classes {
			continue
		}
		letters++
		fullWidth := c >= 'Ａ' && c <= 'Ｚ' || c >= 'ａ' && c <= 'ｚ'
		if !fullWidth && class != uint16(unicode.ToLower(c)) {
			t.Errorf("%U is read as %U", c, class)
		}
		if d.alphabet[class] != class {
			t.Errorf("%U is read as %U, and that as %U", c, class, d.alphabet[class])
		}
	}
	if letters < 45000 {
		t.Errorf("only %d letters", letters)
	}
}

func BenchmarkDetect(b *testing.B) {
	d := newDetectorOrFail(b)
	var all []string
	for _, l := range readList(b, "testdata/reviews.tsv") {
		all = append(all, l.text)
	}
	english := strings.Join(readTexts(b, "testdata/english.jsonl"), " ")
	mixed := strings.Join(all, " ")
	for _, c := range []struct{ name, text string }{{"English", english}, {"Mixed", mixed}} {
		var texts [][]byte
		const length = 250
		for at := 0; at+length <= len(c.text); at += 37 {
			texts = append(texts, []byte(c.text[at:at+length]))
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(length * len(texts)))
			b.ReportAllocs()
			for b.Loop() {
				for _, text := range texts {
					d.Detect(text)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}
