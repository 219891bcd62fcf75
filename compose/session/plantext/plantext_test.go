package plantext

import (
	"encoding/json"
	"strings"
	"testing"

	"analyzer/compose/engine"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/order"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// small is a plan with every kind of node, of two queries that share a join.
func small() *physical.Plan {
	nodes := []*physical.Node{
		{Scan: &physical.Scan{Table: "movies", Columns: []string{"id", "names"}, Where: []*expr.Expr{
			expr.Ge(expr.Col("year"), expr.Int(2000)), expr.Ne(expr.Col("id"), expr.Int(0)),
		}}},
		{Scan: &physical.Scan{Table: "ratings", Columns: []string{"movie_id"}, Filters: []physical.KeyFilter{{Join: 2, Columns: []string{"movie_id"}}}}},
		{
			Join:   &physical.Join{On: []plan.Pair{{Build: "id", Probe: "movie_id"}}},
			Inputs: []physical.Input{{Node: 0, Exchange: &physical.Exchange{Keys: []string{"id"}}}, {Node: 1, Exchange: &physical.Exchange{Keys: []string{"movie_id"}, Kind: physical.Joined}}},
		},
		{Unnest: &physical.Unnest{Lists: []plan.Unnested{{Column: "names", As: "name"}}}, Inputs: []physical.Input{{Node: 2}}},
		{Aggregate: &aggregate.Config{Keys: []string{"name"}, Aggs: []plan.Agg{{Func: plan.Count, Name: "n"}}, ToStates: true, Streaming: true}, Inputs: []physical.Input{{Node: 3}}},
		{Aggregate: &aggregate.Config{Keys: []string{"name"}, Aggs: []plan.Agg{{Func: plan.Count, Name: "n"}}, FromStates: true, ToStates: true}, Inputs: []physical.Input{{Node: 4}}},
		{Aggregate: &aggregate.Config{Keys: []string{"name"}, Aggs: []plan.Agg{{Func: plan.Count, Name: "n"}}, FromStates: true}, Inputs: []physical.Input{{Node: 5, Exchange: &physical.Exchange{Keys: []string{"name"}}}}},
		{Filter: expr.Gt(expr.Col("n"), expr.Int(1)), Inputs: []physical.Input{{Node: 6}}},
		{Sort: &order.SortConfig{Order: []plan.Order{{Column: "n", Desc: true}, plan.Asc("name")}, Limit: 3}, Inputs: []physical.Input{{Node: 7, Exchange: &physical.Exchange{}}}},
		{Aggregate: &aggregate.Config{Keys: []string{"id"}}, Inputs: []physical.Input{{Node: 2}}},
		{Percentile: &order.PercentileConfig{Column: "id", Quantile: 0.9}, Inputs: []physical.Input{{Node: 9}}},
		{Project: []plan.Named{plan.As("id", expr.Col("id")), plan.As("twice", expr.Mul(expr.Col("id"), expr.Int(2)))}, Inputs: []physical.Input{{Node: 10}}},
		{Union: true, Inputs: []physical.Input{{Node: 11}}},
		{Sort: &order.SortConfig{Order: []plan.Order{plan.Asc("id")}, Limit: -1}, Inputs: []physical.Input{{Node: 12}}},
	}
	for i, n := range nodes {
		n.ID = i
	}
	return &physical.Plan{Nodes: nodes, Stages: []*physical.Stage{{Nodes: []int{0, 1, 2}}}, Answers: []physical.Answer{{Query: "q1", Node: 8}, {Query: "q2", Node: 13}}}
}

const smallTree = `q1: Names
  first 3 by n desc, name #8
    exchange to one replica
      filter n > 1 #7
        final aggregate by name: count() as n #6
          exchange by name
            merge partial aggregate by name: count() as n #5
              partial aggregate by name: count() as n #4
                unnest names as name #3
                  join on id = movie_id #2
                    build side
                      exchange by id
                        scan movies (id, names) where year >= 2000 and id <> 0 #0
                    probe side
                      exchange by movie_id, or joined in place
                        scan ratings (movie_id); movie_id among id of #0 #1

q2
  sort by id #13
    rows as they come #12
      project id, id * 2 as twice #11
        keep id at or over quantile 0.9 #10
          distinct by id #9
            join on id = movie_id #2 (see above)
`

func TestTree(t *testing.T) {
	var out strings.Builder
	if err := Tree(&out, small(), map[string]string{"q1": "Names"}, nil); err != nil {
		t.Fatal(err)
	}
	if out.String() != smallTree {
		t.Errorf("printed\n%s\nnot\n%s", out.String(), smallTree)
	}
}

func report() *engine.Report {
	r := &engine.Report{Rows: 5, Bytes: 6, Spilled: 7}
	for i := range small().Nodes {
		r.Nodes = append(r.Nodes, engine.NodeReport{Node: i, RowsIn: 1, RowsOut: int64(i) * 1000, Batches: 2})
	}
	r.Nodes[8] = engine.NodeReport{Node: 8, RowsOut: 1, Nanos: 1_234_567, Spilled: 3 << 20}
	return r
}

func TestTreeOfARun(t *testing.T) {
	var out strings.Builder
	if err := Tree(&out, small(), nil, report()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	const column = 83 // behind the longest line
	want := map[int]string{
		0: "    rows    time   spilled", 2: "       1  1.23ms  3.00 MiB", 3: "", 4: "   7,000",
		13: "       0", 15: "", 16: "   1,000", 19: "  13,000",
	}
	for i, want := range want {
		if got := lines[i][min(column-2, len(lines[i])):]; got != want {
			t.Errorf("line %q ends in %q, want %q", lines[i], got, want)
		}
	}
	if lines[1] != "q1" || strings.Count(out.String(), ",000") != 13-1 {
		t.Errorf("printed\n%s", out.String())
	}
}

// TestWhichWay checks that after a run it is said whether rows were joined in place.
func TestWhichWay(t *testing.T) {
	for want, inPlace := range map[string]bool{"exchange not needed: joined in place\n": true, "exchange by movie_id\n": false} {
		r := report()
		r.Nodes[2].InPlace = inPlace
		var out strings.Builder
		if err := Tree(&out, small(), nil, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed\n%s\nwithout %q", out.String(), want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, r := range []*engine.Report{nil, report()} {
		var out strings.Builder
		if err := JSON(&out, small(), nil, r); err != nil {
			t.Fatal(err)
		}
		var back struct {
			physical.Plan
			Run *engine.Report `json:"run"`
		}
		if err := json.Unmarshal([]byte(out.String()), &back); err != nil {
			t.Fatal(err)
		}
		if len(back.Nodes) != len(small().Nodes) || back.Answers[1].Node != 13 || back.Nodes[7].Filter.String() != "n > 1" {
			t.Errorf("the plan reads back as %+v", back.Plan)
		}
		if (back.Run != nil) != (r != nil) || r != nil && (back.Run.Nodes[8].Nanos != 1_234_567 || back.Run.Spilled != 7) {
			t.Errorf("the run reads back as %+v", back.Run)
		}
	}
}

func TestGraphs(t *testing.T) {
	report := &engine.Report{Nodes: []engine.NodeReport{{Node: 8, RowsOut: 1200}}}
	for _, c := range []struct {
		write Writer
		lines []string
	}{
		{DOT, []string{
			"digraph plan {",
			`    n0 [label="#0 scan movies (id, names) where year >=\n2000 and id <> 0"];`,
			`  n0 -> n2 [label="by id"];`,
			`  n0 -> n1 [label="keys id", style=dashed, constraint=false];`,
			`  n3 -> n4;`,
			`  n8 -> answer_q1 [label="1,200 rows"];`,
			`  answer_q1 [label="q1: \"Names\" & <more>", shape=ellipse];`,
		}},
		{Mermaid, []string{
			"flowchart BT",
			`    n0["#35;0 scan movies (id, names) where year #gt;=<br>2000 and id #lt;#gt; 0"]`,
			`  n0 -- "by id" --> n2`,
			`  n0 -. "keys id" .-> n1`,
			`  n3 --> n4`,
			`  n8 -- "1,200 rows" --> answer_q1`,
			`  answer_q1(["q1: #quot;Names#quot; & #lt;more#gt;"])`,
		}},
	} {
		p := small()
		p.Stages = []*physical.Stage{{ID: 0, Table: "movies", Nodes: []int{0}}, {ID: 1, Table: "ratings", Phase: 1, Nodes: []int{1}}}
		var out strings.Builder
		if err := c.write(&out, p, map[string]string{"q1": `"Names" & <more>`}, report); err != nil {
			t.Fatal(err)
		}
		for _, line := range c.lines {
			if !strings.Contains("\n"+out.String(), "\n"+line+"\n") {
				t.Errorf("there is no line %q in\n%s", line, out.String())
			}
		}
	}
}
