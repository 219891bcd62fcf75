package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/window"
)

// heap is a table of rows with a numeric key, a text key, and a value.
func heap(name string) *columnar.Table {
	return &columnar.Table{Name: name, Columns: []columnar.TableColumn{
		{Name: "k", Header: "k", Format: columnar.FormatInt, Required: true},
		{Name: "g", Header: "g", Format: columnar.FormatText, Required: true},
		{Name: "v", Header: "v", Format: columnar.FormatDecimal, Required: true},
	}}
}

// heapRows makes rows of a heap; keys are below distinct, or, for every other
// row, hot if that is not negative.
func heapRows(seed uint64, rows, distinct, hot int) relation {
	r := rand.New(rand.NewPCG(seed, 2))
	out := relation{schema: heap("").Schema()}
	for i := range rows {
		k := r.IntN(distinct)
		if hot >= 0 && i%2 == 0 {
			k = hot
		}
		out.rows = append(out.rows, []any{int64(k), fmt.Sprintf("group number %d", r.IntN(distinct)), dec(r.IntN(1000)) * 1000})
	}
	return out
}

// renamed is a heap with other names of columns, for the other side of a join.
func renamed(table string) *plan.Node {
	return plan.From(table).Project(plan.As("k2", expr.Col("k")), plan.As("g2", expr.Col("g")), plan.As("v2", expr.Col("v")))
}

// spilling returns queries over the heaps a and b in which every operator that keeps rows
// spills, and so do rows in exchanges.
func spilling() []*plan.Query {
	perGroup := plan.From("a").Aggregate([]string{"g"}, count("n"), sumOf("v", "s"), plan.Agg{Func: plan.List, Args: []string{"k"}, Name: "l"})
	return []*plan.Query{
		{Name: "join", Root: plan.From("a").Join(renamed("b"), plan.On("k", "k2")).Sort(plan.Order{Column: "g2", Desc: true}, plan.Asc("v"))},
		{Name: "outer", Root: plan.From("a").OuterJoin(plan.Full, renamed("b"), plan.On("k", "k2")).Slice(100, nil, plan.Order{Column: "g2", Desc: true}, plan.Asc("v"))},
		{Name: "aggregate", Root: perGroup},
		{Name: "percentile", Root: perGroup.AtPercentile("n", 0.1).Sort(plan.Order{Column: "s", Desc: true})},
		{Name: "window", Root: plan.From("a").Window(nil, []plan.Order{{Column: "g", Desc: true}}, plan.Call{Func: window.CumeDist, Name: "share"}, plan.Call{Func: window.Lag, Args: []string{"g"}, N: 1, Name: "before"})},
		{Name: "total", Root: plan.From("b").Top(2500, plan.Asc("v")).Aggregate(nil, count("n"), sumOf("v", "s"))},
	}
}

// spillingCase is those queries over tables of some hundred kilobytes, with what
// they must answer.
type spillingCase struct {
	queries []*plan.Query
	tables  plan.Tables
	files   map[string]string
	want    string // as JSON
}

var theSpillingCase = struct {
	once sync.Once
	c    *spillingCase // read only; nil if it could not be made
}{}

// newSpillingCase returns the case. It is made only once, since computing the expected
// answers takes long.
func newSpillingCase(t *testing.T) *spillingCase {
	t.Helper()
	s := &theSpillingCase
	s.once.Do(func() { s.c = makeSpillingCase(t) })
	if s.c == nil {
		t.Fatal("there is no case to test with: see the first test that failed")
	}
	return s.c
}

func makeSpillingCase(t *testing.T) *spillingCase {
	t.Helper()
	x := reference{
		tables: plan.Tables{"a": heap("a"), "b": heap("b")},
		data:   map[string]relation{"a": heapRows(1, 4000, 3000, -1), "b": heapRows(2, 4500, 2000, -1)},
	}
	c := &spillingCase{queries: spilling(), tables: x.tables, files: make(map[string]string)}
	for name, rows := range x.data {
		c.files[name] = rows.csv()
	}
	var got collected
	if _, err := c.on(t, vfs.NewMem()).runInto(t, t.Context(), engine.Options{}, &got); err != nil {
		t.Fatal(err)
	}
	if !testing.Short() { // one goroutine computes what is expected
		if diff := compareAnswers(c.queries, expected(x, c.queries), got); diff != "" {
			t.Fatal(diff)
		}
	}
	c.want = c.on(t, vfs.NewMem()).answer(t, engine.Options{}).json
	return c
}

// on returns the queries as a job over files in the root of fs.
func (c *spillingCase) on(t testing.TB, fs vfs.FS) job {
	t.Helper()
	for name, content := range c.files {
		writeFile(t, fs, "/"+name, []byte(content))
	}
	return job{
		queries: c.queries, tables: c.tables,
		open: func(table string) (vfs.File, error) { return fs.Open("/" + table) },
	}
}

// expected returns the answers of queries in the order of their rows.
func expected(x reference, queries []*plan.Query) (want []relation) {
	for _, q := range queries {
		r := x.run(q.Root)
		if !inOrder(q.Root) {
			r.rows = sorted(r, nil)
		}
		want = append(want, r)
	}
	return want
}

