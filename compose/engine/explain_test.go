package engine_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"analyzer/datasets/catalog"
	"analyzer/operators/query/physical"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the plans and answers in testdata")

// TestPlansOfDatasets compares the plans of the built-in queries with those in testdata:
// what they share, the order of reading, and what crosses exchanges.
func TestPlansOfDatasets(t *testing.T) {
	for _, d := range catalog.All() {
		p, err := physical.New(nil, d.Queries, d.TableMap())
		if err != nil {
			t.Fatal(err)
		}
		if wrong := malformed(p, false); wrong != "" {
			t.Error(wrong)
		}
		file := filepath.Join("testdata", "plans", d.Name+".txt")
		if *rewrite {
			if err := os.WriteFile(file, []byte(p.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != string(want) {
			t.Errorf("%s is planned as\n%s\nnot (accept with -rewrite)\n%s", d.Name, p, want)
		}
	}
}
