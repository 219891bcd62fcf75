package session_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPageOfEmbedding holds the code and the output on docs/embed.md to the examples.
func TestPageOfEmbedding(t *testing.T) {
	page, err := os.ReadFile("../../docs/embed.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(go|text)\n(.*?)```\n").FindAllSubmatch(page, -1)
	if len(blocks) < 6 {
		t.Errorf("the page has %d blocks", len(blocks))
	}
	for _, block := range blocks {
		before := "\t"
		if string(block[1]) == "text" {
			before = "\t// "
		}
		shown := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(string(block[2]), before+"$1")
		if !strings.Contains(string(examples), shown) {
			t.Errorf("no example has\n%s", shown)
		}
	}
}
