package expr

import (
	"strings"
	"testing"

	"analyzer/columnar"
)

// TestPatternsAreBounded holds what is checked of patterns before a plan is run.
func TestPatternsAreBounded(t *testing.T) {
	long := Str(strings.Repeat("a", maxPattern+1))
	for want, e := range map[string]*Expr{
		"regular expression of 10001 bytes":  Call(OpMatch, Col("s"), long),
		"steps; 10000 are possible":          Call(OpRegexpReplace, Col("s"), Str(strings.Repeat("a{1000}", 11)), Str(""), Bool(true)),
		"invalid repeat count":               Call(OpRegexpExtract, Col("s"), Str("a{1001}"), Int(0)),
		"missing closing )":                  Call(OpMatch, Col("s"), Str("(a")),
		"like: a pattern of 10001 bytes":     Like(Col("s"), long.Value.Text, ""),
		"strftime: a pattern of 10001 bytes": Call(OpStrftime, Col("t"), long),
	} {
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := CheckRegexp(strings.Repeat("a{1000}", 11), 0); err == nil {
		t.Error("what is known to be too large is compiled")
	}
}

// TestTextsAreBounded evaluates what makes much text of little.
func TestTextsAreBounded(t *testing.T) {
	s := columnar.Schema{{Name: "s", Type: columnar.Text}, {Name: "d", Type: columnar.Timestamp}}
	texts := []*columnar.Vector{
		vectorOf(columnar.Text, []datum{strings.Repeat("a", 400<<10)}, false),
		vectorOf(columnar.Timestamp, []datum{num(0)}, false),
	}
	doubled, long := Col("s"), Col("s")
	for i := range 8 {
		if doubled = Call(OpConcat, doubled, doubled); i == 5 {
			long = doubled // 25 MiB
		}
	}
	for name, e := range map[string]*Expr{
		"concat":  doubled,
		"split":   Call("string_split", long, Str("")),
		"parts":   Call("string_split", long, Str("a")),
		"replace": Call("replace", Col("s"), Str("a"), Str(strings.Repeat("b", 1000))),
		"regexp":  Call(OpRegexpReplace, Col("s"), Str("a"), Str(strings.Repeat("b", 1000)), Bool(true)),
		"groups":  Call(OpRegexpReplace, Col("s"), Str("(a*)"), Str(strings.Repeat(`\1`, 1000)), Bool(true)),
	} {
		if _, err := mustCompile(t, e, s).Eval(texts, 1); err == nil || !strings.Contains(err.Error(), "more than 64 MiB of text") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	places := Call(OpRegexpReplace, Col("s"), Str("(b?)(c?)"), Str(""), Bool(true))
	if _, err := mustCompile(t, places, s).Eval(texts, 1); err == nil || !strings.Contains(err.Error(), "places to replace") {
		t.Errorf("places: error %v", err)
	}
	large := Call("replace", Str(strings.Repeat("a", 1000)), Str("a"), Str(strings.Repeat("b", 1000)))
	if got := large.Fold(); got.Op != "replace" {
		t.Errorf("%d bytes take the place of what makes them", len(got.Value.Text))
	}
}
