package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// series joins what of makes of the numbers below n.
func series(n int, between string, of func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = of(i)
	}
	return strings.Join(all, between)
}

// nested puts what of makes of a statement around it n times.
func nested(n int, innermost string, of func(i int, inner string) string) string {
	for i := range n {
		innermost = of(i, innermost)
	}
	return innermost
}

// nasty are statements that grow with n, and an n at which each is much work.
func nasty() map[string]struct {
	n    int
	text func(n int) string
} {
	column := func(i int) string { return fmt.Sprintf("c%d", i%100) }
	return map[string]struct {
		n    int
		text func(n int) string
	}{
		"correlated": {30, func(n int) string {
			return nested(n, "SELECT a FROM t", func(i int, inner string) string {
				return fmt.Sprintf("SELECT a FROM t AS t%d WHERE a = (SELECT max(a) FROM t WHERE t.b = t%d.b AND a IN (%s))", i, i, inner)
			})
		}},
		"correlated values": {60, func(n int) string {
			return "SELECT a FROM t WHERE a = " + nested(n, "1", func(i int, inner string) string {
				return "(SELECT max(a) + " + inner + " FROM t WHERE a > 0)"
			})
		}},
		"ands": {100_000, func(n int) string {
			return "SELECT a FROM t WHERE " + series(n, " AND ", func(int) string { return "a = 1" })
		}},
		"ors": {100_000, func(n int) string {
			return "SELECT a FROM t WHERE " + series(n, " OR ", func(i int) string { return fmt.Sprint("a = ", i) })
		}},
		"in": {100_000, func(n int) string {
			return "SELECT a FROM t WHERE a IN (" + series(n, ", ", func(i int) string { return fmt.Sprint(i) }) + ")"
		}},
		"sum": {100_000, func(n int) string { return "SELECT a" + strings.Repeat("+1", n) + " FROM t" }},
		"aliases": {60, func(n int) string {
			return "SELECT a AS x0, " + series(n, ", ", func(i int) string { return fmt.Sprintf("x%d + x%d AS x%d", i, i, i+1) }) + " FROM t"
		}},
		"distinct from": {100, func(n int) string {
			return "SELECT " + nested(n, "a", func(_ int, inner string) string { return "(" + inner + " IS DISTINCT FROM b)::int" }) + " FROM t"
		}},
		"joins": {300, func(n int) string {
			return "SELECT t0.a FROM t AS t0" + series(n, "", func(i int) string { return fmt.Sprintf(" JOIN t AS t%d ON t%d.a = t%d.a", i+1, i, i+1) })
		}},
		"star joins": {300, func(n int) string {
			return "SELECT t0.a FROM t AS t0" + series(n, "", func(i int) string { return fmt.Sprintf(" JOIN t AS t%d ON t0.c%d = t%d.a", i+1, i%100, i+1) })
		}},
		"outer joins": {300, func(n int) string {
			return "SELECT t0.a FROM t AS t0" + series(n, "", func(i int) string { return fmt.Sprintf(" LEFT JOIN t AS t%d ON t%d.a = t%d.a", i+1, i, i+1) })
		}},
		"windows": {1000, func(n int) string {
			return "SELECT " + series(n, ", ", func(i int) string { return fmt.Sprintf("rank() OVER (ORDER BY a + %d)", i) }) + " FROM t"
		}},
		"columns": {10_000, func(n int) string {
			return "SELECT " + series(n, ", ", func(i int) string { return fmt.Sprintf("%s + %d", column(i), i) }) + " FROM t"
		}},
		"aggregates": {10_000, func(n int) string {
			return "SELECT " + series(n, ", ", func(i int) string { return fmt.Sprintf("sum(%s + %d)", column(i), i) }) + " FROM t"
		}},
		"distinct aggregates": {1000, func(n int) string {
			return "SELECT " + series(n, ", ", func(i int) string { return fmt.Sprintf("count(DISTINCT %s + %d)", column(i), i) }) + " FROM t GROUP BY a"
		}},
		"groups": {20_000, func(n int) string {
			return "SELECT count(*) FROM t GROUP BY " + series(n, ", ", func(i int) string { return fmt.Sprintf("a + %d", i) })
		}},
		"orders": {20_000, func(n int) string {
			return "SELECT a FROM t ORDER BY " + series(n, ", ", func(i int) string { return fmt.Sprintf("a + %d", i) })
		}},
		"cases": {20_000, func(n int) string {
			return "SELECT CASE " + series(n, " ", func(i int) string { return fmt.Sprintf("WHEN a = %d THEN %d", i, i) }) + " END FROM t"
		}},
		"doubling": {40, func(n int) string {
			return "WITH w0 AS (FROM t)" + series(n, "", func(i int) string { return fmt.Sprintf(", w%d AS (FROM w%d UNION ALL FROM w%d)", i+1, i, i) }) + fmt.Sprintf(" SELECT count(*) FROM w%d", n)
		}},
		"doubling joins": {40, func(n int) string {
			return "WITH w0 AS (FROM t)" + series(n, "", func(i int) string {
				return fmt.Sprintf(", w%d AS (SELECT x.a FROM w%d AS x JOIN w%d AS y ON x.a = y.a)", i+1, i, i)
			}) + fmt.Sprintf(" SELECT count(*) FROM w%d", n)
		}},
		"subqueries": {500, func(n int) string {
			return "SELECT a FROM t WHERE " + series(n, " AND ", func(i int) string { return fmt.Sprintf("a > (SELECT min(a) FROM t AS u WHERE u.b = t.b + %d)", i) })
		}},
		"values": {50_000, func(n int) string {
			return "SELECT * FROM (VALUES " + series(n, ", ", func(i int) string { return fmt.Sprintf("(%d)", i) }) + ")"
		}},
		"texts": {60_000, func(n int) string {
			return "SELECT " + series(n, " || ", func(i int) string { return "'x'" }) + " FROM t"
		}},
	}
}

