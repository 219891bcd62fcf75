package aggregate_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// one returns rows of which only the given columns, of integers or floats, are
// not null.
func one[T int64 | float64](column string, values ...T) columnar.Rows {
	rows := columnar.NewRows(rowSchema)
	for c, f := range rowSchema {
		for _, x := range values {
			switch v := rows.Cols[c]; {
			case f.Name != column:
				v.AppendNull()
			case f.Type == columnar.Float:
				v.AppendFloat(float64(x))
			default:
				v.AppendInt(int64(x))
			}
		}
	}
	rows.Len = len(values)
	return rows
}

func TestFloatsThatAreSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		values               []float64
		sum, mean, low, high float64
	}{
		{[]float64{1e308, 1e308, -1e308}, 1e308, 1e308 / 3, -1e308, 1e308},
		{[]float64{1, inf}, inf, inf, 1, inf},
		{[]float64{inf, -inf, 0}, nan, nan, -inf, inf},
		{[]float64{2, nan, 1}, nan, nan, 1, nan},
		{[]float64{nan}, nan, nan, nan, nan},
		{[]float64{zero, zero}, 0, 0, 0, 0},
		{[]float64{1e16, 1, -1e16}, 1, 1. / 3, -1e16, 1e16},
	} {
		var aggs []aggregate.Agg
		out := columnar.Rows{Len: 1}
		for i, f := range []aggregate.Func{aggregate.Sum, aggregate.Avg, aggregate.Min, aggregate.Max} {
			aggs = append(aggs, aggregate.Agg{Func: f, Args: []string{"ratio"}, Name: string(f)})
			out.Cols = append(out.Cols, float([]float64{c.sum, c.mean, c.low, c.high}[i]))
		}
		want := []string{rowtest.Line(out, 0)}
		for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
			c := open(one("ratio", c.values...), nil, aggs)
			c.Want = want
			c.Check(t, []int64{0, 1}, []int{1, 10})
		}
	}
}

// TestQuantilesBetweenDecimals is exact where neither the sum of two decimals nor the distance
// between them is.
func TestQuantilesBetweenDecimals(t *testing.T) {
	for _, c := range []struct {
		values   []int64 // in millionths
		quantile string
		want     float64
	}{
		{[]int64{1, 2}, "0.5", 0.0000015},
		{[]int64{-1, 0}, "0.5", -0.0000005},
		{[]int64{1_100_000, 1_300_000}, "0.5", 1.2},
		{[]int64{1_100_000, 1_300_000}, "0.3", 1.16},
		{[]int64{0, 1}, "0.000001", 1e-12},
		{[]int64{3, 1, 2}, "0.5", 0.000002},
		{[]int64{math.MaxInt64 - 1, math.MaxInt64}, "0.5", 9223372036854.7758065},
		{[]int64{math.MinInt64, math.MaxInt64}, "0.5", -0.0000005},
	} {
		aggs := []aggregate.Agg{{Func: aggregate.QuantileCont, Args: []string{"score"}, Param: c.quantile, Name: "q"}}
		out := columnar.Rows{Len: 1, Cols: []*columnar.Vector{float(c.want)}}
		for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
			o := open(one("score", c.values...), nil, aggs)
			o.Want = []string{rowtest.Line(out, 0)}
			o.Check(t, []int64{0, 1}, []int{1, 10})
		}
	}
}

func TestSumsOfIntegersEndAt64Bits(t *testing.T) {
	aggs := []aggregate.Agg{{Func: aggregate.Sum, Args: []string{"n"}, Name: "total"}}
	fits := inOne(one[int64]("n", math.MaxInt64, math.MaxInt64, math.MinInt64, math.MinInt64, 1, 1), nil, aggs)
	fits.Want = []string{"0"}
	fits.Check(t, []int64{0}, []int{1, 10})

	over := inOne(one[int64]("n", math.MaxInt64, 1), nil, aggs)
	op, err := over.New(optest.NewWorld(0, nil).Runtime)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := over.Run(op, 10); err == nil || !strings.Contains(err.Error(), `sum "total" does not fit`) {
		t.Errorf("error %v", err)
	}
}

