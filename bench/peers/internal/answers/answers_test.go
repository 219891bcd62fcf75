package answers

import (
	"strings"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	tests := map[string]string{
		"cut off":           `{"q1": {"columns": ["a"], "rows": [[1]`,
		"text after":        `{"q1": {"columns": ["a"], "rows": [[1]]}} {}`,
		"narrow row":        `{"q1": {"columns": ["a", "b"], "rows": [[1]]}}`,
		"wide row":          `{"q1": {"columns": ["a"], "rows": [[1, 2]]}}`,
		"rows not a list":   `{"q1": {"columns": ["a"], "rows": 3}}`,
		"nothing":           ``,
		"not an object":     `[1]`,
		"table of a number": `{"q1": 7}`,
	}
	for name, text := range tests {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: accepted %s", name, text)
		}
	}
}

func TestRename(t *testing.T) {
	a := Answers{"q4": {Columns: []string{"n"}}}
	a.Rename("q4", "q4_any_language")
	a.Rename("q9", "q10")
	if len(a) != 1 || a["q4_any_language"].Columns == nil {
		t.Errorf("after renaming: %v", a)
	}
}

// one makes answers of one query from its JSON table.
func one(t *testing.T, columns, rows string) Answers {
	t.Helper()
	a, err := Parse([]byte(`{"q1": {"columns": ` + columns + `, "rows": ` + rows + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCompareEqual(t *testing.T) {
	tests := map[string]struct{ columns, got, want string }{
		"same":                 {`["id", "title"]`, `[[1, "a"], [2, "b"]]`, `[[1, "a"], [2, "b"]]`},
		"no rows":              {`["id"]`, `[]`, `[]`},
		"whole and decimal":    {`["budget"]`, `[[120153886644]]`, `[[120153886644.0000]]`},
		"exponent":             {`["budget"]`, `[[1.5e3]]`, `[[1500]]`},
		"beyond float64":       {`["n"]`, `[[9007199254740993]]`, `[[9007199254740993.0]]`},
		"lists":                {`["genres"]`, `[[["Drama", "War"]]]`, `[[["Drama", "War"]]]`},
		"mean within a billi":  {`["mean_rating"]`, `[[3.3333333333333335]]`, `[[3.333333333333]]`},
		"ratio within a billi": {`["ratio"]`, `[[1000000000.1]]`, `[[1000000000.2]]`},
		"null and bool":        {`["a", "b"]`, `[[null, true]]`, `[[null, true]]`},
	}
	for name, tt := range tests {
		found := Compare(one(t, tt.columns, tt.got), one(t, tt.columns, tt.want), []string{"q1"})
		if len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestCompareDifferent(t *testing.T) {
	tests := map[string]struct{ columns, got, want, where string }{
		"number":             {`["id"]`, `[[1]]`, `[[2]]`, "row 1, id"},
		"last digit":         {`["n"]`, `[[9007199254740993]]`, `[[9007199254740992]]`, "row 1, n"},
		"sum off by a cent":  {`["budget"]`, `[[120153886644.01]]`, `[[120153886644]]`, "row 1, budget"},
		"no tolerance":       {`["reviews"]`, `[[1.0000000000001]]`, `[[1]]`, "row 1, reviews"},
		"mean too far":       {`["mean_score"]`, `[[4.50001]]`, `[[4.5]]`, "row 1, mean_score"},
		"mean and zero":      {`["mean_score"]`, `[[1e-12]]`, `[[0]]`, "row 1, mean_score"},
		"order of rows":      {`["id"]`, `[[2], [1]]`, `[[1], [2]]`, "row 1, id"},
		"order of a list":    {`["genres"]`, `[[["War", "Drama"]]]`, `[[["Drama", "War"]]]`, "row 1, genres"},
		"shorter list":       {`["genres"]`, `[[["War"]]]`, `[[["War", "Drama"]]]`, "row 1, genres"},
		"number as text":     {`["id"]`, `[["1"]]`, `[[1]]`, "row 1, id"},
		"text as number":     {`["id"]`, `[[1]]`, `[["1"]]`, "row 1, id"},
		"null for empty":     {`["title"]`, `[[null]]`, `[[""]]`, "row 1, title"},
		"space":              {`["title"]`, `[["a "]]`, `[["a"]]`, "row 1, title"},
		"row too many":       {`["id"]`, `[[1], [2]]`, `[[1]]`, "rows"},
		"row missing":        {`["id"]`, `[[1]]`, `[[1], [2]]`, "rows"},
		"bool":               {`["b"]`, `[[false]]`, `[[true]]`, "row 1, b"},
		"enormous exponents": {`["n"]`, `[[1e999999999]]`, `[[1e999999998]]`, "row 1, n"},
	}
	for name, tt := range tests {
		found := Compare(one(t, tt.columns, tt.got), one(t, tt.columns, tt.want), []string{"q1"})
		if len(found) == 0 {
			t.Errorf("%s: no difference between %s and %s", name, tt.got, tt.want)
		} else if found[0].Where != tt.where {
			t.Errorf("%s: difference at %q, want %q", name, found[0].Where, tt.where)
		}
	}
}

func TestCompareColumnsAndPresence(t *testing.T) {
	a := one(t, `["id", "title"]`, `[]`)
	if found := Compare(a, one(t, `["title", "id"]`, `[]`), []string{"q1"}); len(found) != 1 || found[0].Where != "columns" {
		t.Errorf("swapped columns: %v", found)
	}
	if found := Compare(a, a, []string{"q1", "q2"}); len(found) != 1 || found[0].Query != "q2" {
		t.Errorf("query that neither has: %v", found)
	}
	if found := Compare(Answers{}, a, []string{"q1"}); len(found) != 1 || found[0].Got != "none" {
		t.Errorf("query that one lacks: %v", found)
	}
}

func TestUnpairedRowIsShown(t *testing.T) {
	found := Compare(one(t, `["id"]`, `[[1]]`), one(t, `["id"]`, `[[1], [42]]`), []string{"q1"})
	last := found[len(found)-1].String()
	if !strings.Contains(last, "row 2") || !strings.Contains(last, "[42]") {
		t.Errorf("last difference %q does not show the missing row", last)
	}
}
