package expr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
)

// patternCalls are calls of the functions that take patterns, by their text and pattern.
var patternCalls = map[string]struct {
	of       func(text, pattern *Expr) *Expr
	patterns []string // the last one is none
}{
	"like":    {func(s, p *Expr) *Expr { return Call(OpLike, s, p, Str("$")) }, []string{"a%", "%b_", "a$%", "", "x$"}},
	"match":   {func(s, p *Expr) *Expr { return Call(OpMatch, s, p) }, []string{"^a", "[0-9]+", "", "("}},
	"glob":    {func(s, p *Expr) *Expr { return Call(OpMatch, s, Call(OpGlobbed, p)) }, []string{"a*", "[!a]b?", "x", "[", "[z-a]*", "[!z-a]*", "[]a]*", "[^a]*", "[a-]", strings.Repeat("x", maxPattern+1)}},
	"replace": {func(s, p *Expr) *Expr { return Call(OpRegexpReplace, s, p, Str(`<\1>`), Bool(true)) }, []string{"(a)", "([0-9])[a-z]?", "("}},
	"by":      {func(s, p *Expr) *Expr { return Call(OpRegexpReplace, s, Str("([ab])"), p, Bool(true)) }, []string{"", `\1\1`, "x", `\2`}},
	"both":    {func(s, p *Expr) *Expr { return Call(OpRegexpReplace, s, p, p, Bool(false)) }, []string{"a", "b", "[1"}},
	"extract": {func(s, p *Expr) *Expr { return Call(OpRegexpExtract, s, p, Int(1)) }, []string{"(a)", "([0-9]+)b?", "a|()", "("}},
	"all":     {func(s, p *Expr) *Expr { return Call(OpRegexpAll, s, p, Int(1)) }, []string{"(a)", "([0-9])|b", "a"}},
	"split":   {func(s, p *Expr) *Expr { return Call(OpRegexpSplit, s, p) }, []string{"a", "[0-9]+", "", "*"}},
	"written": {func(s, p *Expr) *Expr {
		return Call(OpStrftime, Call(OpToTimestamp, Call(OpAddDays, Date(0), Call(OpLength, s))), p)
	}, []string{"%d.%m.", "%j", "%Q"}},
	"printf": {func(s, p *Expr) *Expr { return Call(OpPrintf, p, s, s) }, []string{"%s!", "<%5s%%>", "", "%d"}},
	"format": {func(s, p *Expr) *Expr { return Call(OpFormat, p, s, s) }, []string{"{}{{", "{0:>4}{0}", "{} {}"}},
	"read":   {func(s, p *Expr) *Expr { return Call(OpTryStrptime, s, p) }, []string{"a%d%S", "%Y", ""}},
}

// TestIsLike compares random patterns that are taken apart with those that are not.
func TestIsLike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(letters []string, most int) []byte {
		var text []byte
		for range rng.IntN(most) {
			text = append(text, letters[rng.IntN(len(letters))]...)
		}
		return text
	}
	matches := 0
	for range 200_000 {
		text, pattern := random([]string{"a", "b", "é", "è", "日"}, 8), random([]string{"a", "b", "é", "日", "_", "%", "%"}, 6)
		parts, _, err := likeParts(string(pattern), "")
		if err != nil {
			t.Fatal(err)
		}
		got, want := isLike(text, pattern), parts.fit(text)
		if got != want {
			t.Fatalf("%q LIKE %q is %t, want %t", text, pattern, got, want)
		}
		if got {
			matches++
		}
	}
	if matches < 10_000 {
		t.Fatalf("%d texts matched", matches)
	}
}

// TestPatternsOfRows are the same as literals, whatever the batches and however often they are forgotten.
func TestPatternsOfRows(t *testing.T) {
	schema := columnar.Schema{{Name: "s", Type: columnar.Text}, {Name: "p", Type: columnar.Text}}
	texts := []datum{"a1b2", "ab", nil, "", "b", "a%", "aab12a7", "2020"}
	for name, c := range patternCalls {
		var s, p []datum
		var want []string
		for range 3 {
			for i, text := range texts {
				for j := range len(c.patterns) - 1 {
					pattern := c.patterns[(i+j)%(len(c.patterns)-1)]
					s, p = append(s, text, text), append(p, pattern, nil)
					literal := mustCompile(t, c.of(Col("s"), Str(pattern)), schema[:1])
					v, err := literal.Eval([]*columnar.Vector{vectorOf(columnar.Text, []datum{text}, false)}, 1)
					if err != nil {
						t.Fatalf("%s %q %v: %v", name, pattern, text, err)
					}
					want = append(want, shown(v, 0), "null")
				}
			}
		}
		for _, size := range []int{1, 7, len(s)} {
			ev := mustCompile(t, c.of(Col("s"), Col("p")), schema)
			for from := 0; from < len(s); from += size {
				to := min(from+size, len(s))
				v, err := ev.Eval([]*columnar.Vector{vectorOf(columnar.Text, s[from:to], false), vectorOf(columnar.Text, p[from:to], false)}, to-from)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for i := range to - from {
					if got := shown(v, i); got != want[from+i] {
						t.Errorf("%s in batches of %d: row %d, of %v by %v, is %s and not %s", name, size, from+i, s[from+i], p[from+i], got, want[from+i])
					}
				}
			}
		}
	}
}

