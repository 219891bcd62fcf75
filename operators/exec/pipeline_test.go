package exec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

func newRuntime(t *testing.T) *operators.Runtime {
	t.Helper()
	scratch := segment.NewScratch(vfs.NewMem(), "/")
	t.Cleanup(func() {
		if err := scratch.Close(); err != nil {
			t.Error(err)
		}
	})
	return &operators.Runtime{Budget: budget.New(0), Scratch: scratch, Env: expr.NewEnv()}
}

var pairs = columnar.Schema{{Name: "k", Type: columnar.Int}, {Name: "v", Type: columnar.Text}}

// pairsOf returns rows (k, v) written as "1a 2b".
func pairsOf(text string) columnar.Rows {
	rows := columnar.NewRows(pairs)
	for _, word := range strings.Fields(text) {
		rows.Cols[0].AppendInt(int64(word[0] - '0'))
		rows.Cols[1].AppendBytes([]byte(word[1:]))
		rows.Len++
	}
	return rows
}

// written is the inverse of pairsOf, sorted, for an int column followed by
// another one.
func written(rows columnar.Rows) []string {
	out := make([]string, rows.Len)
	for i := range out {
		out[i] = fmt.Sprint(rows.Cols[0].Ints[i])
		for _, c := range rows.Cols[1:] {
			if c.Type == columnar.Text {
				out[i] += string(c.Bytes(i))
			} else {
				out[i] += fmt.Sprintf("/%d", c.Ints[i])
			}
		}
	}
	slices.Sort(out)
	return out
}

// epochs is an outlet that collects the rows of each epoch.
type epochs struct{ open, done []string }

func (e *epochs) Push(_ context.Context, rows columnar.Rows) error {
	e.open = append(e.open, written(rows)...)
	return nil
}

func (e *epochs) Finish(context.Context) error {
	slices.Sort(e.open)
	e.done = append(e.done, strings.Join(e.open, " "))
	e.open = nil
	return nil
}

// outletAt returns outlets for New: out at one node.
func outletAt(node int, out Outlet) func(int) ([]Outlet, error) {
	return func(n int) ([]Outlet, error) {
		if n == node {
			return []Outlet{out}, nil
		}
		return nil, nil
	}
}

var pairTable = &columnar.Table{Name: "pairs", Columns: []columnar.TableColumn{
	{Name: "k", Header: "k", Format: columnar.FormatInt}, {Name: "v", Header: "v", Format: columnar.FormatText},
}}

