package sniff_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
)

// The beginning of a file is read once for its format, once for each dialect that may explain it, and once for
// samples. A delimiter that does not occur explains nothing.
func TestDelimitersThatOccurNowhere(t *testing.T) {
	for _, tt := range []struct {
		name, row string
		opened    int
	}{
		{"commas", "%d,x,2.5\n", 3},
		{"semicolons", "%d;x;2.5\n", 4}, // commas come first
		{"one column", "%d\n", 3},
		{"another delimiter in texts", "%d,x;y,2.5\n", 4},
	} {
		var text strings.Builder
		for i := range 100 {
			fmt.Fprintf(&text, tt.row, i)
		}
		open, opened := opener(t, text.String()), 0
		_, err := sniff.Look(t.Context(), func() (vfs.File, error) { opened++; return open(0) }, sniff.Given{})
		if err != nil || opened != tt.opened {
			t.Errorf("%s: opened %d times instead of %d: %v", tt.name, opened, tt.opened, err)
		}
	}
}
