package bind_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/sql"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// TestMistakes holds what is said of wrong statements, each with its place and what to do
// about it: testdata/mistakes.sql has one on each line. There is one for each kind of
// mistake that the parser and the binder know.
func TestMistakes(t *testing.T) {
	statements, err := os.ReadFile("testdata/mistakes.sql")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for text := range strings.Lines(string(statements)) {
		text = strings.NewReplacer("\n", "", `\n`, "\n", `\x00`, "\x00", `\xff`, "\xff", `\rows`, strings.Repeat("(1), ", 500)+"(1)", `\columns`, strings.Repeat("f, ", 5000)+"f", `\plus`, strings.Repeat("i + ", 5001)+"1", `\deep`, strings.Repeat("i + ", 4100)+"1").Replace(text)
		if err := mistakeOf(text); err == nil {
			t.Errorf("%s: nothing is wrong", text)
		} else {
			var wrong *sql.Error
			if !errors.As(err, &wrong) {
				t.Fatalf("%s: %v", text, err)
			}
			fmt.Fprintf(&got, "%v\n%s\n\n", sql.Show(text, err), wrong.Hint)
		}
	}
	const file = "testdata/mistakes.golden"
	if *rewrite {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s differs (run with -rewrite to accept): %v", file, err)
	}
	// Binding an aggregate refuses its types before a window can.
	const earlier = ".+ of .+ in windows are not supported"
	for at, kind := range kindsOfMistakes(t, "../scalar", "../fileoptions", ".") {
		if kind != earlier && !regexp.MustCompile(kind).Match(got.Bytes()) {
			t.Errorf("%s: no statement in testdata/mistakes.sql is wrong in this way: %s", at, kind)
		}
	}
}

func mistakeOf(text string) error {
	st, err := sql.Parse(nil, text)
	if err != nil {
		return err
	}
	if _, err := fileoptions.CopyOptions(st); err != nil {
		return err
	}
	c, _ := catalog()
	c.Types = map[string]columnar.Type{"since": columnar.Date}
	if strings.HasPrefix(text, "/* without tables */") {
		c.Nothing, c.Tables = nil, nil
	}
	_, err = planOf(nil, st.Query, c, bind.Params{"who": "007", "since": "never"})
	return err
}

var verbs = regexp.MustCompile(`%%|%[a-z]`)

// kindsOfMistakes returns, by place, what is said of each kind of mistake that the sources
// in some directories make, as regular expressions.
func kindsOfMistakes(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	kinds := make(map[string]string)
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "tables.go" { // which is of data sets
				continue
			}
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if kind := kindOfMistake(call); kind != "" {
						kinds[set.Position(call.Pos()).String()] = kind
					}
				}
				return true
			})
		}
	}
	return kinds
}

// kindOfMistake returns what a call says of a mistake, "" for another call.
func kindOfMistake(call *ast.CallExpr) string {
	var name string
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	switch {
	case name == "Wrong" && len(call.Args) > 2:
		return said(call.Args[2])
	case name == "Unsupported" && len(call.Args) == 3:
		return said(call.Args[2]) + " are not supported"
	case name == "unexpected" && len(call.Args) == 1:
		return "s where " + said(call.Args[0]) + " should be"
	}
	return ""
}

// said is a regular expression of what an expression can say.
func said(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return ".*"
		}
		var out strings.Builder
		for {
			at := verbs.FindStringIndex(text)
			if at == nil {
				return out.String() + regexp.QuoteMeta(text)
			}
			out.WriteString(regexp.QuoteMeta(text[:at[0]]) + ".+")
			text = text[at[1]:]
		}
	case *ast.BinaryExpr:
		return said(e.X) + said(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return said(e.Args[0])
		}
	}
	return ".+"
}
