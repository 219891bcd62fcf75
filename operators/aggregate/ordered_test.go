package aggregate_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
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
