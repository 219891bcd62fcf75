package sql

import (
	"bufio"
	"encoding/json"
	"flag"
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	texts   = flag.String("texts", "", "a file of statements, each a JSON text on a line, to print beside those of the repository")
	printed = flag.String("printed", "", "the file to write statements to, each a line of JSON: as it was written and as it prints")
)

// TestWritePrinted writes all statements of the repository and how they print, for
// another parser to hold one against the other.
func TestWritePrinted(t *testing.T) {
	if *printed == "" {
		t.Skip("nobody asks for it")
	}
	all := statementsBelow(t, "../..")
	if *texts != "" {
		f, err := os.Open(*texts)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		lines := bufio.NewScanner(f)
		for lines.Buffer(nil, 1<<20); lines.Scan(); {
			var text string
			if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	out, err := os.Create(*printed)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	done := make(map[string]bool)
	for _, text := range all {
		st, err := Parse(nil, text)
		if err != nil || done[text] {
			continue // other tests are about what is no statement
		}
		done[text] = true
		if err := lines.Encode([2]string{text, st.String()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if len(done) < 1000 {
		t.Errorf("found %d statements in the repository", len(done))
	}
}

const begins = `(?:\(*SELECT|FROM|WITH|VALUES|DESCRIBE|SUMMARIZE|EXPLAIN|COPY|CREATE VIEW|select|from|with)\b`

var (
	// A statement in a file of text stands in double quotes, or in lines up to an empty one.
	inQuotes = regexp.MustCompile(`"(` + begins + `[^"]*)"`)
	inLines  = regexp.MustCompile(`(?m)^[ \t]*(?:analyzer> )?(` + begins + `(?:.|\n[ \t]*[^ \t\n])*)`)
	inJSON   = regexp.MustCompile(`"text":("(?:[^"\\]|\\.)*")`)
)

// statementsBelow returns the texts of all files below a directory that may be
// statements: those of Go's texts, files of SQL, recorded ones, and pages.
func statementsBelow(t *testing.T, dir string) (all []string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules" || path == filepath.Join(dir, "out")):
			return fs.SkipDir
		case e.IsDir():
			return nil
		}
		found, err := statementsOf(path)
		all = append(all, found...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func statementsOf(path string) (all []string, err error) {
	ext := filepath.Ext(path)
	switch ext {
	case ".go":
		return textsOfGo(path)
	case ".sql", ".jsonl", ".md", ".txtar", ".golden":
	default:
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := string(content)
	switch ext {
	case ".sql":
		statements, rest := Split(text)
		return append(append(strings.Split(text, "\n"), statements...), rest), nil
	case ".jsonl":
		for _, m := range inJSON.FindAllStringSubmatch(text, -1) {
			var one string
			if err := json.Unmarshal([]byte(m[1]), &one); err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	}
	for _, m := range append(inQuotes.FindAllStringSubmatch(text, -1), inLines.FindAllStringSubmatch(text, -1)...) {
		whole, _, _ := strings.Cut(m[1], ";")
		first, _, _ := strings.Cut(m[1], "\n")
		all = append(all, m[1], whole, first)
	}
	return all, nil
}

// textsOfGo returns the texts in a file of Go, without the marks of mistakes.
func textsOfGo(path string) (all []string, err error) {
	f, err := goparser.ParseFile(gotoken.NewFileSet(), path, nil, goparser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	marks := strings.NewReplacer("‹", "", "›", "")
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == gotoken.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err == nil {
				all = append(all, marks.Replace(text))
			}
		}
		return true
	})
	return all, nil
}
