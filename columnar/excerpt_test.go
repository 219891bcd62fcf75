package columnar_test

import (
	"strings"
	"testing"

	"analyzer/columnar"
)

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"abcd", "abcd"},
		{"abcde", "abcd…"},
		{"äöüß", "äöüß"},
		{"äöüßx", "äöüß…"},
		{"a\xffb", "a\ufffdb"},
		{strings.Repeat("\U0001f600", 9), strings.Repeat("\U0001f600", 4) + "…"},
	} {
		if got := columnar.Excerpt(c.text, 4); got != c.want {
			t.Errorf("the excerpt of %q is %q, want %q", c.text, got, c.want)
		}
	}
}
