//go:build unix

package main

import "testing"

// What is pasted may arrive in pieces, cut anywhere.
func TestPastedTabs(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"a\t", "a\t"},
		{"a\t\t", "a\t\t"},
		{"a\tb", "a␉b"},
		{"a\t\tb\t", "a␉␉b\t"},
		{pasteBegin + "a\tb\t" + pasteEnd + "c\t", pasteBegin + "a␉b␉" + pasteEnd + "c\t"},
		{pasteBegin + "\t" + pasteEnd + pasteBegin + "\t\x1b[201\t", pasteBegin + "␉" + pasteEnd + pasteBegin + "␉\x1b[201␉"},
	} {
		if got := string(new(keyboard).replace([]byte(c.typed))); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.typed, got, c.want)
		}
	}
	typed := pasteBegin + "ü\t\tb" + pasteEnd + "c\t"
	for cut := range len(typed) {
		var k keyboard
		got := string(k.replace([]byte(typed[:cut]))) + string(k.replace([]byte(typed[cut:])))
		if want := pasteBegin + "ü␉␉b" + pasteEnd + "c\t"; got != want {
			t.Errorf("%q, cut at %d, becomes %q, want %q", typed, cut, got, want)
		}
	}
}
