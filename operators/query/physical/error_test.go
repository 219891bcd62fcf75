package physical_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

func TestWrongPlansAreErrors(t *testing.T) {
	for want, root := range map[string]*plan.Node{
		`query q1: filter: there is no column "size"`:                            films().Filter(over("size", 1)),
		`there is no table "books"`:                                              plan.From("books"),
		"sort: a limit or an offset is less than 0 rows":                         films().Top(-1, plan.Asc("id")),
		"query q1: sort: a limit or an offset is less than 0":                    films().Slice(-1, nil, plan.Asc("id")),
		"percentile: the quantile is 1.5, not from 0 to 1":                       films().AtPercentile("budget", 1.5),
		"percentile: the quantile is NaN, not from 0 to 1":                       films().AtPercentile("budget", math.NaN()),
		`join: there is no kind of join "sideways"; there are left, right, full`: films().OuterJoin("sideways", ratings(), plan.On("id", "film")),
		`join: both sides have a column "film"`:                                  ratings().OuterJoin(plan.Left, ratings(), plan.On("film", "film")),
		`join: both sides have a column "user"`:                                  ratings().Join(ratings(), plan.On("film", "film")),
		`percentile: column "title" is text, not a number`:                       films().AtPercentile("title", 0),
		`aggregate: column "n" stands twice`:                                     films().Aggregate([]string{"id"}, count("n"), count("n")),
		`join: id is int but title is text`:                                      films().Join(films().Select("title"), plan.On("id", "title")),
		`union: columns differ: id int and title text`:                           plan.UnionAll(films().Select("id"), films().Select("title")),
		`unnest: column "title" is text, not a list`:                             films().Unnest("title", "word"),
		`aggregate: sum does not take column "countries", which is textlist`:     films().Aggregate(nil, plan.Agg{Func: plan.Sum, Args: []string{"countries"}, Name: "x"}),
	} {
		_, err := physical.New(nil, []*plan.Query{{Name: "q1", Root: root}}, tables())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// TestColumnsOfANodeDiffer covers join keys that stay in the rows although no node needs them,
// and have the name of a column that is computed above.
func TestColumnsOfANodeDiffer(t *testing.T) {
	for name, root := range map[string]*plan.Node{
		"a state": films().Project(plan.As("n.count", expr.Col("id")), plan.As("title", expr.Col("title"))).
			Join(ratings(), plan.On("n.count", "film")).Aggregate([]string{"title"}, count("n")),
		"items of a list": rated(films()).Select("countries", "user").Unnest("countries", "id").
			Project(plan.As("id", expr.Col("id")), plan.As("twice", expr.Col("id")), plan.As("user", expr.Col("user"))).Sort(plan.Asc("id")),
	} {
		p, err := physical.New(nil, []*plan.Query{{Name: "q1", Root: root}}, tables())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range p.Nodes {
			names := n.Schema.Names()
			slices.Sort(names)
			if len(slices.Compact(names)) != len(n.Schema) {
				t.Errorf("%s: node %d has columns %s", name, n.ID, n.Schema)
			}
		}
	}
}

// TestDamagedPlansAreErrors damages a plan in every way that could lead code that walks over it
// astray.
func TestDamagedPlansAreErrors(t *testing.T) {
	for want, damage := range map[string]func(*physical.Plan){
		"node 1 is missing":                      func(p *physical.Plan) { p.Nodes[1] = nil },
		"node 2: is number 7":                    func(p *physical.Plan) { p.Nodes[2].ID = 7 },
		"node 2: is of stage 99":                 func(p *physical.Plan) { p.Nodes[2].Stage = 99 },
		"node 2: is of stage -1":                 func(p *physical.Plan) { p.Nodes[2].Stage = -1 },
		"node 0: is of 2 kinds":                  func(p *physical.Plan) { p.Nodes[0].Union = true },
		"node 0: is of 0 kinds":                  func(p *physical.Plan) { p.Nodes[0].Scan = nil },
		"node 0: has 1 inputs, needs 0":          func(p *physical.Plan) { p.Nodes[0].Inputs = []physical.Input{{}} },
		"reads from a node that does not go bef": func(p *physical.Plan) { p.Nodes[1].Inputs[0].Node = 1 },
		`there is no column "size"`:              func(p *physical.Plan) { exchangeOf(p).Keys = []string{"size"} },
		"node 0: has a filter by the keys of node 2, which is no join": func(p *physical.Plan) {
			p.Nodes[0].Scan.Filters = []physical.KeyFilter{{Join: 2, Columns: []string{"film"}}}
		},
		"stage 1 is not in its place":            func(p *physical.Plan) { p.Stages[1].ID = 0 },
		"stage 0 does not hold node 99":          func(p *physical.Plan) { p.Stages[0].Nodes = []int{99} },
		`query "q1" ends in node 99`:             func(p *physical.Plan) { p.Answers[0].Node = 99 },
		`query "q1" does not end on one replica`: func(p *physical.Plan) { p.Answers[0].Node = 0 },
	} {
		p, err := physical.New(nil, []*plan.Query{{Name: "q1", Root: ratings().Aggregate([]string{"film"}, count("n"))}}, tables())
		if err != nil {
			t.Fatal(err)
		}
		damage(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// TestKindsOfOneProcess checks that a cluster does not take a plan made for one process.
func TestKindsOfOneProcess(t *testing.T) {
	queries := []*plan.Query{{Name: "q1", Root: ratings().Aggregate([]string{"film"}, count("n"))}}
	for want, newPlan := range map[string]func(*budget.Work, []*plan.Query, plan.Tables) (*physical.Plan, error){"handed over": physical.New, "": physical.NewDistributed} {
		p, err := newPlan(nil, queries, tables())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.ValidateDistributed(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
		before := p.String()
		if err := p.ForCuts().ValidateDistributed(); err != nil {
			t.Errorf("rows that are needed part by part: %v", err)
		}
		if p.String() != before {
			t.Errorf("ForCuts changed the plan to\n%s\nfrom\n%s", p, before)
		}
	}
}

func exchangeOf(p *physical.Plan) *physical.Exchange {
	for _, n := range p.Nodes {
		for _, in := range n.Inputs {
			if in.Exchange != nil {
				return in.Exchange
			}
		}
	}
	return nil
}

// TestPlansTravel serialises the golden plans to JSON and validates the result.
func TestPlansTravel(t *testing.T) {
	for name, roots := range golden() {
		var queries []*plan.Query
		for _, root := range roots {
			queries = append(queries, &plan.Query{Name: name, Root: root})
		}
		p, err := physical.New(nil, queries, tables())
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back physical.Plan
		if err := json.Unmarshal(sent, &back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := back.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := json.Marshal(&back); err != nil || string(again) != string(sent) || back.String() != p.String() {
			t.Errorf("%s changes on its way: %v\n%s\n%s", name, err, sent, again)
		}
	}
}

// TestPlansAreOfTheirQueriesAlone checks that planning is deterministic, whatever the order of
// maps.
func TestPlansAreOfTheirQueriesAlone(t *testing.T) {
	for name, roots := range golden() {
		first := planned(t, roots, physical.New)
		for range 3 {
			if again := planned(t, roots, physical.New); again != first {
				t.Fatalf("%s is planned in two ways:\n%s\n%s", name, first, again)
			}
		}
	}
}