func shown(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "null"
	}
	return fmt.Sprintf("%q", v.Printed(i))
}

// TestPatternsOfRowsThatAreNone are errors of the rows that have them, and null for a try.
func TestPatternsOfRowsThatAreNone(t *testing.T) {
	schema := columnar.Schema{{Name: "s", Type: columnar.Text}, {Name: "p", Type: columnar.Text}}
	for name, c := range patternCalls {
		wrong := c.patterns[len(c.patterns)-1]
		call := c.of(Col("s"), Col("p"))
		if name == "read" {
			call, wrong = Call(OpTryStrptime, Col("s"), Col("p")), "%Q"
		}
		eval := func(e *Expr, s, p datum) (*columnar.Vector, error) {
			return mustCompile(t, e, schema).Eval([]*columnar.Vector{vectorOf(columnar.Text, []datum{s}, false), vectorOf(columnar.Text, []datum{p}, false)}, 1)
		}
		v, err := eval(call, "a1", wrong)
		switch {
		case name == "read" && (err != nil || !v.IsNull(0)):
			t.Errorf("%s by %q is %s, error %v", name, wrong, shown(v, 0), err)
		case name != "read" && name != "by" && name != "all" && !errors.Is(err, ErrPattern), name != "read" && (err == nil || !call.CanFail()):
			t.Errorf("%s by %q is no error, or is said never to fail", name, wrong)
		}
		if v, err := eval(call, nil, wrong); err != nil || !v.IsNull(0) {
			t.Errorf("%s of null by %q is an error: %v", name, wrong, err)
		}
		if v, err := eval(Call(OpTry, call), "a1", wrong); err != nil || !v.IsNull(0) {
			t.Errorf("try of %s by %q is an error: %v", name, wrong, err)
		}
	}
}

// TestPatternsAreForgotten bounds what is remembered of many and of large ones.
func TestPatternsAreForgotten(t *testing.T) {
	for _, length := range []int{1, 5000} {
		b := &build{args: []operand{{}, {}}}
		regexps, err := patternsOf(b, 1, compileRegexp)
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for i := range 3 * mostPatterns {
			pattern := fmt.Appendf(nil, "^%d%s$", i, strings.Repeat("x", length))
			if err := regexps.find(pattern); err != nil || regexps.made.String() != string(pattern) {
				t.Fatalf("%s is %v, error %v", pattern, regexps.made, err)
			}
			if len(regexps.known) > mostPatterns || regexps.size > mostPatternBytes {
				t.Fatalf("%d patterns of %d bytes are remembered", len(regexps.known), regexps.size)
			}
			most = max(most, len(regexps.known))
			if length > 1 && i == 100 {
				break
			}
		}
		if length == 1 && most < mostPatterns || length > 1 && most > 10 {
			t.Errorf("%d patterns of %d bytes are remembered", most, length)
		}
	}
}

// TestContaining compares a search in all texts of a batch with one in each of them.
func TestContaining(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		texts := make([]datum, rng.IntN(40))
		for i := range texts {
			if rng.IntN(5) == 0 {
				continue
			}
			text := make([]byte, rng.IntN(6))
			for k := range text {
				text[k] = "ab"[rng.IntN(2)]
			}
			texts[i] = string(text)
		}
		part := []string{"a", "ab", "aba", "bbbb", "abaab"}[rng.IntN(5)]
		all := vectorOf(columnar.Text, texts, false)
		for _, lo := range []int{0, len(texts) / 3} {
			v, err := mustCompile(t, Like(Col("s"), "%"+part+"%", ""), columnar.Schema{{Name: "s", Type: columnar.Text}}).Eval([]*columnar.Vector{all.Slice(lo, len(texts))}, len(texts)-lo)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts[lo:] {
				want := "null"
				if text != nil {
					want = fmt.Sprintf("%q", fmt.Sprint(strings.Contains(text.(string), part)))
				}
				if got := shown(v, i); got != want {
					t.Fatalf("%q in row %d of %q: %s, want %s", part, i, texts[lo:], got, want)
				}
			}
		}
	}
}
