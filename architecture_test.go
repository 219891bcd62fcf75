// Package analyzer_test checks that the module keeps to its architecture; see
// ARCHITECTURE.md.
package analyzer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "analyzer"

// rooms returns, for each room, the other rooms it may import from.
func rooms() map[string][]string {
	return map[string][]string{
		"process":   nil,
		"columnar":  nil,
		"operators": {"columnar"},
		"shuffle":   {"columnar", "process"},
		"datasets":  {"columnar", "operators"},
		"compose":   {"columnar", "process", "operators", "shuffle", "datasets"},
		"bench":     {"columnar", "process", "operators", "shuffle", "datasets", "compose"},
		"cmd":       {"columnar", "process", "operators", "shuffle", "datasets", "compose", "bench"},
	}
}

// tiers returns the packages of each room, from the lowest tier up. Each name stands for
// the package and all packages below it in the tree. A package imports only from tiers
// below its own. So do tests, which may also import testSupport.
func tiers() map[string][][]string {
	return map[string][][]string{
		"columnar": {
			{"columnar/budget", "columnar/vfs", "columnar/size", "columnar/number", "columnar/frame"},
			{"columnar"},
			{"columnar/stored", "columnar/jsontext"},
			{"columnar/csv", "columnar/ipc", "columnar/rowtest", "columnar/pyliteral"},
			{"columnar/input"},
			{"columnar/parquet", "columnar/arrow", "columnar/json", "columnar/segment"},
			{"columnar/input/known"},
			{"columnar/scan", "columnar/sniff"},
			{"columnar/spill"},
		},
		"operators": {
			{"operators/language", "operators/sentiment", "operators/lazydfa", "operators/keyset", "operators/registry", "operators/query/sql"},
			{"operators/expr"},
			{"operators"},
			{"operators/optest"},
			{"operators/order"}, // aggregates of ordered values delegate to it
			{"operators/aggregate", "operators/join"},
			{"operators/window"}, // this tier and the one below define what plans name: functions and kinds of joins
			{"operators/query/plan", "operators/query/scalar"},
			{"operators/query/fileoptions"},
			{"operators/query/rules"},
			{"operators/rowwise", "operators/query/bind"},
			{"operators/query/physical", "operators/query"},
			{"operators/exec"},
		},
		"shuffle": {
			{"shuffle", "shuffle/broker", "shuffle/rabbit/node"},
			{"shuffle/envelope", "shuffle/rabbit/node/nodetest"},
			{"shuffle/ledger", "shuffle/membroker", "shuffle/rabbit"},
			{"shuffle/brokertest"},
		},
		"datasets": {{"datasets/generate"}, {"datasets"}, {"datasets/directory"}, {"datasets/catalog"}},
		"compose": {
			{"compose/answers", "compose/session/fault"},
			{"compose/engine"}, // runs in one process, and does not know of clusters
			{"compose/cluster/failpoint", "compose/cluster/protocol"},
			{"compose/cluster/quota"},
			{"compose/cluster/monitor"},
			{"compose/cluster/membership", "compose/cluster/scatter"},
			{"compose/cluster/supervisor", "compose/cluster/load"},
			{"compose/cluster/gateway", "compose/cluster/worker"}, // they communicate only by messages
			{"compose/cluster/client", "compose/cluster/local", "compose/cluster/deploy", "compose/cluster/sim", "compose/cluster/chaos"},
			{"compose/cluster/pieces"}, // which a client sends
			{"compose/session"},        // over files, or over a client of a cluster
			{"compose/cluster/page", "compose/cluster/reader"},
			{"compose/cluster/e2e"},
		},
	}
}

// testSupport returns the packages that tests of any tier may import.
func testSupport() []string { return []string{"columnar/rowtest"} }

// tierOf returns the tier of a package and the name in the tier that stands for it.
func tierOf(tiers [][]string, dir string) (tier int, name string) {
	for i, names := range tiers {
		for _, n := range names {
			if within(dir, n) && len(n) > len(name) {
				tier, name = i, n
			}
		}
	}
	return tier, name
}

