package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
)

// TestRandomPlans compares runs of random queries over random tables with an
// executor that takes plans literally.
func TestRandomPlans(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := newGrower(r)
		for range rapid.IntRange(1, 16).Draw(r, "steps") {
			g.grow()
		}
		roots := []*plan.Node{g.pool[len(g.pool)-1].node}
		for range rapid.IntRange(0, 2).Draw(r, "more queries") {
			roots = append(roots, g.draw("query").node)
		}
		if diff := compareRuns(t, g.x, roots); diff != "" {
			r.Fatal(diff)
		}
	})
}

// rewritten returns a query with all rules applied, each of which is checked.
func rewritten(t *testing.T, q *plan.Query, tables plan.Tables) *plan.Query {
	t.Helper()
	out := *q
	var err error
	if out.Root, err = rules.Rewrite(nil, q.Root, tables, func(rules.Rule, *plan.Node, *plan.Node) {}); err != nil {
		t.Fatal(err)
	}
	return &out
}

// compareRuns runs queries in several ways and returns how their answers differ
// from those of the reference.
func compareRuns(t *testing.T, x reference, roots []*plan.Node) string {
	t.Helper()
	files := make(map[string]string)
	for name, rows := range x.data {
		files[name] = rows.csv()
	}
	j := job{tables: x.tables, open: inMemory(t, files)}
	var want []relation
	for i, root := range roots {
		j.queries = append(j.queries, &plan.Query{Name: fmt.Sprintf("q%d", i+1), Root: root})
		rows := x.run(root)
		if !inOrder(root) {
			rows.rows = sorted(rows, nil)
		}
		want = append(want, rows)
	}
	literal, err := physical.New(nil, j.queries, j.tables)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range j.queries {
		j.queries[i] = rewritten(t, q, j.tables)
	}
	embedded, err := physical.New(nil, j.queries, j.tables)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range j.queries { // as a gateway does with plans that were rewritten and others
		better := *q
		if better.Root, err = rules.Optimize(nil, q.Root, j.tables); err != nil {
			t.Fatal(err)
		}
		j.queries[i] = &better
	}
	distributed, err := physical.NewDistributed(nil, j.queries, j.tables)
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []struct {
		plan *physical.Plan
		opts engine.Options
	}{
		{literal, engine.Options{Replicas: 1}},
		{embedded, engine.Options{Replicas: 1}},
		{embedded, engine.Options{Replicas: 3, BlockSize: 20}},
		{distributed, engine.Options{Replicas: 2, BlockSize: 7, Memory: 1}},
	} {
		if wrong := malformed(way.plan, way.plan == distributed); wrong != "" {
			return fmt.Sprintf("%s\n%s", wrong, way.plan)
		}
		j.plan = way.plan
		var got collected
		if _, err := j.runInto(t, t.Context(), way.opts, &got); err != nil {
			return fmt.Sprintf("%s: %v\n%s", describe(way.opts), err, way.plan)
		}
		for i, q := range j.queries {
			if diff := difference(want[i], got.answers[i]); diff != "" {
				return fmt.Sprintf("%s: %s %s\n%s", describe(way.opts), q.Name, diff, way.plan)
			}
		}
	}
	return ""
}

// inOrder reports whether a plan determines the order of its rows; the rows of other plans are
// sorted by their columns to compare them.
func inOrder(n *plan.Node) bool {
	switch n.Op {
	case plan.Project, plan.Filter:
		return inOrder(n.Inputs[0])
	}
	return n.Op == plan.Sort
}

func difference(want, got relation) string {
	if want.schema.String() != got.schema.String() {
		return fmt.Sprintf("has columns %s, not %s", got.schema, want.schema)
	}
	for i := range max(len(want.rows), len(got.rows)) {
		if i >= len(want.rows) || i >= len(got.rows) || !slices.Equal(rendered(want.rows[i]), rendered(got.rows[i])) {
			return fmt.Sprintf("differs from row %d on:\n%s\nnot\n%s", i, text(got), text(want))
		}
	}
	return ""
}

func text(r relation) (s string) {
	for _, row := range r.rows {
		s += fmt.Sprintln(rendered(row))
	}
	return s
}

// collected is answers as relations, in the order of the queries.
type collected struct{ answers []relation }

func (c *collected) Begin(_ string, columns columnar.Schema) error {
	c.answers = append(c.answers, relation{schema: columns})
	return nil
}

func (c *collected) Write(rows columnar.Rows) error {
	to := &c.answers[len(c.answers)-1]
	for i := range rows.Len {
		var row []any
		for _, v := range rows.Cols {
			row = append(row, valueOf(v, i))
		}
		to.rows = append(to.rows, row)
	}
	return nil
}

func (c *collected) End() error { return nil }
