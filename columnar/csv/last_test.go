package csv

import (
	"testing"

	"analyzer/columnar"
)

// TestLast reads lines of which the last field has all that follows, blanks too.
func TestLast(t *testing.T) {
	for text, want := range map[string]string{
		"a b c\n1  2 x  y z \n":   "a|b|c;1|2|x  y z",
		" 1 2\n3 4\t5 6 7\r\n\n8": "1|2;3|4|5 6 7;;8",
	} {
		d := columnar.Dialect{Delimiter: columnar.Blanks, Last: 3, Headless: true}
		if got := fieldsOf(t, text, d); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
}
