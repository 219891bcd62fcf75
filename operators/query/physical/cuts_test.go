package physical_test

import (
	"testing"

	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
)

// TestForCuts checks which scans of ratings keep key filters made of ratings, when there are
// answers before all ratings were read.
func TestForCuts(t *testing.T) {
	ofFilms := func(build *plan.Node) *plan.Node {
		return build.Project(plan.As("id", expr.Col("film"))).Join(ratings(), plan.On("id", "film"))
	}
	counted := func(where *expr.Expr) *plan.Node {
		return ratings().Aggregate([]string{"film"}, count("n"), avg("rating", "mean")).Filter(where)
	}
	few := expr.Lt(expr.Col("n"), expr.Int(3))
	english := expr.Eq(expr.Language(expr.Col("text")), expr.Str("en"))
	bounded, err := rules.Rewrite(nil, films().Select("id", "title").Join(plan.From("texts").Filter(english), plan.On("id", "film")).
		Aggregate([]string{"id", "title"}, count("n")).Filter(over("n", 100)), tables(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		root  *plan.Node
		stays bool
	}{
		"other table":       {rated(films().Top(3, plan.Order{Column: "budget", Desc: true}).Select("id")), true},
		"some rows":         {ofFilms(ratings().Filter(over("user", 3)).Distinct("film")), true},
		"joined":            {ofFilms(rated(films()).Project(plan.As("film", expr.Col("id"))).Distinct("film")), true},
		"many of a group":   {ofFilms(counted(over("n", 3))), true},
		"bounded":           {bounded, true},
		"few of a group":    {ofFilms(counted(few)), false},
		"many, not too":     {ofFilms(counted(expr.And(over("n", 3), expr.Lt(expr.Col("n"), expr.Int(9))))), false},
		"a mean":            {ofFilms(counted(over("mean", 3))), false},
		"a computed number": {ofFilms(ratings().Aggregate(nil, plan.Agg{Func: plan.Max, Args: []string{"film"}, Name: "film"})), false},
		"first ones":        {ofFilms(ratings().Top(3, plan.Order{Column: "rating", Desc: true}).Distinct("film")), false},
		"by place":          {ofFilms(ratings().Window([]string{"user"}, []plan.Order{{Column: "rating", Desc: true}}, plan.Call{Func: "row_number", Name: "n"}).Filter(over("n", 2)).Distinct("film")), false},
		"of both": {
			ofFilms(plan.UnionAll(ratings().Select("film"), counted(few).Select("film")).Distinct("film")), false,
		},
		"without partner": {
			ofFilms(films().OuterJoin(plan.Left, ratings(), plan.On("id", "film")).Filter(expr.IsNull(expr.Col("user"))).Project(plan.As("film", expr.Col("id")))), false,
		},
	} {
		for _, newPlan := range []func(*budget.Work, []*plan.Query, plan.Tables) (*physical.Plan, error){physical.New, physical.NewDistributed} {
			p, err := newPlan(nil, []*plan.Query{{Name: name, Root: c.root}}, tables())
			if err != nil {
				t.Fatal(err)
			}
			cuts := p.ForCuts()
			if err := cuts.Validate(); err != nil {
				t.Error(err)
			}
			if n := filters(p); n == 0 || (filters(cuts) == n) != c.stays {
				t.Errorf("%s: %d scans are filtered, %d with cuts\n%s", name, n, filters(cuts), p)
			}
		}
	}
}

func filters(p *physical.Plan) (n int) {
	for _, node := range p.Nodes {
		if node.Scan != nil {
			n += len(node.Scan.Filters)
		}
	}
	return n
}