// planningOf parses, binds and plans a statement over a table of a hundred columns.
func planningOf(work *budget.Work, text string) (*physical.Plan, error) {
	return planningOver(work, 100, text)
}

// planningOver is planningOf over a table of the columns a, b, c0, c1, and so on.
func planningOver(work *budget.Work, columns int, text string) (*physical.Plan, error) {
	st, err := sql.Parse(work, text)
	if err != nil {
		return nil, err
	}
	return planningQuery(work, wideTable(columns), st.Query)
}

func wideTable(columns int) *columnar.Table {
	t := &columnar.Table{Name: "t"}
	add := func(name string) {
		t.Columns = append(t.Columns, columnar.TableColumn{Name: name, Header: name, Format: columnar.FormatInt})
	}
	add("a")
	add("b")
	for i := range columns {
		add(fmt.Sprintf("c%d", i))
	}
	return t
}

func planningQuery(work *budget.Work, t *columnar.Table, q *sql.Query) (*physical.Plan, error) {
	catalog := bind.Catalog{Tables: map[string]*bind.Table{"t": {Parts: []*columnar.Table{t}, Stats: &plan.Stats{Rows: 10}}}}
	root, err := query.Plan(work, q, catalog, nil, nil)
	if err != nil {
		return nil, err
	}
	return physical.New(work, []*plan.Query{{Name: "q", Root: root}}, plan.Tables{"t": t})
}

// TestPlanningIsBounded plans statements that are much work in little memory. Each is refused by
// name after no more than the steps that there are.
func TestPlanningIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine plans for some seconds")
	}
	const memory, most = 16 << 20, 1 << 16
	for name, s := range nasty() {
		work := budget.NewWork(t.Context(), memory)
		_, err := planningOf(work, s.text(s.n))
		if err == nil || !strings.Contains(err.Error(), "more than") && !strings.Contains(err.Error(), "deeper than") {
			t.Errorf("%s: %d steps were done, and the error is %v", name, work.Done(), err)
		}
		if _, much := errors.AsType[*budget.WorkError](err); much != (work.Done() > most) {
			t.Errorf("%s: %d steps were done, and the error is %v", name, work.Done(), err)
		}
	}
}

