package engine_test

import (
	"fmt"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// awkward is two tables of a column k and a column v, each with the rows given.
func awkward(t, u [][2]int64) reference {
	x := reference{tables: make(plan.Tables), data: make(map[string]relation)}
	for name, rows := range map[string][][2]int64{"t": t, "u": u} {
		x.tables[name] = &columnar.Table{Name: name, Columns: []columnar.TableColumn{
			{Name: "k", Header: "k", Format: columnar.FormatInt, Required: true},
			{Name: "v", Header: "v", Format: columnar.FormatInt, Required: true},
		}}
		r := relation{schema: x.tables[name].Schema()}
		for _, row := range rows {
			r.rows = append(r.rows, []any{row[0], row[1]})
		}
		x.data[name] = r
	}
	return x
}

func count(name string) plan.Agg { return plan.Agg{Func: plan.Count, Name: name} }

func sumOf(arg, name string) plan.Agg {
	return plan.Agg{Func: plan.Sum, Args: []string{arg}, Name: name}
}

// TestAwkwardPlans runs plans whose stages depend on each other in awkward ways.
func TestAwkwardPlans(t *testing.T) {
	x := awkward([][2]int64{{1, 1}, {2, 5}, {3, 1}, {3, 9}}, [][2]int64{{1, 2}, {2, 2}, {2, 3}, {5, 1}, {3, 0}})
	from := plan.From
	perKey := func(table string) *plan.Node { return from(table).Aggregate([]string{"k"}, count("n")) }
	first := from("t").Top(2, plan.Order{Column: "v", Desc: true})
	last := from("u").Top(2, plan.Asc("v"))
	behindFirst := first.Select("k").Join(from("u"), plan.On("k", "k")).Top(3, plan.Order{Column: "k", Desc: true})
	for name, roots := range map[string][]*plan.Node{
		"one row for all is the probe side of an aggregation": {
			from("t").Join(from("u").Aggregate(nil, count("n")), plan.On("v", "n")).Aggregate([]string{"k"}, count("c")),
			from("t").Join(from("u").Filter(expr.Bool(false)).Aggregate(nil, count("n")).Project(plan.As("n", expr.Add(expr.Col("n"), expr.Int(1)))),
				plan.On("v", "n")).Aggregate([]string{"k"}, count("c")),
		},
		"an aggregate has the name of a column it hides": {
			from("t").Select("v").Join(
				from("t").Select("k").Join(from("u"), plan.On("k", "k")).Aggregate([]string{"k"}, sumOf("v", "v")),
				plan.On("v", "v")),
		},
		"the same rows on both sides": {
			perKey("t").Join(perKey("t").Project(plan.As("k", expr.Col("k")), plan.As("m", expr.Col("n"))), plan.On("k", "k")),
			from("t").Join(from("t").Project(plan.As("k", expr.Col("k")), plan.As("w", expr.Col("v"))), plan.On("v", "k")),
		},
		"a union of rows with what is made of them": {plan.UnionAll(behindFirst, first), plan.UnionAll(first, behindFirst)},
		"unions that tie stages together":           {plan.UnionAll(last, first), plan.UnionAll(behindFirst, last)},
		"a table is read for keys that wait for the reader": {
			func() *plan.Node {
				keyed := perKey("t")
				build := keyed.Join(from("u").Select("k"), plan.On("k", "k")).Aggregate([]string{"n"}, count("c"))
				probe := keyed.Join(from("u").Project(plan.As("k", expr.Col("k")), plan.As("m", expr.Col("v"))), plan.On("k", "k"))
				return build.Select("c").Join(probe, plan.On("c", "m"))
			}(),
		},
		"no row at all": {
			from("t").Filter(expr.Bool(false)).Join(from("u").Select("k"), plan.On("k", "k")).Aggregate([]string{"k"}, count("n")),
			from("t").Filter(expr.Bool(false)).Aggregate(nil, count("n"), sumOf("v", "s")),
		},
		"two conditions on one column": {
			from("t").Join(from("u").Project(plan.As("x", expr.Col("k")), plan.As("y", expr.Col("v"))), plan.On("k", "x"), plan.On("k", "y")),
			from("t").Join(from("u").Project(plan.As("x", expr.Col("k")), plan.As("y", expr.Col("v"))), plan.On("k", "x"), plan.On("v", "x")).
				Aggregate([]string{"k"}, count("n")),
		},
		"one answer is a part of another": {perKey("t"), perKey("t").Top(1, plan.Order{Column: "n", Desc: true}), perKey("t")},
	} {
		t.Run(name, func(t *testing.T) {
			for i, root := range roots {
				if diff := compareRuns(t, x, []*plan.Node{root}); diff != "" {
					t.Errorf("query %d: %s", i+1, diff)
				}
			}
			if diff := compareRuns(t, x, roots); diff != "" {
				t.Error(fmt.Sprint("all: ", diff))
			}
		})
	}
}
