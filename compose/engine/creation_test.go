package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// missing is a column that no node has.
const missing = "no such column"

// unmakable returns a plan in which one node reads a column that it does not have, so that its
// operator cannot be made.
func unmakable(p *physical.Plan, node int) *physical.Plan {
	out := *p
	out.Nodes = slices.Clone(p.Nodes)
	n := *p.Nodes[node]
	out.Nodes[node] = &n
	switch nothing := expr.Eq(expr.Col(missing), expr.Int(1)); {
	case n.Scan != nil:
		scan := *n.Scan
		scan.Where, n.Scan = append(slices.Clone(scan.Where), nothing), &scan
	case n.Filter != nil:
		n.Filter = nothing
	case n.Project != nil:
		n.Project = []plan.Named{plan.As("x", nothing)}
	case n.Aggregate != nil:
		a := *n.Aggregate
		a.Keys, n.Aggregate = append(slices.Clone(a.Keys), missing), &a
	case n.Join != nil:
		j := *n.Join
		j.ProbeOut, n.Join = append(slices.Clone(j.ProbeOut), missing), &j
	case n.Sort != nil:
		s := *n.Sort
		s.Order, n.Sort = append(slices.Clone(s.Order), plan.Asc(missing)), &s
	case n.Percentile != nil:
		c := *n.Percentile
		c.Column, n.Percentile = missing, &c
	case n.Window != nil:
		w := *n.Window
		w.Keys, n.Window = append(slices.Clone(w.Keys), missing), &w
	case n.Top != nil:
		top := *n.Top
		top.Keys, n.Top = append(slices.Clone(top.Keys), missing), &top
	default: // a union has no operator
		return nil
	}
	return &out
}

// TestNodeCannotBeMade makes the creation of each operator fail, wherever a run makes it: in a
// scan worker, where a stage probes as it reads, in a stage of its own, and behind a file whose
// order is kept. The run ends with an error that says which, and nothing is left.
func TestNodeCannotBeMade(t *testing.T) {
	jobs := map[string]job{
		"in file order": filed(t, "SELECT a + 1 AS x, b FROM t WHERE a > 7", "a,b\n1,2\n8,9\n"),
		"grouped":       filed(t, "SELECT b, count(*), count(DISTINCT a) FROM t GROUP BY b HAVING count(*) > 1 ORDER BY b", "a,b\n1,2\n8,2\n"),
		"first of each": filed(t, "SELECT a, b, row_number() OVER (PARTITION BY b ORDER BY a) AS n FROM t QUALIFY n = 1", "a,b\n1,2\n8,2\n"),
		"spilling":      newSpillingCase(t).on(t, vfs.NewMem()),
	}
	for name, j := range jobs {
		whole, err := physical.New(nil, j.queries, j.tables)
		if err != nil {
			t.Fatal(err)
		}
		for node := range whole.Nodes {
			if j.plan = unmakable(whole, node); j.plan == nil {
				continue
			}
			for _, replicas := range []int{1, 3} {
				got := j.run(t, t.Context(), engine.Options{Replicas: replicas, Memory: 1})
				what := fmt.Sprintf("%s, node %d, %d replicas", name, node, replicas)
				switch n := whole.Nodes[node]; {
				case got.err == nil && n.Sort == nil: // rows in the order of their file are not sorted
					t.Errorf("%s: there is no error", what)
				case got.err != nil && !strings.Contains(got.err.Error(), missing):
					t.Errorf("%s: the error does not name the column: %v", what, got.err)
				case got.err != nil && !strings.Contains(got.err.Error(), fmt.Sprintf("node %d: ", node)):
					t.Errorf("%s: the error does not name the node: %v", what, got.err)
				}
			}
		}
	}
}