// TestWideStatementsArePlanned plans statements that are wide or long, but no more than people
// write, with half of the steps that there are in 256 MiB.
func TestWideStatementsArePlanned(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine plans for some seconds")
	}
	column := func(i int) string { return fmt.Sprintf("c%d", i) }
	for name, s := range map[string]struct {
		columns int
		text    string
	}{
		"columns":          {5000, "SELECT * FROM t"},
		"ordered columns":  {5000, "SELECT * FROM t ORDER BY ALL"},
		"distinct columns": {5000, "SELECT DISTINCT * FROM t"},
		"groups":           {1000, "SELECT count(*) FROM t GROUP BY " + series(1000, ", ", column)},
		"aggregates":       {1000, "SELECT " + series(1000, ", ", func(i int) string { return "sum(" + column(i) + ")" }) + " FROM t"},
		"orders":           {100, "SELECT a FROM t ORDER BY " + series(20_000, ", ", func(i int) string { return fmt.Sprintf("a + %d", i) })},
		"ors":              {100, "SELECT a FROM t WHERE " + series(2000, " OR ", func(i int) string { return fmt.Sprint("a = ", i) })},
		"joins":            {10, "SELECT t0.a FROM t AS t0" + series(150, "", func(i int) string { return fmt.Sprintf(" JOIN t AS t%d ON t%d.a = t%d.b", i+1, i, i+1) })},
		"values":           {10, "SELECT " + series(200, ", ", func(i int) string { return fmt.Sprintf("(SELECT max(a) FROM t WHERE b > %d)", i) })},
		"unions":           {100, series(500, " UNION ALL ", func(int) string { return "SELECT a FROM t" })},
		"windows":          {100, "SELECT " + series(500, ", ", func(i int) string { return fmt.Sprintf("sum(a + %d) OVER (ORDER BY b)", i) }) + " FROM t"},
		"names": {100, "WITH w0 AS (FROM t)" + series(300, "", func(i int) string {
			return fmt.Sprintf(", w%d AS (SELECT a + 1 AS a FROM w%d)", i+1, i)
		}) + " SELECT count(*) FROM w300"},
		"nested": {100, nested(30, "SELECT a FROM t", func(_ int, inner string) string { return "SELECT a FROM t WHERE a IN (" + inner + ")" })},
	} {
		work := budget.NewWork(t.Context(), 256<<20)
		if _, err := planningOver(work, s.columns, s.text); err != nil || work.Done() > 1<<19 {
			t.Errorf("%s: %d steps were done, and the error is %v", name, work.Done(), err)
		}
	}
}

// TestSummariesArePlanned plans SUMMARIZE of thousands of columns with half of the steps that there
// are in 256 MiB. There are fewer operators than for a few, which are aggregated one by one.
func TestSummariesArePlanned(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine plans for some seconds")
	}
	operators := make(map[int]int)
	for _, columns := range []int{5, 50, 5000} {
		work, table := budget.NewWork(t.Context(), 256<<20), wideTable(columns)
		st, err := sql.Parse(work, "SELECT * FROM t")
		if err != nil {
			t.Fatal(err)
		}
		summary, err := bind.Summary(work, st.Query, table.Schema())
		if err != nil {
			t.Fatal(err)
		}
		p, err := planningQuery(work, table, summary)
		if err != nil || work.Done() > 1<<19 {
			t.Fatalf("%d columns: %d steps were done, and the error is %v", columns, work.Done(), err)
		}
		operators[columns] = len(p.Nodes)
	}
	if operators[5000] != operators[50] || operators[5000] > operators[5] {
		t.Errorf("there are %d operators for 5 columns, %d for 50, and %d for 5000", operators[5], operators[50], operators[5000])
	}
}

// TestStatementsAreFarFromTheBound plans the random statements that DuckDB has answered in 64 MiB.
// Each takes no more than a sixteenth of the steps that there are.
func TestStatementsAreFarFromTheBound(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine plans for some seconds")
	}
	const memory, most = 64 << 20, 1 << 18
	longest := int64(0)
	for w := range worlds(t) {
		catalog, tables, _ := w.tables()
		for _, s := range w.Statements {
			work := budget.NewWork(t.Context(), memory)
			parsed, err := sql.Parse(work, s.Text)
			if err != nil {
				t.Fatalf("%s: %v", s.Text, err)
			}
			root, err := query.Plan(work, parsed.Query, catalog, nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", s.Text, err)
			}
			if _, err := physical.New(work, []*plan.Query{{Name: "q", Root: root}}, tables); err != nil {
				t.Fatalf("%s: %v", s.Text, err)
			}
			if longest = max(longest, work.Done()); work.Done() > most/16 {
				t.Errorf("%d steps were done to plan %s", work.Done(), s.Text)
			}
		}
	}
	t.Logf("the longest took %d steps of %d", longest, most)
}

// TestPlanningIsLinear plans statements for which the work doubled with each level, or grew with
// the square of their length.
func TestPlanningIsLinear(t *testing.T) {
	for name, n := range map[string]int{"correlated": 8, "correlated values": 14, "ands": 2000} {
		var done [2]int64
		for i := range done {
			work := budget.NewWork(t.Context(), 0)
			if _, err := planningOf(work, nasty()[name].text(n/2*(1+i))); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			done[i] = work.Done()
		}
		if done[1] > 4*done[0] {
			t.Errorf("%s: %d steps, and %d for twice as much", name, done[0], done[1])
		}
	}
}

// TestPlanningEndsWithItsContext plans statements in a context that has ended.
func TestPlanningEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, s := range nasty() {
		if _, err := planningOf(budget.NewWork(ctx, 0), s.text(s.n)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the context has ended, and the error is %v", name, err)
		}
	}
}
