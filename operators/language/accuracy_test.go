package language

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// labelled is a text with its right answer.
type labelled struct{ code, text string }

// readList reads a list of lines "code<TAB>text"; the code of a text without
// a language is empty.
func readList(t testing.TB, file string) []labelled {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	for line := range strings.Lines(string(raw)) {
		code, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%s: no tab in %q", file, line)
		}
		list = append(list, labelled{code, text})
	}
	return list
}

// readTexts reads a file of one JSON string a line.
func readTexts(t testing.TB, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatalf("%s: line %d: %v", file, len(texts)+1, err)
		}
		texts = append(texts, text)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestAccuracy checks the numbers that doc.go states.
func TestAccuracy(t *testing.T) {
	d := newDetectorOrFail(t)
	for _, c := range []struct {
		file                string
		texts, right, codes int // codes: languages, and the empty code
	}{
		{"testdata/languages.tsv", 46, 46, 14},
		{"testdata/reviews.tsv", 215, 201, 43},
	} {
		list := readList(t, c.file)
		codes, right := make(map[string]bool), 0
		for _, l := range list {
			codes[l.code] = true
			if got := d.Detect([]byte(l.text)); got == l.code {
				right++
			} else {
				t.Logf("%s: %q is %q, got %q", c.file, l.text, l.code, got)
			}
		}
		if len(list) != c.texts || len(codes) != c.codes {
			t.Errorf("%s has %d texts in %d languages, want %d in %d", c.file, len(list), len(codes), c.texts, c.codes)
		}
		if right < c.right {
			t.Errorf("%s: %d of %d right, want %d", c.file, right, len(list), c.right)
		}
	}
}

// TestLongEnglishIsEnglish checks that texts of a few sentences are detected
// reliably, in any case and in either direction.
func TestLongEnglishIsEnglish(t *testing.T) {
	d := newDetectorOrFail(t)
	texts := readTexts(t, "testdata/english.jsonl")
	if len(texts) != 80 {
		t.Fatalf("%d texts, want 80", len(texts))
	}
	for _, text := range texts {
		for _, text := range []string{text, strings.ToUpper(text), strings.ToLower(text)} {
			if got := d.Detect([]byte(text)); got != english {
				t.Errorf("%q is English, got %q", text, got)
			}
		}
	}
	for _, l := range readList(t, "testdata/reviews.tsv") {
		got := d.Detect([]byte(l.text))
		if len(l.text) >= 40 && (l.code == english) != (got == english) {
			t.Errorf("%q is %q, got %q", l.text, l.code, got)
		}
	}
}

// TestAlike checks that changes outside the words do not change the language.
func TestAlike(t *testing.T) {
	d := newDetectorOrFail(t)
	for _, l := range readList(t, "testdata/reviews.tsv") {
		want := d.Detect([]byte(l.text))
		for _, alike := range []string{
			"10/10 " + l.text, l.text + " 😀👍🏽", "\n\t" + l.text + "\r\n", "☆☆☆ " + l.text + " ☆☆☆", "\xff\xfe " + l.text + " \x80",
			strings.Repeat("░▒▓\n", 500) + l.text, l.text + " https://example.org/watch?v=eine_der_das", "http://a.example " + l.text,
			l.text + "\nwww.example.com", strings.ReplaceAll(l.text, " ", "  "),
		} {
			if got := d.Detect([]byte(alike)); got != want {
				t.Errorf("%q is %q, but %q is %q", l.text, want, alike, got)
			}
		}
	}
}
