package sniff_test

import (
	"strings"
	"testing"
)

// A line drawn below names says where a file of any size is cut.
func TestCutLargeFiles(t *testing.T) {
	text := "id        name       amount\n--------- ---------- ------\n" + strings.Repeat("        1 Ann Miller   1.50\n       22 Bob Smith\n", 30_000)
	f, err := sniffed(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shape(f), "[10 11 6] id:int name:optional amount:decimal"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
