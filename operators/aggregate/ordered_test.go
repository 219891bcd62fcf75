package aggregate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

// If one group has more values than fit in memory, its quantile is found on disk. That also
// holds if other groups come later and it is split from them.
func TestQuantileOfMoreThanMemory(t *testing.T) {
	const values, limit = 400_000, 1 << 20
	schema := columnar.Schema{{Name: "key", Type: columnar.Int}, {Name: "x", Type: columnar.Int}}
	for _, others := range []int{0, 50_000} {
		rows := columnar.NewRows(schema)
		for i := range values {
			rows.Cols[0].AppendInt(-1)
			rows.Cols[1].AppendInt(int64(i) * 7919 % values)
		}
		for i := range others {
			rows.Cols[0].AppendInt(int64(i))
			rows.Cols[1].AppendInt(int64(i))
		}
		rows.Len = values + others
		w := optest.NewWorld(limit, nil)
		op, err := aggregate.New(w.Runtime, aggregate.Config{Input: schema, Keys: []string{"key"}, Aggs: []aggregate.Agg{
			{Func: aggregate.QuantileDisc, Args: []string{"x"}, Param: "0.25", Name: "q"},
			{Func: aggregate.QuantileDisc, Args: []string{"x"}, Param: "0.75", Name: "upper"},
			{Func: aggregate.Count, Name: "n"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		groups := 0
		emit := func(page columnar.Rows) error {
			groups += page.Len
			for i, key := range page.Cols[0].Ints[:page.Len] {
				q, upper, n := page.Cols[1].Ints[i], page.Cols[2].Ints[i], page.Cols[3].Ints[i]
				if key >= 0 && (q != key || upper != key || n != 1) || key < 0 && (q != values/4-1 || upper != values/4*3-1 || n != values) {
					t.Errorf("the quantiles of group %d are %d and %d, of %d values", key, q, upper, n)
				}
			}
			return nil
		}
		for lo := 0; lo < rows.Len; lo += 4096 {
			if err := op.Push(context.Background(), 0, rows.Slice(lo, min(lo+4096, rows.Len)), emit); err != nil {
				t.Fatal(err)
			}
		}
		if err := op.Finish(context.Background(), 0, emit); err != nil {
			t.Fatal(err)
		}
		if peak := w.Budget.Peak(); groups != others+1 || peak > 2*limit {
			t.Errorf("%d groups, %d bytes", groups, peak)
		}
		w.CheckEmpty(t)
	}
}

// Whatever is made of all values of one group is the same if these take more memory than there is, if other groups
// come later, and if states are merged on the way.
func TestValuesOfOneGroupOfMoreThanMemory(t *testing.T) {
	const values, limit = 40_000, 512 << 10
	schema := columnar.Schema{{Name: "key", Type: columnar.Int}, {Name: "n", Type: columnar.Int}, {Name: "s", Type: columnar.Text}, {Name: "w", Type: columnar.Wide}}
	aggs := []aggregate.Agg{
		{Func: aggregate.Count, Name: "rows"},
		{Func: aggregate.StringAgg, Args: []string{"s"}, Param: ", ", Order: []order.Key{{Column: "n", Desc: true}}, Name: "texts"},
		{Func: aggregate.StringAgg, Args: []string{"s"}, Param: "", Order: []order.Key{{Column: "n", Desc: true}}, Name: "texts without commas"},
		{Func: aggregate.ArrayAgg, Args: []string{"n"}, Order: []order.Key{{Column: "s"}}, Name: "list"},
		{Func: aggregate.ArrayAgg, Args: []string{"s"}, Name: "list of texts"},
		{Func: aggregate.List, Args: []string{"n"}, Name: "integers"},
		{Func: aggregate.QuantileDisc, Args: []string{"n"}, Param: "0.7", Name: "quantile"},
		{Func: aggregate.QuantileDisc, Args: []string{"s"}, Param: "0.9", Name: "quantile of texts"},
		{Func: aggregate.QuantileCont, Args: []string{"w"}, Param: "0.3", Name: "quantile of wides"},
		{Func: aggregate.Mode, Args: []string{"s"}, Name: "mode"},
		{Func: aggregate.Entropy, Args: []string{"s"}, Name: "entropy"},
		{Func: aggregate.Histogram, Args: []string{"s"}, Name: "histogram"},
	}
	for _, others := range []int{0, 3000} {
		rows := columnar.NewRows(schema)
		for i := range values + others {
			rows.Cols[0].AppendInt(int64(max(-1, i-values)))
			rows.Cols[1].AppendInt(int64(i) * 7919 % values)
			rows.Cols[2].AppendBytes(fmt.Appendf(nil, "text %d", i*31%7000))
			rows.Cols[3].AppendWide(decimal128.FromI64(int64(i) * 104729))
		}
		rows.Len = values + others
		for _, a := range aggs {
			partial := aggregate.Config{Input: schema, Keys: []string{"key"}, Aggs: []aggregate.Agg{a}, ToStates: true, Streaming: true}
			states, err := partial.Schema()
			if err != nil {
				t.Fatal(err)
			}
			types := columnar.Each(a.Reads(), func(name string) columnar.Type { return schema[schema.Index(name)].Type })
			final := aggregate.Config{Input: states, Keys: partial.Keys, Aggs: partial.Aggs, FromStates: true, ArgTypes: [][]columnar.Type{types}}
			merging := final
			merging.ToStates = true
			whole := aggregate.Config{Input: schema, Keys: partial.Keys, Aggs: partial.Aggs}
			want := answerOf(t, 0, rows, whole)
			if len(want) != 1+min(1, others)*others {
				t.Fatalf("%s: %d groups", a.Name, len(want))
			}
			for how, cfgs := range map[string][]aggregate.Config{"rows": {whole}, "states": {partial, final}, "merged states": {partial, merging, final}} {
				if got := answerOf(t, limit, rows, cfgs...); !slices.Equal(got, want) {
					t.Errorf("%s, %s, %d other groups: another answer in little memory", a.Name, how, others)
				}
			}
		}
	}
}

// answerOf returns the sorted rows of a chain of aggregations, in so much memory; 0: any.
func answerOf(t *testing.T, limit int64, rows columnar.Rows, cfgs ...aggregate.Config) (lines []string) {
	t.Helper()
	w := optest.NewWorld(limit, nil)
	op, err := newChain(w.Runtime, cfgs...)
	if err != nil {
		t.Fatal(err)
	}
	emit := func(page columnar.Rows) error {
		for i := range page.Len {
			lines = append(lines, rowtest.Line(page, i))
		}
		return nil
	}
	for lo := 0; lo < rows.Len && err == nil; lo += 2048 {
		err = op.Push(t.Context(), 0, rows.Slice(lo, min(lo+2048, rows.Len)), emit)
	}
	if err = errors.Join(err, op.Finish(t.Context(), 0, emit)); err != nil {
		t.Fatalf("%s: %v", cfgs[0].Aggs[0].Name, err)
	}
	const oneValue = 4 << 20 // may be held whatever the limit
	if peak := w.Budget.Peak(); limit > 0 && peak > limit+oneValue {
		t.Errorf("%s: %d KiB were reserved at once", cfgs[0].Aggs[0].Name, peak>>10)
	}
	w.CheckEmpty(t)
	slices.Sort(lines)
	return lines
}

// The quantiles of values of any distribution equal those of the sorted values.
func TestQuantilesOfShapes(t *testing.T) {
	shapes := []func(i, n int) int64{
		func(i, _ int) int64 { return int64(i) },
		func(i, n int) int64 { return int64(n - i) },
		func(int, int) int64 { return 7 },
		func(int, int) int64 { return math.MaxInt64 },
		func(i, _ int) int64 { return math.MaxInt64 - int64(i%2) },
		func(i, _ int) int64 { return int64(i % 3) },
		func(i, n int) int64 { return int64(min(i, n-i)) },
		func(i, n int) int64 { return int64(i) * 7919 % int64(n) },
		func(i, _ int) int64 { return int64(i%2) * int64(i) },
		func(i, n int) int64 { return int64((i*i)%n - n/2) },
	}
	rows := columnar.NewRows(rowSchema)
	for _, n := range []int{1, 2, 33, 100, 1021} {
		for s, shape := range shapes {
			for i := range n {
				for c, f := range rowSchema {
					switch f.Name {
					case "int":
						rows.Cols[c].AppendInt(int64(1000*s + n))
					case "n":
						rows.Cols[c].AppendInt(shape(i, n))
					default:
						rows.Cols[c].AppendNull()
					}
				}
			}
			rows.Len += n
		}
	}
	var aggs []aggregate.Agg
	for _, q := range []string{"0", "0.01", "0.25", "0.5", "0.9", "1"} {
		aggs = append(aggs, aggregate.Agg{Func: aggregate.QuantileCont, Args: []string{"n"}, Param: q, Name: "between " + q},
			aggregate.Agg{Func: aggregate.QuantileDisc, Args: []string{"n"}, Param: q, Name: "one of them " + q})
	}
	whole(rows, []string{"int"}, append(aggs, aggregate.Agg{Func: aggregate.Mode, Args: []string{"n"}, Name: "mode"})).Check(t, []int64{0}, []int{500})
}

// If the values of one group make up a single value of the answer, they must fit into memory;
// otherwise the error names the aggregate.
func TestTextsOfMoreThanMemory(t *testing.T) {
	const limit = 10 << 20
	schema := columnar.Schema{{Name: "s", Type: columnar.Text}}
	rows := columnar.NewRows(schema)
	for range 500 {
		rows.Cols[0].AppendBytes(make([]byte, 10_000))
	}
	rows.Len = 500
	for _, times := range []int{1, 3} {
		w := optest.NewWorld(limit, nil)
		op, err := aggregate.New(w.Runtime, aggregate.Config{Input: schema, Aggs: []aggregate.Agg{{Func: aggregate.StringAgg, Args: []string{"s"}, Name: "all texts"}}})
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		emit := func(page columnar.Rows) error {
			size += len(page.Cols[0].Data)
			return nil
		}
		for n := 0; n < times && err == nil; n++ {
			err = op.Push(context.Background(), 0, rows, emit)
		}
		if err = errors.Join(err, op.Finish(context.Background(), 0, emit)); times == 1 {
			if err != nil || size != 500*10_000 {
				t.Errorf("%d bytes, %v", size, err)
			}
			w.CheckEmpty(t)
			continue
		}
		var exceeded *budget.ExceededError
		if !errors.As(err, &exceeded) || !strings.Contains(err.Error(), "all texts") {
			t.Errorf("three times as much: %v", err)
		}
		w.CheckEmpty(t)
	}
}
