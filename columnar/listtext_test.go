package columnar_test

import (
	"testing"

	"analyzer/columnar"
)

// TestListText holds lists as texts to what DuckDB 1.5.6 casts them to.
func TestListText(t *testing.T) {
	items := []string{
		"a", "b c", " d", "e,f", "", "NULL", "null", `x"y`, "x'y", "[z", "z]", "{", "}", "(", ")", ":", "=", "1", `a\b`, "a\nb",
		`a\,b`, `a'\`, "''''''",
	}
	v := columnar.NewVector(columnar.ListOf(columnar.TextList))
	for _, item := range items {
		v.Child.Child.AppendBytes([]byte(item))
	}
	v.Child.Child.AppendNull()
	v.Child.EndList()
	v.Child.AppendNull()
	v.EndList()
	want := `[[a, b c, ' d', 'e,f', '', 'NULL', 'null', 'x"y', 'x\'y', '[z', 'z]', '{', '}', '(', ')', ':', '=', 1, a\b, a` + "\n" + `b, ` +
		`'a\\,b', 'a\'\\', '\'\'\'\'\'\'', NULL], NULL]`
	if got := string(v.AppendText(nil, 0)); got != want {
		t.Errorf("the text is\n%s, want\n%s", got, want)
	}
}
