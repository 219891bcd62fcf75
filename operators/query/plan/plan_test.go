package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

func tables() plan.Tables {
	return plan.Tables{"t": {Name: "t", Columns: []columnar.TableColumn{
		{Name: "i", Format: columnar.FormatInt},
		{Name: "d", Format: columnar.FormatDecimal},
		{Name: "s", Format: columnar.FormatText},
		{Name: "l", Format: columnar.FormatNames},
		{Name: "b", Format: columnar.FormatBool},
	}}}
}

func from() *plan.Node { return plan.From("t") }

func TestSchemas(t *testing.T) {
	agg := func(f aggregate.Func, args ...string) plan.Agg {
		return plan.Agg{Func: f, Args: args, Name: string(f) + strings.Join(args, "")}
	}
	for want, root := range map[string]*plan.Node{
		"i int, d decimal, s text, l textlist, b bool": from(),
		"i int":          from().Filter(expr.Col("b")).Select("i"),
		"n int, x float": from().Project(plan.As("n", expr.Len(expr.Col("l"))), plan.As("x", expr.Div(expr.Col("d"), expr.Col("i")))),
		"i int, d decimal, s text, item text, b bool":  from().Unnest("l", "item"),
		"s text, i int, n int":                         from().Select("s", "i").Join(from().Project(plan.As("n", expr.Col("i")), plan.As("k", expr.Col("s"))), plan.On("s", "k")),
		"d decimal, i int":                             from().Distinct("d", "i"),
		"s text, count int, counts int, count_ifb int": from().Aggregate([]string{"s"}, agg(plan.Count), agg(plan.Count, "s"), agg(plan.CountIf, "b")),
		"sumi int, sumd wide, avgi float, avgd float":  from().Aggregate(nil, agg(plan.Sum, "i"), agg(plan.Sum, "d"), agg(plan.Avg, "i"), agg(plan.Avg, "d")),
		"mini int, maxd decimal, listi intlist":        from().Aggregate(nil, agg(plan.Min, "i"), agg(plan.Max, "d"), agg(plan.List, "i")),
		"i int, s text":                                from().Select("i", "s").Top(1, plan.Order{Column: "s", Desc: true}).AtPercentile("i", 0),
		"s text":                                       plan.UnionAll(from().Select("s"), from().Project(plan.As("s", expr.Str("x")))),
	} {
		got, err := root.Schema(tables())
		if err != nil || got.String() != want {
			t.Errorf("columns are %s, %v, not %s", got, err, want)
		}
	}
}

func TestWrongNodesAreErrors(t *testing.T) {
	for want, root := range map[string]*plan.Node{
		`there is no table "u"`:                              plan.From("u"),
		"there is no such node":                              {Op: "index"},
		"scan: has 1 inputs, needs 0":                        {Op: plan.Scan, Table: "t", Inputs: []*plan.Node{from()}},
		"join: has 1 inputs, needs 2":                        {Op: plan.Join, Inputs: []*plan.Node{from()}},
		"filter: the expression is missing":                  from().Filter(nil),
		"filter: i is int, not bool":                         from().Filter(expr.Col("i")),
		`project: column "x" has no expression`:              from().Project(plan.As("x", nil)),
		`project: column "i" stands twice`:                   from().Select("i", "i"),
		`project: column "x": `:                              from().Project(plan.As("x", expr.Col("nowhere"))),
		`unnest: there is no column "m"; there are i, d, s`:  from().Unnest("m", "x"),
		`unnest: column "i" stands twice`:                    from().Unnest("l", "i"),
		`build side: there is no column "x"`:                 from().Join(from(), plan.On("x", "i")),
		`probe side: there is no column "x"`:                 from().Join(from(), plan.On("i", "x")),
		`aggregate: count_if does not take column "i"`:       from().Aggregate(nil, plan.Agg{Func: plan.CountIf, Args: []string{"i"}, Name: "n"}),
		`aggregate: there is no aggregate "median"`:          from().Aggregate(nil, plan.Agg{Func: "median", Args: []string{"i"}, Name: "n"}),
		`aggregate: sum does not take rows without a column`: from().Aggregate(nil, plan.Agg{Func: plan.Sum, Name: "n"}),
		`sort: there is no column "x"`:                       from().Sort(plan.Asc("x")),
		"union: has no inputs":                               plan.UnionAll(),
	} {
		if _, err := root.Schema(tables()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// TestTransformKeepsSharing checks that a node used in two places is copied
// once.
func TestTransformKeepsSharing(t *testing.T) {
	shared := from().Select("i")
	calls := 0
	out := plan.UnionAll(shared, shared).Transform(func(n *plan.Node) *plan.Node {
		calls++
		return n
	})
	if out.Inputs[0] != out.Inputs[1] || out.Inputs[0] == shared || calls != 3 {
		t.Errorf("%d calls; one copy: %v; a copy: %v", calls, out.Inputs[0] == out.Inputs[1], out.Inputs[0] != shared)
	}
}

func TestQueriesTravel(t *testing.T) {
	least := expr.Gt(expr.Col("i"), expr.Int(5))
	sent, err := json.Marshal(&plan.Query{Name: "q1", Root: from().Filter(least).AtPercentile("i", 0.25).Top(10, plan.Asc("i"))})
	if err != nil {
		t.Fatal(err)
	}
	var back plan.Query
	if err := json.Unmarshal(sent, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(&back); err != nil || string(again) != string(sent) {
		t.Errorf("%v: %s is not %s", err, again, sent)
	}
}
