package text

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"analyzer/datasets/generate/internal/draw"
)

func put(c *Cells, quote Quoting, s string) {
	c.Open(quote)
	c.B = append(c.B, s...)
	c.Close()
}

func TestCellsReadBackAsWritten(t *testing.T) {
	cell := rapid.StringOf(rapid.SampledFrom([]rune(`ab é",` + "\n\r"))).Filter(func(s string) bool {
		return !strings.Contains(s, "\r\n") // encoding/csv makes a line feed of it
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 2, 2), 1, 5).Draw(t, "rows")
		var c Cells
		for _, row := range rows {
			put(&c, Needed, row[0])
			put(&c, Always, row[1])
			put(&c, Never, "7")
			c.End()
		}
		got, err := csv.NewReader(bytes.NewReader(c.B)).ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", c.B, err)
		}
		for i, row := range rows {
			if got[i][0] != row[0] || got[i][1] != row[1] || got[i][2] != "7" {
				t.Fatalf("%q reads back as %q", row, got[i])
			}
		}
	})
}

func TestTextIsQuotedOnlyIfItMustBe(t *testing.T) {
	for in, want := range map[string]string{
		``: `,`, `plain`: `plain,`, `it's`: `it's,`, `a,b`: `"a,b",`, `say "hi"`: `"say ""hi""",`, `"`: `"""",`,
		"a\nb": "\"a\nb\",", "a\rb": "\"a\rb\",", ` led by a space`: ` led by a space,`,
	} {
		var c Cells
		put(&c, Needed, in)
		if string(c.B) != want {
			t.Errorf("%q became %q, want %q", in, c.B, want)
		}
	}
}

// The expectations are what Python 3 prints for repr of the string.
func TestPythonLiterals(t *testing.T) {
	for in, want := range map[string]string{
		`Drama`:              `'Drama'`,
		``:                   `''`,
		`Loew's`:             `"Loew's"`,
		`Film "Zenit"`:       `'Film "Zenit"'`,
		`O'Malley "Sky"`:     `'O\'Malley "Sky"'`,
		`a\b`:                `'a\\b'`,
		"Dr.\u00a0Smith":     `'Dr.\xa0Smith'`,
		"Málaga Ångström 日本": `'Málaga Ångström 日本'`,
	} {
		c := Cells{B: []byte("[" + in)}
		c.Python(1)
		if string(c.B) != "["+want {
			t.Errorf("%q became %s, want %s", in, c.B[1:], want)
		}
	}
}

func TestNumbers(t *testing.T) {
	var c Cells
	for _, number := range []func(){
		func() { c.Int(-3) }, func() { c.Fixed(45, 1) }, func() { c.Fixed(1909, 2) }, func() { c.Fixed(20_000_007, 6) },
	} {
		c.Open(Never)
		number()
		c.Close()
	}
	put(&c, Never, "")
	put(&c, Never, "")
	put(&c, Never, "x")
	c.End()
	if want := "-3,4.5,19.09,20.000007,,,x\n"; string(c.B) != want {
		t.Errorf("%q, want %q", c.B, want)
	}
}

func TestAppendPadded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, digits := rapid.IntRange(0, math.MaxInt32).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "digits")
		got := string(AppendPadded(nil, n, digits))
		if back, err := strconv.Atoi(got); err != nil || back != n || len(got) != max(digits, len(strconv.Itoa(n))) {
			t.Fatalf("%d with %d digits became %q", n, digits, got)
		}
	})
}

func lexicon(content string) *Lexicon {
	l := &Lexicon{sections: map[string][]string{}}
	l.parse(content)
	return l
}

func TestSectionsAreParsed(t *testing.T) {
	l := lexicon("# a comment\n[one]\na b\n\n[two] words\nx y_z\n  w\n[three] weighted\n2|p|q\n1|r\n")
	if got := strings.Join(l.List("one"), ";"); got != "a b" {
		t.Errorf("one: %q", got)
	}
	if got := strings.Join(l.List("two"), ";"); got != "x;y z;w" {
		t.Errorf("two: %q", got)
	}
	entries, odds := l.Weighted("three")
	if got := strings.Join(entries, ";"); got != "p|q;r" {
		t.Errorf("three: %q", got)
	}
	var src draw.Source
	src.Reset(1, 1)
	if k := odds.Pick(&src); k != 0 && k != 1 {
		t.Errorf("odds chose %d", k)
	}
	if err := l.Err(); err != nil {
		t.Error(err)
	}
}

func TestFaultyVocabularyIsReported(t *testing.T) {
	for name, use := range map[string]func(l *Lexicon){
		"missing section": func(l *Lexicon) { l.List("nowhere") },
		"missing slot":    func(l *Lexicon) { l.Phrases("slot") },
		"open brace":      func(l *Lexicon) { l.Phrases("brace") },
		"no weight":       func(l *Lexicon) { l.Weighted("slot") },
		"zero weight":     func(l *Lexicon) { l.Weighted("zero") },
	} {
		l := lexicon("[slot]\nthe {gone} thing\n[brace]\nthe {slot thing\n[zero] weighted\n0|x\n")
		use(l)
		if l.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPhrasesFillTheirPlaces(t *testing.T) {
	l := lexicon("[p]\n{a} and {b}\nonly text\n{a}\n[a] words\nx y\n[b] words\nz\n")
	p := l.Phrases("p")
	if err := l.Err(); err != nil || p.Len() != 3 {
		t.Fatal(p.Len(), err)
	}
	seen := map[string]bool{}
	var src draw.Source
	src.Reset(1, 2)
	for range 200 {
		seen[string(p.Append(nil, &src))] = true
	}
	for _, want := range []string{"x and z", "y and z", "only text", "x", "y"} {
		if !seen[want] {
			t.Errorf("never %q", want)
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("unexpected: %v", seen)
	}
}

func TestNumberedPhrasesDiffer(t *testing.T) {
	l := lexicon("[p]\n{a} of {b}\n{b}, {a}\n[a] words\nx y w\n[b] words\nz v\n")
	p := l.Phrases("p")
	if p.Combinations() != 12 {
		t.Fatalf("%d combinations", p.Combinations())
	}
	seen := map[string]uint64{}
	for n := range p.Combinations() {
		s := string(p.AppendNumbered(nil, n))
		if other, ok := seen[s]; ok {
			t.Errorf("%d and %d are both %q", n, other, s)
		}
		seen[s] = n
	}
}

func TestBuiltInVocabularyIsWhole(t *testing.T) {
	l := Load()
	for name, entries := range l.sections {
		for _, entry := range entries {
			if strings.Contains(entry, "{") {
				l.Phrases(name)
				break
			}
		}
	}
	if err := l.Err(); err != nil {
		t.Error(err)
	}
	// Titles are told apart by their words, so words must differ.
	for _, name := range []string{"book.adj", "book.noun", "book.topic", "book.title", "book.title.distributed"} {
		seen := map[string]bool{}
		for _, entry := range l.List(name) {
			if seen[entry] {
				t.Errorf("%s: %q stands twice", name, entry)
			}
			seen[entry] = true
		}
	}
}
