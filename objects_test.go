package analyzer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// mostMethods bounds the methods of a type, so that nobody has to know everything to change one thing.
const mostMethods = 40

// TestObjectsAreSmall counts the methods of the types that lead from the text of a statement to
// its answer. The parser has one for each part of the grammar.
func TestObjectsAreSmall(t *testing.T) {
	for _, dir := range []string{
		"operators/query/bind", "operators/query/scalar", "operators/query/fileoptions", "operators/query/plan",
		"operators/query/rules", "operators/query/physical", "compose/session", "cmd/analyzer",
	} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files: %v", dir, err)
		}
		methods := make(map[string]int)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range tree.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
					methods[receiver(f.Recv.List[0].Type)]++
				}
			}
		}
		for name, n := range methods {
			if n > mostMethods {
				t.Errorf("%s.%s has %d methods, more than %d", dir, name, n, mostMethods)
			}
		}
	}
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