// A column of a state has a name of its own where a key has the usual one.
func TestKeysNamedLikeStates(t *testing.T) {
	keyed := aggregate.Config{
		Input: columnar.Schema{{Name: "n.count", Type: columnar.Int}}, Keys: []string{"n.count"},
		Aggs: []aggregate.Agg{{Func: aggregate.Count, Name: "n"}}, ToStates: true,
	}
	states, err := keyed.Schema()
	if err != nil || !slices.Equal(states.Names(), []string{"n.count", "n.count_"}) {
		t.Fatalf("states %v, %v", states, err)
	}
	final := aggregate.Config{Input: states, Keys: keyed.Keys, Aggs: keyed.Aggs, FromStates: true, ArgTypes: [][]columnar.Type{nil}}
	if got, err := final.Schema(); err != nil || !slices.Equal(got.Names(), []string{"n.count", "n"}) {
		t.Errorf("results %v, %v", got, err)
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	count := []aggregate.Agg{{Func: aggregate.Count, Name: "n"}}
	sum := []aggregate.Agg{{Func: aggregate.Sum, Args: []string{"score"}, Name: "sum"}}
	decimal := [][]columnar.Type{{columnar.Decimal}}
	for want, cfg := range map[string]aggregate.Config{
		"emits states":             {Input: rowSchema, Aggs: count, Streaming: true},
		"types of the arguments":   {Input: rowSchema, Aggs: count, FromStates: true},
		`no key column "none"`:     {Input: rowSchema, Keys: []string{"none"}, Aggs: count},
		`no column "none"`:         {Input: rowSchema, Aggs: []aggregate.Agg{{Func: aggregate.Sum, Args: []string{"none"}, Name: "sum"}}},
		"which is text":            {Input: rowSchema, Aggs: []aggregate.Agg{{Func: aggregate.Sum, Args: []string{"text"}, Name: "sum"}}},
		`no aggregate "median"`:    {Input: rowSchema, Aggs: []aggregate.Agg{{Func: "median", Args: []string{"n"}, Name: "m"}}},
		"no state column sum.sum":  {Input: rowSchema, Aggs: sum, FromStates: true, ArgTypes: decimal},
		"no state column sum.sum ": {Input: columnar.Schema{{Name: "sum.sum", Type: columnar.Int}}, Aggs: sum, FromStates: true, ArgTypes: decimal},
		"a group takes 4100 words": sumsOf(2050),
		`which is textlist`:        {Input: rowSchema, Aggs: []aggregate.Agg{{Func: aggregate.List, Args: []string{"textlist"}, Name: "l"}}},
	} {
		if _, err := aggregate.New(optest.NewWorld(0, nil).Runtime, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// sumsOf adds up n columns. Sums of one column would share a state.
func sumsOf(n int) aggregate.Config {
	var cfg aggregate.Config
	for i := range n {
		name := fmt.Sprint("x", i)
		cfg.Input = append(cfg.Input, columnar.Field{Name: name, Type: columnar.Decimal})
		cfg.Aggs = append(cfg.Aggs, aggregate.Agg{Func: aggregate.Sum, Args: []string{name}, Name: "sum of " + name})
	}
	return cfg
}

// States may come from other processes.
func TestStatesThatDoNotDecode(t *testing.T) {
	states := columnar.Schema{{Name: "sum.sum", Type: columnar.FloatSum}}
	op, err := aggregate.New(optest.NewWorld(0, nil).Runtime, aggregate.Config{
		Input: states, Aggs: []aggregate.Agg{{Func: aggregate.Sum, Args: []string{"x"}, Name: "sum"}}, FromStates: true, ArgTypes: [][]columnar.Type{{columnar.Float}},
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := columnar.NewRows(states)
	rows.Cols[0].AppendBytes([]byte("no sum"))
	rows.Len = 1
	var emit operators.Emit = func(columnar.Rows) error { return nil }
	if err := op.Push(context.Background(), 0, rows, emit); err == nil || !strings.Contains(err.Error(), `sum "sum"`) {
		t.Errorf("error %v", err)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
}
