package aggregate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
)

var rowSchema = columnar.Schema{
	{Name: "id", Type: columnar.Int},
	{Name: "name", Type: columnar.Text},
	{Name: "tags", Type: columnar.TextList},
	{Name: "score", Type: columnar.Decimal},
	{Name: "ratio", Type: columnar.Float},
	{Name: "flag", Type: columnar.Bool},
	{Name: "n", Type: columnar.Int},
}

var allAggs = []plan.Agg{
	{Func: plan.Count, Name: "rows"},
	{Func: plan.Count, Arg: "name", Name: "names"},
	{Func: plan.CountIf, Arg: "flag", Name: "flags"},
	{Func: plan.Sum, Arg: "score", Name: "scores"},
	{Func: plan.Sum, Arg: "n", Name: "ns"},
	{Func: plan.Sum, Arg: "ratio", Name: "ratios"},
	{Func: plan.Avg, Arg: "score", Name: "score_mean"},
	{Func: plan.Avg, Arg: "n", Name: "n_mean"},
	{Func: plan.Avg, Arg: "ratio", Name: "ratio_mean"},
	{Func: plan.Min, Arg: "score", Name: "least"},
	{Func: plan.Max, Arg: "ratio", Name: "most"},
	{Func: plan.List, Arg: "n", Name: "list"},
}

// randomRows makes rows with few or many distinct keys, with nulls where asked.
func randomRows(rng *rand.Rand, n, distinct int, nulls bool) columnar.Rows {
	rows := columnar.NewRows(rowSchema)
	for range n {
		k := rng.IntN(distinct)
		null := func() bool { return nulls && rng.IntN(10) == 0 }
		for c, v := range rows.Cols {
			if null() {
				v.AppendNull()
				continue
			}
			switch c {
			case 0:
				v.AppendInt(int64(k))
			case 1:
				v.AppendBytes([]byte(strings.Repeat("n", k%5) + fmt.Sprint(k)))
			case 2:
				for i := range k % 4 {
					v.Child.AppendBytes([]byte(fmt.Sprint(k * i)))
				}
				v.EndList()
			case 3:
				v.AppendInt(rng.Int64N(1e12) - 5e11)
			case 4:
				v.AppendFloat(rng.NormFloat64() * 1e10)
			case 5:
				v.AppendBool(rng.IntN(2) == 0)
			case 6:
				v.AppendInt(rng.Int64N(1e15) - 5e14)
			}
		}
		rows.Len++
	}
	return rows
}

func newRuntime(t testing.TB, limit int64) *operators.Runtime {
	t.Helper()
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	rt := &operators.Runtime{
		Alloc: alloc, Budget: budget.New(limit),
		Scratch: segment.NewScratch(vfs.OS(), t.TempDir(), segment.Options{Allocator: alloc}),
		Env:     expr.NewEnv(),
	}
	t.Cleanup(func() {
		if used := rt.Budget.Used(); used != 0 {
			t.Errorf("%d bytes are still reserved", used)
		}
		if err := rt.Scratch.Close(); err != nil {
			t.Error(err)
		}
		if tt, ok := t.(*testing.T); ok {
			alloc.AssertSize(tt, 0)
		}
	})
	return rt
}

// feed pushes rows in batches and returns what is emitted.
func feed(t testing.TB, op *aggregate.Operator, rows columnar.Rows, batch int) columnar.Rows {
	t.Helper()
	out := columnar.NewRows(op.Schema())
	collect := func(r columnar.Rows) error {
		if r.Len > operators.PageRows {
			t.Errorf("a page of %d rows", r.Len)
		}
		out.AppendRange(r, 0, r.Len)
		return nil
	}
	for lo := 0; lo < rows.Len; lo += batch {
		if err := op.Push(context.Background(), 0, rows.Slice(lo, min(lo+batch, rows.Len)), collect); err != nil {
			t.Fatal(err)
		}
	}
	if err := op.Finish(context.Background(), 0, collect); err != nil {
		t.Fatal(err)
	}
	return out
}

// text writes rows as sorted lines.
func text(rows columnar.Rows) string {
	lines := make([]string, rows.Len)
	for i := range lines {
		var b strings.Builder
		for _, v := range rows.Cols {
			fmt.Fprintf(&b, "%s|", valueText(v, i))
		}
		lines[i] = b.String()
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func valueText(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "null"
	}
	switch v.Type {
	case columnar.Bool:
		return fmt.Sprint(v.Bools[i])
	case columnar.Int, columnar.Decimal:
		return fmt.Sprint(v.Ints[i])
	case columnar.Float:
		return fmt.Sprintf("%x", v.Floats[i])
	case columnar.Wide:
		return v.Wides[i].BigInt().String()
	case columnar.Text, columnar.FloatSum:
		return fmt.Sprintf("%q", v.Bytes(i))
	}
	var items []string
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		items = append(items, valueText(v.Child, int(j)))
	}
	return fmt.Sprint(items)
}

// Answers do not depend on the budget, the batch size, or on how the work is
// split into partial and final aggregation.
func TestSameAnswerHoweverItIsComputed(t *testing.T) {
	for _, keys := range [][]string{{"id"}, {"id", "n"}, {"id", "flag", "score"}, {"name"}, {"tags", "id"}, {}} {
		for _, nulls := range []bool{false, true} {
			for _, distinct := range []int{3, 40000} {
				name := fmt.Sprintf("%v nulls=%v distinct=%d", keys, nulls, distinct)
				t.Run(name, func(t *testing.T) { testSameAnswer(t, keys, nulls, distinct) })
			}
		}
	}
}

