package analyzer_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// forOthers returns the functions that only tests name here: those that programs that embed the
// module may call, those that libraries call, and one that nothing outside its package can replace.
func forOthers() []string {
	return []string{
		"RunOn",  // answers on a cluster (compose/session)
		"Codes",  // all that the model of languages can find (operators/language)
		"Refuse", // a claim for memory, in the midst of a run (columnar/budget)
		"ListActions", "MarshalJSON", "NotifyJoin", "NotifyLeave",
	}
}

// TestNothingIsForTestsAlone checks that programs, too, use each exported function of their
// packages that tests use. What serves tests belongs into a test, or into a package for tests such
// as columnar/vfs/vfstest. Functions are known by their names, so it misses some.
func TestNothingIsForTestsAlone(t *testing.T) {
	all := allSources(t)
	shipped := packagesOfPrograms(all)
	exported := make(map[string]string) // the file of each function
	usedByPrograms, usedByTests := make(map[string]bool), make(map[string]bool)
	for _, s := range all {
		used := usedByTests
		if !s.test && shipped[s.dir] {
			used = usedByPrograms
			for _, d := range s.file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
					exported[f.Name.Name] = s.name
				}
			}
		}
		addNames(used, s.file)
	}
	for name, file := range exported {
		if usedByTests[name] && !usedByPrograms[name] && !slices.Contains(forOthers(), name) {
			t.Errorf("only tests use %s (%s)", name, file)
		}
	}
}

// packagesOfPrograms returns the directories of all programs, and of what they import.
func packagesOfPrograms(all []source) map[string]bool {
	imports := make(map[string][]string)
	var todo []string
	for _, s := range all {
		switch {
		case s.test:
		case s.file.Name.Name == "main":
			todo = append(todo, s.dir)
			fallthrough
		default:
			imports[s.dir] = append(imports[s.dir], s.imports()...)
		}
	}
	found := make(map[string]bool)
	for len(todo) > 0 {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if found[dir] {
			continue
		}
		found[dir] = true
		for _, name := range imports[dir] {
			if ours, ok := strings.CutPrefix(name, module+"/"); ok {
				todo = append(todo, ours)
			}
		}
	}
	return found
}

// addNames adds the names in a file, besides those of the functions that it declares.
func addNames(to map[string]bool, file *ast.File) {
	declares := make(map[*ast.Ident]bool)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			declares[f.Name] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !declares[id] {
			to[id.Name] = true
		}
		return true
	})
}
