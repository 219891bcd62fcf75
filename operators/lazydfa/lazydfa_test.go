package lazydfa

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

func matcherOf(tb testing.TB, pattern string) *Matcher {
	tb.Helper()
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		tb.Fatal(err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		tb.Fatal(err)
	}
	return New(prog)
}

var atoms = []string{
	"a", "b", "love", "hate", "é", ".", `\w`, `\W`, `\d`, `\s`, "[a-c]", "[^a]", "[é-ü]", `\pL`, "(?i:ab)", "(?i:k)", "(?i:é)",
	"x", "-", " ", `\b`, `\B`, "^", "$", "(?m:^)", "(?m:$)", `\z`, "(?s:.)", "(?:ab|cd)", "", `\x{10ffff}`, "\ufffd",
}

func randomPattern(rng *rand.Rand, depth int) string {
	if depth == 0 || rng.IntN(4) == 0 {
		return atoms[rng.IntN(len(atoms))]
	}
	switch rng.IntN(5) {
	case 0:
		return "(" + randomPattern(rng, depth-1) + "|" + randomPattern(rng, depth-1) + ")"
	case 1:
		return "(?:" + randomPattern(rng, depth-1) + ")" + []string{"*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}"}[rng.IntN(8)]
	case 2:
		return atoms[rng.IntN(len(atoms))] + atoms[rng.IntN(len(atoms))]
	}
	return randomPattern(rng, depth-1) + randomPattern(rng, depth-1)
}

func randomText(rng *rand.Rand) string {
	parts := []string{"a", "b", "c", "love", "hate", "é", "É", "ü", " ", "-", "x", "1", "\n", "AB", "cd", "😀", "\xff", "\u212a", "_", "\U0010ffff", "\xe2\x82"}
	var text strings.Builder
	for range rng.IntN(12) {
		text.WriteString(parts[rng.IntN(len(parts))])
	}
	return text.String()
}

// A matcher says what package regexp says, of the same text again as well.
func TestAgainstRegexp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		pattern := randomPattern(rng, 4)
		re, err := regexp.Compile(pattern)
		if err != nil {
			continue // such as a repetition of one
		}
		m := matcherOf(t, pattern)
		for range 20 {
			text := randomText(rng)
			for range 2 {
				begin, known := m.Match([]byte(text))
				if known && (begin >= 0) != re.MatchString(text) {
					t.Fatalf("%q matches %q: %d", pattern, text, begin)
				}
				if begin < 0 {
					continue
				}
				want, got := re.FindStringSubmatchIndex(text), re.FindStringSubmatchIndex(text[begin:])
				for i := range got {
					if got[i] >= 0 {
						got[i] += begin
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%q in %q: %v from %d on, not %v", pattern, text, got, begin, want)
				}
			}
		}
		if m.gaveUp {
			t.Fatalf("%q takes more than %d states", pattern, len(m.states))
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("(a|b)*c$", "abc")
	f.Add(`\bé+`, "aé é")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 100 {
			return
		}
		if got, known := matcherOf(t, pattern).Match([]byte(text)); known && (got >= 0) != re.MatchString(text) {
			t.Errorf("%q matches %q: %d", pattern, text, got)
		}
	})
}

// An expression of exponentially many states does not take more than its share of memory.
func TestGivesUp(t *testing.T) {
	m, rng := matcherOf(t, "(a|b)*a(a|b){14}c"), rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 1<<16)
	for i := range text {
		text[i] = "ab"[rng.IntN(2)]
	}
	if _, known := m.Match(text); known {
		t.Error("it knows the answer")
	}
	if size := 4*(m.insts+len(m.moves)) + 64*len(m.states); size > Size {
		t.Errorf("it takes %d bytes", size)
	}
	if begin, known := m.Match([]byte("c")); begin >= 0 || known {
		t.Error("it makes states again")
	}
}

func BenchmarkMatch(b *testing.B) {
	text := []byte(strings.Repeat("the story of it was wonderful, and I read it again – ", 20))
	for _, pattern := range []string{"love|hate", "refund(ed)?|returned", `(\w+) book`, `\d{3}-\d{4}`, "^x", "(?i)never again"} {
		m, re := matcherOf(b, pattern), regexp.MustCompile(pattern)
		b.Run("lazydfa/"+pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				m.Match(text)
			}
		})
		b.Run("regexp/"+pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				re.Match(text)
			}
		})
	}
}