func testSameAnswer(t *testing.T, keys []string, nulls bool, distinct int) {
	rng := rand.New(rand.NewPCG(1, uint64(distinct)))
	rows := randomRows(rng, 20000, distinct, nulls)
	want := text(naive(rows, keys))
	for _, limit := range []int64{0, 1, 300 << 10, 3 << 20} {
		for _, batch := range []int{7, 1000, 20000} {
			if limit == 1 && batch == 7 {
				continue
			}
			rt := newRuntime(t, limit)
			op, err := aggregate.New(rt, aggregate.Config{Input: rowSchema, Keys: keys, Aggs: allAggs})
			if err != nil {
				t.Fatal(err)
			}
			for epoch := range 2 {
				if got := text(feed(t, op, rows, batch)); got != want {
					t.Fatalf("limit %d, batch %d, epoch %d: got %s\nwant %s", limit, batch, epoch, head(got), head(want))
				}
			}
			if err := op.Close(); err != nil {
				t.Fatal(err)
			}
			if got := text(partialThenFinal(t, rt, rows, keys, batch)); got != want {
				t.Fatalf("partial, limit %d, batch %d: got %s\nwant %s", limit, batch, head(got), head(want))
			}
		}
	}
}

func head(s string) string { return s[:min(len(s), 600)] }

func partialThenFinal(t *testing.T, rt *operators.Runtime, rows columnar.Rows, keys []string, batch int) columnar.Rows {
	partial, err := aggregate.New(rt, aggregate.Config{Input: rowSchema, Keys: keys, Aggs: allAggs, ToStates: true, Streaming: true})
	if err != nil {
		t.Fatal(err)
	}
	defer partial.Close()
	types := make([]columnar.Type, len(allAggs))
	for i, a := range allAggs {
		if a.Arg != "" {
			types[i] = rowSchema[rowSchema.Index(a.Arg)].Type
		}
	}
	states := feed(t, partial, rows, batch)
	final, err := aggregate.New(rt, aggregate.Config{Input: partial.Schema(), Keys: keys, Aggs: allAggs, FromStates: true, ArgTypes: types})
	if err != nil {
		t.Fatal(err)
	}
	defer final.Close()
	return feed(t, final, states, batch)
}

// naive aggregates with maps of row numbers, each aggregate by itself.
func naive(rows columnar.Rows, keys []string) columnar.Rows {
	groups := make(map[string][]int)
	for i := range rows.Len {
		var key strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&key, "%s|", valueText(rows.Cols[rowSchema.Index(k)], i))
		}
		groups[key.String()] = append(groups[key.String()], i)
	}
	var schema columnar.Schema
	for _, k := range keys {
		schema = append(schema, rowSchema[rowSchema.Index(k)])
	}
	for _, a := range allAggs {
		typ, _ := a.Type(rowSchema)
		schema = append(schema, columnar.Field{Name: a.Name, Type: typ})
	}
	out := columnar.NewRows(schema)
	for _, group := range groups {
		for c, k := range keys {
			out.Cols[c].AppendRange(rows.Cols[rowSchema.Index(k)], group[0], group[0]+1)
		}
		for c, a := range allAggs {
			naiveAggregate(rows, group, a, out.Cols[len(keys)+c])
		}
		out.Len++
	}
	return out
}

func naiveAggregate(rows columnar.Rows, group []int, a plan.Agg, out *columnar.Vector) {
	var v *columnar.Vector
	if a.Arg != "" {
		v = rows.Cols[rowSchema.Index(a.Arg)]
	}
	var some []int // rows whose argument is not null
	for _, i := range group {
		if v == nil || !v.IsNull(i) {
			some = append(some, i)
		}
	}
	switch a.Func {
	case plan.Count:
		out.AppendInt(int64(len(some)))
		return
	case plan.CountIf:
		n := 0
		for _, i := range some {
			if v.Bools[i] {
				n++
			}
		}
		out.AppendInt(int64(n))
		return
	case plan.List:
		var items []int64
		for _, i := range some {
			items = append(items, v.Ints[i])
		}
		slices.Sort(items)
		for _, n := range items {
			out.Child.AppendInt(n)
		}
		out.EndList()
		return
	}
	if len(some) == 0 {
		out.AppendNull()
		return
	}
	naiveNumber(a, v, some, out)
}

func naiveNumber(a plan.Agg, v *columnar.Vector, some []int, out *columnar.Vector) {
	sum, scale := exactSum(v, some)
	switch {
	case a.Func == plan.Avg && v.Type == columnar.Float:
		out.AppendFloat(ratFloat(sum) / float64(len(some)))
	case a.Func == plan.Avg:
		out.AppendFloat(ratFloat(ratQuo(sum, scale*int64(len(some)))))
	case a.Func == plan.Sum && v.Type == columnar.Float:
		out.AppendFloat(ratFloat(sum))
	case a.Func == plan.Sum && v.Type == columnar.Decimal:
		out.AppendWide(decimal128.FromBigInt(sum.Num()))
	case a.Func == plan.Sum:
		out.AppendInt(sum.Num().Int64())
	case a.Func == plan.Min:
		least := v.Ints[some[0]]
		for _, i := range some {
			least = min(least, v.Ints[i])
		}
		out.AppendInt(least)
	case a.Func == plan.Max:
		most := v.Floats[some[0]]
		for _, i := range some {
			most = max(most, v.Floats[i])
		}
		out.AppendFloat(most)
	}
}
