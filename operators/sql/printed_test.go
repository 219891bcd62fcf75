package sql

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var (
	texts   = flag.String("texts", "", "a file of statements, each a JSON text on a line, to print beside those of the tests")
	printed = flag.String("printed", "", "the file to write statements to, each a line of JSON: as it was written and as it prints")
)

// TestWritePrinted writes statements and how they print, for another parser to hold
// one against the other.
func TestWritePrinted(t *testing.T) {
	if *printed == "" {
		t.Skip("nobody asks for it")
	}
	all := append([]string(nil), statements...)
	for _, pair := range written {
		all = append(all, pair[0])
	}
	if *texts != "" {
		f, err := os.Open(*texts)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var text string
			if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
	}
	out, err := os.Create(*printed)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewEncoder(out)
	for _, text := range all {
		st, err := Parse(text)
		if err != nil {
			continue // which other tests are about
		}
		if err := lines.Encode([2]string{text, st.String()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