func planOf(t *testing.T, roots ...*plan.Node) *physical.Plan {
	t.Helper()
	queries := make([]*plan.Query, len(roots))
	for i, r := range roots {
		queries[i] = &plan.Query{Name: fmt.Sprintf("q%d", i), Root: r}
	}
	p, err := physical.NewDistributed(nil, queries, plan.Tables{"pairs": pairTable})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// scans returns the scan nodes of a plan.
func scans(p *physical.Plan) []*physical.Node {
	return slices.DeleteFunc(slices.Clone(p.Nodes), func(n *physical.Node) bool { return n.Scan == nil })
}

func counted() *plan.Node {
	return plan.From("pairs").Aggregate([]string{"k"}, plan.Agg{Func: plan.Count, Name: "n"})
}

func TestAPipelineRunsEpochAfterEpoch(t *testing.T) {
	p := planOf(t, counted())
	scan := scans(p)[0]
	stage, err := SubStage(p, p.Stages[scan.Stage], scan.ID)
	if err != nil {
		t.Fatal(err)
	}
	last := stage.Nodes[len(stage.Nodes)-1]
	if p.Nodes[last].Aggregate == nil {
		t.Fatalf("the stage ends in node %d, not in a partial aggregation:\n%v", last, p)
	}
	out := &epochs{}
	l, err := New(newRuntime(t), p, stage, outletAt(last, out))
	if err != nil {
		t.Fatal(err)
	}
	ctx, in := context.Background(), Port{Node: scan.ID}
	for _, batches := range [][]string{{"1a 2b", "1c"}, {}, {"3a 3b 2c"}} {
		for _, b := range batches {
			rows := pairsOf(b)
			if err := l.Push(ctx, in, rows.Project([]int{0})); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Finish(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"1/2 2/1", "", "2/1 3/2"}; !slices.Equal(out.done, want) {
		t.Errorf("epochs %q, want %q", out.done, want)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestKeysPassProjectionsCoded takes columns coded that are keys behind a projection, which makes nothing of their texts.
func TestKeysPassProjectionsCoded(t *testing.T) {
	k, v := plan.Named{Name: "k", Expr: expr.Col("k")}, plan.Named{Name: "key", Expr: expr.Col("v")}
	next := plan.Named{Name: "n", Expr: expr.Add(expr.Col("k"), expr.Int(1))}
	for _, c := range []struct {
		columns []plan.Named
		coded   string
		want    string
	}{
		{[]plan.Named{v, k}, "kv", "1a/2 2b/1 2c/1"},
		{[]plan.Named{k, v, next}, "kv", "1a/2/2 2b/1/3 2c/1/3"},
		{[]plan.Named{k, v, {Name: "n", Expr: expr.Call(expr.OpLength, expr.Col("v"))}}, "k", "1a/2/1 2b/1/1 2c/1/1"},
		{[]plan.Named{k, {Name: "key", Expr: expr.Lower(expr.Col("v"))}}, "k", "1a/2 2b/1 2c/1"},
	} {
		aggs := []plan.Agg{{Func: plan.Count, Name: "rows"}}
		if len(c.columns) == 3 {
			aggs = append(aggs, plan.Agg{Func: plan.Max, Args: []string{"n"}, Name: "most"})
		}
		p := planOf(t, plan.From("pairs").Project(c.columns...).Aggregate([]string{"k", "key"}, aggs...))
		scan := scans(p)[0]
		stage, err := SubStage(p, p.Stages[scan.Stage], scan.ID)
		if err != nil {
			t.Fatal(err)
		}
		out := &epochs{}
		l, err := New(newRuntime(t), p, stage, outletAt(stage.Nodes[len(stage.Nodes)-1], out))
		if err != nil {
			t.Fatal(err)
		}
		rows, coded := pairsOf("1a 2b 1a 2c"), ""
		for i, takes := range l.TakesCoded(scan.ID) {
			if takes {
				coded += pairs[i].Name
				rows.Cols[i] = &columnar.Vector{Type: pairs[i].Type, Len: rows.Len, Dictionary: rows.Cols[i], Places: []int32{0, 1, 0, 3}}
			}
		}
		ctx, in := context.Background(), Port{Node: scan.ID}
		if err := errors.Join(l.Push(ctx, in, rows), l.Finish(ctx, in), l.Close()); err != nil {
			t.Fatal(err)
		}
		if coded != c.coded || !slices.Equal(out.done, []string{c.want}) {
			t.Errorf("%v: %q are coded, want %q; %q, want %q", c.columns, coded, c.coded, out.done, c.want)
		}
	}
}

// If both sides of a join are made from the same rows, the probe side is held
// back until the build side is complete, in every epoch.
func TestAJoinOfRowsWithThemselvesRunsEpochAfterEpoch(t *testing.T) {
	p := &physical.Plan{
		Nodes: []*physical.Node{
			{ID: 0, Schema: pairs, Scan: &physical.Scan{Table: "pairs", Columns: []string{"k", "v"}}},
			{
				ID: 1, Schema: pairs[:1], Inputs: []physical.Input{{Node: 0}},
				Project: plan.Cols("k"),
			},
			{
				ID: 2, Schema: pairs, Inputs: []physical.Input{{Node: 1}, {Node: 0}},
				Join: &physical.Join{On: []plan.Pair{plan.On("k", "k")}, BuildOut: []string{"k"}, ProbeOut: []string{"v"}},
			},
		},
		Stages: []*physical.Stage{{ID: 0, Nodes: []int{0, 1, 2}, Table: "pairs"}},
	}
	out := &epochs{}
	l, err := New(newRuntime(t), p, p.Stages[0], outletAt(2, out))
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	l.OnBuilt(func(*physical.Node, operators.Operator) error { built++; return nil })
	ctx := context.Background()
	for _, batch := range []string{"1a 2b 1c", "2d", "1e 2f"} {
		if err := l.Push(ctx, Port{Node: 0}, pairsOf(batch)); err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(ctx, Port{Node: 0}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"1a 1a 1c 1c 2b", "2d", "1e 2f"}; !slices.Equal(out.done, want) {
		t.Errorf("epochs %q, want %q", out.done, want)
	}
	if built != 3 {
		t.Errorf("told %d times that the build side is complete, want 3", built)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestSubStageHoldsWhatOneScanFeeds(t *testing.T) {
	few := plan.From("pairs").Filter(expr.Eq(expr.Col("v"), expr.Str("x"))).Aggregate([]string{"k"}, plan.Agg{Func: plan.Count, Name: "n"})
	p := planOf(t, counted(), few, counted().Filter(expr.Gt(expr.Col("n"), expr.Int(1))))
	all := scans(p)
	if len(all) != 2 || all[0].Stage != all[1].Stage {
		t.Fatalf("%d scans; want two of one stage:\n%v", len(all), p)
	}
	stage := p.Stages[all[0].Stage]
	whole := 0
	for _, scan := range all {
		sub, err := SubStage(p, stage, scan.ID)
		if err != nil {
			t.Fatal(err)
		}
		if sub.ID != stage.ID || sub.Table != "pairs" || sub.Nodes[0] != scan.ID {
			t.Errorf("part %+v of %+v", sub, stage)
		}
		whole += len(sub.Nodes)
	}
	if whole != len(stage.Nodes) {
		t.Errorf("the parts hold %d nodes, the stage %d", whole, len(stage.Nodes))
	}
	if _, err := SubStage(p, stage, len(p.Nodes)); err == nil {
		t.Error("part of a scan that is not there")
	}
}

func TestSubStageRefusesNodesOfTwoScans(t *testing.T) {
	p := &physical.Plan{
		Nodes: []*physical.Node{
			{ID: 0, Schema: pairs, Scan: &physical.Scan{}},
			{ID: 1, Schema: pairs, Scan: &physical.Scan{}},
			{ID: 2, Schema: pairs, Union: true, Inputs: []physical.Input{{Node: 0}, {Node: 1}}},
		},
		Stages: []*physical.Stage{{ID: 0, Nodes: []int{0, 1, 2}, Table: "pairs"}},
	}
	if sub, err := SubStage(p, p.Stages[0], 0); err == nil {
		t.Errorf("part %v of a union of two scans", sub)
	}
}

// TestOutletCannotBeMade makes the creation of a pipeline fail at each of its nodes: the error
// says which.
func TestOutletCannotBeMade(t *testing.T) {
	p := planOf(t, plan.From("pairs").Join(counted().Project(plan.As("k2", expr.Col("k")), plan.As("n", expr.Col("n"))), plan.On("k", "k2")),
		plan.From("pairs").Window([]string{"k"}, []plan.Order{plan.Asc("v")}, plan.Call{Func: "row_number", Name: "n"}))
	failed := errors.New("no outlet")
	for _, stage := range p.Stages {
		for _, bad := range stage.Nodes {
			_, err := New(newRuntime(t), p, stage, func(node int) ([]Outlet, error) {
				if node == bad {
					return nil, failed
				}
				return nil, nil
			})
			if where := fmt.Sprintf("stage %d: node %d: ", stage.ID, bad); !errors.Is(err, failed) || !strings.Contains(err.Error(), where) {
				t.Errorf("the error is %v, not one at %s", err, where)
			}
		}
	}
}
