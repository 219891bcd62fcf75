package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/plan"
	"analyzer/operators/planner"
	"analyzer/operators/sql"
	"analyzer/operators/sql/bind"
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

// planningOf parses, binds and plans a statement over a table of 200 columns.
func planningOf(work *budget.Work, text string) (*planner.Plan, error) {
	t := &columnar.Table{Name: "t"}
	add := func(name string) {
		t.Columns = append(t.Columns, columnar.TableColumn{Name: name, Header: name, Format: columnar.FormatInt})
	}
	add("a")
	add("b")
	for i := range 100 {
		add(fmt.Sprintf("c%d", i))
	}
	st, err := sql.Parse(work, text)
	if err != nil {
		return nil, err
	}
	catalog := bind.Catalog{Tables: map[string]*bind.Table{"t": {Parts: []*columnar.Table{t}, Bytes: 1000}}}
	root, err := bind.Query(work, st.Query, catalog, nil)
	if err != nil {
		return nil, err
	}
	return planner.New(work, []*plan.Query{{Name: "q", Root: root}}, plan.Tables{"t": t})
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
