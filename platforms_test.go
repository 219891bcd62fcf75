package analyzer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// platforms have every system and processor that “make release” makes archives for, besides those of
// these tests. No file is for a pair of them.
func platforms() []string { return []string{"darwin/arm64", "freebsd/amd64", "windows/amd64"} }

// TestEveryPlatformCompiles checks the types of the whole program for each platform, and that functions
// without a body are in its assembly, in much less time than “make cross” takes, which builds it.
func TestEveryPlatformCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all packages for every platform")
	}
	for _, platform := range platforms() {
		t.Run(platform, func(t *testing.T) {
			system, processor, _ := strings.Cut(platform, "/")
			compiles(t, system, processor)
		})
	}
}

func compiles(t *testing.T, system, processor string) {
	ours := 0
	packages.Visit(load(t, system, processor, "./cmd/analyzer"), nil, func(p *packages.Package) {
		if !within(p.PkgPath, module) {
			return
		}
		ours++
		for _, e := range p.Errors {
			t.Error(e)
		}
		linked(t, p)
	})
	if ours < 50 {
		t.Errorf("only %d packages were checked", ours)
	}
}

// load reads packages as a platform has them, and their types.
func load(t *testing.T, system, processor, pattern string) []*packages.Package {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedModule,
		Env:        append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor),
		BuildFlags: []string{"-tags", "urfave_cli_no_docs,grpcnotrace,tinygo"},
		ParseFile: func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
			if err == nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
				withoutBodies(file)
			}
			return file, err
		},
	}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBigEndianIsRefused wants the compiler to refuse processors whose highest byte comes first, by name.
func TestBigEndianIsRefused(t *testing.T) {
	for _, p := range load(t, "linux", "s390x", "./columnar") {
		for _, e := range p.Errors {
			if strings.Contains(e.Msg, "highest_byte_comes_first") {
				return
			}
		}
	}
	t.Error("it compiles for big-endian machines")
}

// TestAssemblyHasATwin wants the comment above each function in assembly to name one in Go that does the same.
func TestAssemblyHasATwin(t *testing.T) {
	files, err := filepath.Glob("columnar/*/*.s")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		twins := functionsInGo(t, filepath.Dir(file))
		described := regexp.MustCompile(`(?m)^// func (\w+).*\n((?://.*\n)*)TEXT ·(\w+)\(`).FindAllSubmatch(text, -1)
		if want := strings.Count(string(text), "\nTEXT ·"); len(described) != want {
			t.Errorf("%s: of %d functions %d have a comment with their signature", file, want, len(described))
		}
		for _, d := range described {
			words := regexp.MustCompile(`[\w.]*\w`).FindAllString(string(d[2]), -1)
			if string(d[1]) != string(d[3]) || !slices.ContainsFunc(words, func(word string) bool { return twins[word] }) {
				t.Errorf("%s: the comment above %s names no function in Go that does the same", file, d[3])
			}
		}
	}
}

// functionsInGo returns the functions and methods of a package that have a body, and one of the standard library.
func functionsInGo(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{"utf8.Valid": true}
	for _, s := range allSources(t) {
		if s.dir != dir || s.test {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || f.Body == nil:
			case f.Recv == nil:
				found[f.Name.Name] = true
			default:
				found[strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")+"."+f.Name.Name] = true
			}
		}
	}
	return found
}

// linked wants every function of a package to have a body, in Go or in assembly: types are right
// without one, and only the linker would miss it.
func linked(t *testing.T, p *packages.Package) {
	t.Helper()
	var assembly strings.Builder
	for _, name := range p.OtherFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		assembly.Write(text)
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Body == nil && !strings.Contains(assembly.String(), "\nTEXT ·"+f.Name.Name+"(SB)") {
				t.Errorf("%s: %s has no body", p.Fset.Position(f.Pos()), f.Name.Name)
			}
		}
	}
}

// withoutBodies removes what functions do, which the types of their callers do not depend on.
func withoutBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