// ownFiles returns the packages, besides those below columnar, that may open files.
// Their files are never tables, segments or answers.
func ownFiles() []string {
	return []string{
		"bench",                 // reports, and what is known of the machine
		"cmd",                   // settings and terminals
		"compose/cluster/local", // the directory of a cluster on one machine
		"process",               // logs of processes
		"shuffle/rabbit/node",   // settings of a broker
	}
}

// source is one file.
type source struct {
	test bool
	dir  string // from the root, with slashes
	name string
	file *ast.File
}

// sources returns the files that are not tests.
func sources(t *testing.T) []source {
	return slices.DeleteFunc(allSources(t), func(s source) bool { return s.test })
}

func allSources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d files were found", len(all))
	}
	return slices.Clone(all)
}

var parsed = sync.OnceValues(parse)

// parse parses all files, once for all tests.
func parse() (out []source, err error) {
	set := token.NewFileSet()
	err = filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if base := entry.Name(); name != "." && (base == "testdata" || strings.HasPrefix(base, ".")) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(name)
		out = append(out, source{test: strings.HasSuffix(name, "_test.go"), dir: path.Dir(slashed), name: slashed, file: file})
		return nil
	})
	return out, err
}

func (s source) imports() []string {
	var out []string
	for _, spec := range s.file.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			out = append(out, name)
		}
	}
	return out
}

func within(dir, room string) bool { return dir == room || strings.HasPrefix(dir, room+"/") }

// TestImportsRunDownward also checks test files: a test that needs a higher package
// belongs in that package.
func TestImportsRunDownward(t *testing.T) {
	for _, s := range allSources(t) {
		if s.dir == "." {
			continue
		}
		room, _, _ := strings.Cut(s.dir, "/")
		lower, known := rooms()[room]
		if !known {
			t.Errorf("%s is in no room", s.name)
		}
		for _, name := range s.imports() {
			imported, ours := strings.CutPrefix(name, module+"/")
			if !ours {
				continue
			}
			if to, _, _ := strings.Cut(imported, "/"); to != room && !slices.Contains(lower, to) {
				t.Errorf("%s imports %s, which is not below %s", s.name, imported, room)
			}
		}
	}
}

func TestRoomsAreInOrder(t *testing.T) {
	for _, s := range allSources(t) {
		room, _, _ := strings.Cut(s.dir, "/")
		order, ordered := tiers()[room]
		if !ordered {
			continue
		}
		from, ours := tierOf(order, s.dir)
		if ours == "" {
			t.Errorf("%s is in no tier of %s", s.name, room)
		}
		for _, name := range s.imports() {
			imported := strings.TrimPrefix(name, module+"/")
			if !within(imported, room) || s.test && slices.Contains(testSupport(), imported) {
				continue
			}
			if to, theirs := tierOf(order, imported); theirs != ours && to >= from {
				t.Errorf("%s imports %s, which is not below %s", s.name, imported, ours)
			}
		}
	}
}

// TestOnePackageKnowsRabbitMQ checks that only one package imports the client library.
func TestOnePackageKnowsRabbitMQ(t *testing.T) {
	var knowing []string
	for _, s := range sources(t) {
		for _, name := range s.imports() {
			if strings.HasPrefix(name, "github.com/rabbitmq/") && !slices.Contains(knowing, s.dir) {
				knowing = append(knowing, s.dir)
			}
		}
	}
	if len(knowing) > 1 {
		t.Errorf("RabbitMQ is known to %q", knowing)
	}
}

// opens are the functions of package os that open, make or remove files.
func opens() []string {
	return []string{
		"Open", "OpenFile", "OpenRoot", "Create", "CreateTemp", "ReadFile", "WriteFile", "ReadDir", "DirFS", "CopyFS",
		"Mkdir", "MkdirAll", "MkdirTemp", "Rename", "Remove", "RemoveAll", "Truncate", "Link", "Symlink",
	}
}

func TestOnlyColumnarOpensFiles(t *testing.T) {
	for _, s := range sources(t) {
		if within(s.dir, "columnar") || slices.ContainsFunc(ownFiles(), func(dir string) bool { return within(s.dir, dir) }) {
			continue
		}
		for _, name := range s.imports() {
			if name == "io/ioutil" {
				t.Errorf("%s imports %s", s.name, name)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "os" && slices.Contains(opens(), sel.Sel.Name) {
					t.Errorf("%s uses os.%s", s.name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}