// compareAnswers returns how answers differ from the expected ones.
func compareAnswers(queries []*plan.Query, want []relation, got collected) string {
	if len(got.answers) != len(want) {
		return fmt.Sprintf("there are %d answers of %d", len(got.answers), len(want))
	}
	for i, q := range queries {
		if diff := difference(want[i], got.answers[i]); diff != "" {
			return q.Name + " " + diff[:min(len(diff), 500)]
		}
	}
	return ""
}

// TestEveryOperatorSpills checks that the queries of this file really spill, which the other
// tests rely on.
func TestEveryOperatorSpills(t *testing.T) {
	c := newSpillingCase(t)
	j := c.on(t, vfs.NewMem())
	p, err := physical.New(nil, j.queries, j.tables)
	if err != nil {
		t.Fatal(err)
	}
	report := j.same(t, c.want, engine.Options{Replicas: 1, Memory: 1}).report
	spilled := make(map[string]int64)
	rest := report.Spilled
	for _, n := range report.Nodes {
		spilled[kind(p.Nodes[n.Node])] += n.Spilled
		rest -= n.Spilled
	}
	for _, operator := range []string{"join", "aggregate", "sort", "percentile", "window"} {
		if spilled[operator] == 0 {
			t.Errorf("no %s spilled\n%s", operator, p)
		}
	}
	if rest <= 0 {
		t.Errorf("no rows went to disk between operators")
	}
}

func kind(n *physical.Node) string {
	switch {
	case n.Join != nil:
		return "join"
	case n.Aggregate != nil:
		return "aggregate"
	case n.Sort != nil:
		return "sort"
	case n.Percentile != nil:
		return "percentile"
	case n.Window != nil:
		return "window"
	}
	return "other"
}

// TestHotKey gives half of all rows one key, in a build side, a probe side and a
// group, with next to no memory.
func TestHotKey(t *testing.T) {
	if testing.Short() {
		t.Skip("what it is compared with takes seconds")
	}
	const hot = 7
	x := reference{
		tables: plan.Tables{"big": heap("big"), "small": heap("small")},
		data:   map[string]relation{"big": heapRows(1, 8000, 2000, hot), "small": heapRows(2, 40, 2000, hot)},
	}
	files := make(map[string]string)
	for name, rows := range x.data {
		files[name] = rows.csv()
	}
	perText := func(n *plan.Node, column string) *plan.Node {
		return n.Filter(expr.Ne(expr.Col("v"), expr.Col("v2"))).Aggregate([]string{column}, count("n"), sumOf("v", "s"))
	}
	j := job{
		tables: x.tables, open: inMemory(t, files),
		queries: []*plan.Query{
			{Name: "build", Root: perText(plan.From("big").Join(renamed("small"), plan.On("k", "k2")), "g2")},
			{Name: "probe", Root: perText(plan.From("small").Join(renamed("big"), plan.On("k", "k2")), "g")},
			{Name: "right", Root: perText(plan.From("big").OuterJoin(plan.Right, renamed("small"), plan.On("k", "k2")), "g2")},
			{Name: "left", Root: plan.From("big").OuterJoin(plan.Left, renamed("small"), plan.On("k", "k2")).Aggregate([]string{"g"}, count("n"), plan.Agg{Func: plan.Count, Args: []string{"g2"}, Name: "m"})},
			{Name: "group", Root: plan.From("big").Aggregate([]string{"k"}, count("n"), plan.Agg{Func: plan.Avg, Args: []string{"v"}, Name: "mean"}, plan.Agg{Func: plan.List, Args: []string{"k"}, Name: "all"})},
			{Name: "sort", Root: plan.From("big").Sort(plan.Asc("k"))},
		},
	}
	want := expected(x, j.queries)
	for _, o := range []engine.Options{{Replicas: 1, Memory: 1}, {Replicas: 3, Memory: 1, BlockSize: 50_000}, {Replicas: 2}} {
		var got collected
		report, err := j.runInto(t, t.Context(), o, &got)
		if err != nil {
			t.Fatalf("%s: %v", describe(o), err)
		}
		if diff := compareAnswers(j.queries, want, got); diff != "" {
			t.Errorf("%s: %s", describe(o), diff)
		}
		if (report.Spilled > 0) != (o.Memory > 0) {
			t.Errorf("%s: %d bytes were spilled", describe(o), report.Spilled)
		}
	}
}

// TestReportAddsUp checks that the counts of a report are consistent.
func TestReportAddsUp(t *testing.T) {
	j := newSpillingCase(t).on(t, vfs.NewMem())
	got := j.answer(t, engine.Options{Replicas: 3, BlockSize: 10_000})
	p, err := physical.New(nil, j.queries, j.tables)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range p.Nodes {
		var in int64
		for _, input := range n.Inputs {
			in += got.report.Nodes[input.Node].RowsOut
		}
		report := got.report.Nodes[n.ID]
		if report.Node != n.ID || n.Scan == nil && report.RowsIn != in {
			t.Errorf("#%d has taken %d rows in, of %d", n.ID, report.RowsIn, in)
		}
	}
	var names []string
	for _, table := range got.report.Tables {
		names = append(names, fmt.Sprintf("%s %d times %d", table.Table, table.Scans, table.Stats.Rows))
	}
	if s := strings.Join(names, ", "); s != "a 1 times 4000, b 2 times 4500" || got.report.Rows != 13_000 {
		t.Errorf("%d rows were read: %s", got.report.Rows, s)
	}
}
