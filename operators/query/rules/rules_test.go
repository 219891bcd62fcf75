package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
)

// tables returns o, whose rows are outer, and t, which the plans below read.
func tables() plan.Tables {
	table := func(name string, columns ...string) *columnar.Table {
		t := &columnar.Table{Name: name}
		for _, c := range columns {
			t.Columns = append(t.Columns, columnar.TableColumn{Name: c, Header: c, Format: columnar.FormatInt})
		}
		return t
	}
	return plan.TablesOf([]*columnar.Table{table("o", "a", "b"), table("t", "x", "y"), table("u", "z")})
}

func names() rules.Fresh {
	n := 0
	return func(like string, _ *expr.Expr) string {
		n++
		return fmt.Sprintf("%s#%d", like, n)
	}
}

func is(x, y string) *expr.Expr { return expr.Eq(expr.Col(x), expr.Col(y)) }

func one() *int64 { n := int64(1); return &n }

var (
	count = plan.Agg{Func: plan.Count, Name: "n"}
	max   = plan.Agg{Func: plan.Max, Args: []string{"x"}, Name: "m"}
)

func outer() rules.Outer { return rules.Outer{"a": true, "b": true} }

// plans returns plans that read a, and in some b, of o, with the conditions that Lift takes off
// them; none if it cannot.
func plans() map[string]struct {
	of     *plan.Node
	lifted []string
} {
	t, u := plan.From("t"), plan.From("u")
	filtered := t.Filter(expr.And(is("x", "a"), expr.Gt(expr.Col("y"), expr.Int(1))))
	compared := t.Filter(expr.Lt(expr.Col("x"), expr.Col("a")))
	type entry = struct {
		of     *plan.Node
		lifted []string
	}
	return map[string]entry{
		"an equality":                          {filtered, []string{"x = a"}},
		"another comparison":                   {compared, []string{"x < a"}},
		"a condition on outer columns":         {t.Filter(is("a", "b")), []string{"a = b"}},
		"below a projection":                   {filtered.Select("y"), []string{"x = a"}},
		"a projection":                         {t.Project(plan.As("s", expr.Add(expr.Col("x"), expr.Col("a")))), nil},
		"below groups":                         {filtered.Aggregate([]string{"y"}, count), []string{"a = x"}},
		"below groups by a computed key":       {t.Filter(expr.Eq(expr.Add(expr.Col("x"), expr.Int(1)), expr.Col("a"))).Aggregate([]string{"y"}, count), []string{`a = "key#1"`}},
		"two equalities of a column":           {filtered.Filter(is("x", "b")).Aggregate([]string{"y"}, count), []string{"a = x", "b = x"}},
		"another comparison below groups":      {compared.Aggregate([]string{"y"}, count), nil},
		"below an aggregation":                 {filtered.Aggregate(nil, count), nil},
		"below an order":                       {filtered.Sort(plan.Asc("x")), []string{"x = a"}},
		"below a limit":                        {filtered.Slice(1, one(), plan.Asc("y")), []string{"a = x"}},
		"below a window":                       {filtered.Window([]string{"y"}, nil, plan.Call{Func: "row_number", Name: "r"}), []string{"a = x"}},
		"below an inner join":                  {u.Join(filtered, plan.On("z", "x")), []string{"z = a"}},
		"below both sides of an inner join":    {filtered.Join(u.Filter(is("z", "b"))), []string{"x = a", "z = b"}},
		"the same on both sides of a join":     {filtered.Join(filtered.Project(plan.As("p", expr.Col("y"))), plan.On("y", "p")), nil},
		"below the kept side of an outer join": {filtered.OuterJoin(plan.Left, u, plan.On("y", "z")), []string{"x = a"}},
		"below the other side":                 {filtered.OuterJoin(plan.Right, u, plan.On("y", "z")), nil},
		"below a full join":                    {filtered.OuterJoin(plan.Full, u, plan.On("y", "z")), nil},
		"below both sides of a right join":     {filtered.OuterJoin(plan.Right, u.Filter(is("z", "b")), plan.On("y", "z")), nil},
		"below a union":                        {plan.UnionAll(filtered, t), nil},
		"nothing":                              {t, []string{}},
	}
}

func TestLift(t *testing.T) {
	for what, c := range plans() {
		l, ok := rules.Lift(nil, c.of, outer(), tables(), names())
		if ok != (c.lifted != nil) {
			t.Errorf("%s: lifted %v", what, ok)
		}
		if !ok {
			continue
		}
		got := []string{}
		for _, c := range l.Conditions {
			got = append(got, c.String())
		}
		if !slices.Equal(got, c.lifted) {
			t.Errorf("%s: lifted %q, not %q", what, got, c.lifted)
		}
		schema, err := l.Node.Schema(tables())
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, c := range l.Conditions { // over the columns of both
			both := append(columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Int}}, schema...)
			if _, err := c.TypeOf(both); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

func TestLiftGroup(t *testing.T) {
	l, ok := rules.LiftGroup(nil, plan.From("t").Filter(is("x", "a")).Aggregate(nil, count), outer(), tables(), names())
	if !ok || !slices.Equal(l.Node.Keys, []string{"x"}) || l.Conditions[0].String() != "a = x" {
		t.Errorf("%v, keys %v, conditions %v", ok, l.Node.Keys, l.Conditions)
	}
}

// TestRemoveApplies holds that what an Apply becomes has its columns, and reads nothing of rows
// around it. That it gives the same rows is a test of package engine, which runs it.
func TestRemoveApplies(t *testing.T) {
	for what, c := range plans() {
		if what == "nothing" {
			continue
		}
		keys := []plan.Named{plan.As("ka", expr.Coalesce(expr.Col("a"), expr.Int(0))), plan.As("kb", expr.Coalesce(expr.Col("b"), expr.Int(0)))}
		domain := plan.From("o").Project(append(plan.Cols("a", "b"), keys...)...).Distinct("a", "b", "ka", "kb")
		apply := &plan.Node{
			Op: plan.Apply, Inputs: []*plan.Node{domain, c.of},
			Domain: &plan.Domain{Columns: []string{"a", "b"}, Keys: []string{"ka", "kb"}},
		}
		got, err := rules.Rewrite(nil, apply, tables(), nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		schema, err := got.Schema(tables())
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, name := range []string{"a", "b", "ka", "kb"} {
			if schema.Index(name) < 0 {
				t.Errorf("%s: there is no column %q among %v", what, name, schema.Names())
			}
		}
	}
}

// TestOfNothing holds what aggregates of no rows are.
func TestOfNothing(t *testing.T) {
	if got := rules.OfNothing(count, expr.Col("n")).String(); got != expr.Coalesce(expr.Col("n"), expr.Int(0)).String() {
		t.Errorf("a count of nothing is %s", got)
	}
	if got := rules.OfNothing(max, expr.Col("m")).String(); got != "m" {
		t.Errorf("a maximum of nothing is %s", got)
	}
}
