package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRecipes answers the statements on the page of recipes, and holds what stands below
// each to it; -update writes it.
func TestRecipes(t *testing.T) {
	page, err := filepath.Abs("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../datasets/catalog/movies/samples")
	recipe := regexp.MustCompile("(?s)```sql\n(.*?)```\n(\n```\n.*?```\n)?")
	answered := recipe.ReplaceAllFunc(text, func(block []byte) []byte {
		statement := recipe.FindSubmatch(block)[1]
		return append(append([]byte("```sql\n"), statement...), "```\n\n```\n"+answerTo(t, string(statement))+"```\n"...)
	})
	if bytes.Equal(answered, text) {
		return
	}
	if !*update {
		t.Fatalf("%s says something else than the program; go test ./cmd/analyzer -run Recipes -update mends it", page)
	}
	if err := os.WriteFile(page, answered, 0o644); err != nil {
		t.Fatal(err)
	}
}

// answerTo is what a statement prints, below the name of the answer.
func answerTo(t *testing.T, statement string) string {
	t.Helper()
	var out bytes.Buffer
	p, _ := newProgram(t.Context())
	p.stdout, p.stderr = &out, io.Discard
	if err := p.runLine(t.Context(), []string{"analyzer", "sql", "--quiet", "--format", "table", statement}); err != nil {
		t.Fatalf("%s\n%v", statement, err)
	}
	return strings.TrimPrefix(out.String(), "answer\n\n")
}
