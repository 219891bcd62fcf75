package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/session/plantext"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/datasets/directory"
	"analyzer/operators/query/plan"
)

// TestCrashPointsAreDescribed holds the table of crash points to those there are.
func TestCrashPointsAreDescribed(t *testing.T) {
	text, err := os.ReadFile("../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Crash points")
	var described []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1) {
		described = append(described, row[1])
	}
	points := slices.Concat(gateway.Points(), gateway.ReadingPoints(), worker.Points(), answers.Points())
	if got, want := strings.Join(described, "\n"), strings.Join(points, "\n"); got != want {
		t.Errorf("docs/cluster.md describes\n%s\nbut there are\n%s", got, want)
	}
}

// TestPicturesOfQueries holds docs/queries.md to the plans.
func TestPicturesOfQueries(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The fifteen queries as SQL and in pictures\n\n" +
		"`analyzer queries DATASET QUERY` prints the SQL. In the pictures rows go up, from the tables\n" +
		"to the answer. A box is a stage: there is no exchange within one. Dashed lines are the keys\n" +
		"of build sides, which scans use to drop rows early. Groups that are handed over, and rows\n" +
		"that are joined in place, need not move within one process; a cluster moves them. " +
		"`analyzer explain DATASET QUERY\n--format mermaid` draws them, over any parameters.\n")
	for _, name := range catalog.Names() {
		src, err := new(program).findSource(t.Context(), name, nil)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n```sql\n%s```\n", name, src.Texts[directory.Tables])
		for _, q := range src.Queries {
			physical, err := new(program).session().Plan(t.Context(), datasets.Selection{Source: src, Queries: []*plan.Query{q}})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "\n### %s %s\n\n```sql\n%s```\n\n```mermaid\n", name, q.Name, src.Texts[directory.File(q.Name)])
			if err := plantext.Mermaid(&b, physical, nil, nil); err != nil {
				t.Fatal(err)
			}
			b.WriteString("```\n")
		}
	}
	const file = "../../docs/queries.md"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != b.String() {
		t.Errorf("%s does not show the plans as they are (accept with -update): %v", file, err)
	}
}
