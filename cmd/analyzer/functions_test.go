package main

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"analyzer/operators/query/bind"
)

// TestExamplesOfFunctions calls every function as its documentation does, by all of its names.
func TestExamplesOfFunctions(t *testing.T) {
	for _, g := range bind.Documentation() {
		for _, d := range g.Docs {
			if !strings.HasPrefix(d.Usage, d.Names[0]) || d.Help == "" || !strings.Contains(d.Example, d.Names[0]+"(") {
				t.Errorf("%s is not documented", d.Names[0])
			}
			for _, name := range d.Names {
				question := exampleOf(g, strings.Replace(d.Example, d.Names[0]+"(", name+"(", 1))
				answer, _ := statement(t, "--quiet", "--format", "csv", question)
				if got := cells(t, answer); got != d.Value && d.Value != "" {
					t.Errorf("%s is %s, and its documentation says %s", question, got, d.Value)
				}
			}
		}
	}
}

// docRows is a relation for FROM, over which the examples of aggregates and window functions
// are computed.
const docRows = "(VALUES (1, 'b'), (NULL, NULL), (2, 'a'), (4, 'b')) AS t(n, s)"

// exampleOf returns the statement that computes an example.
func exampleOf(g bind.DocGroup, call string) string {
	switch {
	case strings.HasPrefix(call, "grouping"):
		return "SELECT DISTINCT " + call + " FROM " + docRows + " GROUP BY s"
	case g.Title == "Aggregates":
		return "SELECT " + call + " FROM " + docRows
	case g.Title == "Window functions":
		return "SELECT " + call + " FROM " + docRows + " ORDER BY n"
	}
	return "SELECT " + call
}

// cells returns the cells of a column with commas between them.
func cells(t *testing.T, answer string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(answer, "\n\n", "\n\"\"\n"))).ReadAll()
	if err != nil {
		t.Fatalf("%q: %v", answer, err)
	}
	values := slices.Concat(rows[1:]...)
	for i, v := range values {
		if v == "" {
			values[i] = "NULL"
		}
	}
	return strings.Join(values, ", ")
}

// TestFunctionsByName prints one function.
func TestFunctionsByName(t *testing.T) {
	docs, _ := bind.Documented("UCASE")
	if len(docs) != 1 || docs[0].Names[0] != "upper" {
		t.Errorf("UCASE is %v", docs)
	}
	if docs, nearest := bind.Documented("uppr"); len(docs) > 0 || nearest != "upper" {
		t.Errorf("uppr is %v, and nearest to %q", docs, nearest)
	}
}
