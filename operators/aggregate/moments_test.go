package aggregate_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// spreads are the functions that deviation can compute.
func spreads() []aggregate.Func {
	return []aggregate.Func{"stddev_samp", "stddev_pop", "var_samp", "var_pop"}
}

// deviation computes a standard deviation or variance by its definition, in fractions and with
// 2000 bits.
func deviation(f aggregate.Func, v *columnar.Vector) *columnar.Vector {
	least := 2
	if f == "stddev_pop" || f == "var_pop" {
		least = 1
	}
	var values []*big.Rat
	mean := new(big.Rat)
	for i := range v.Len {
		x := new(big.Rat)
		switch {
		case v.IsNull(i):
			continue
		case v.Type == columnar.Float:
			x.SetFloat64(v.Floats[i])
		case v.Type == columnar.Decimal:
			x.SetFrac64(v.Ints[i], 1_000_000)
		default:
			x.SetInt64(v.Ints[i])
		}
		values = append(values, x)
		mean.Add(mean, x)
	}
	if len(values) < least {
		out := columnar.NewVector(columnar.Float)
		out.AppendNull()
		return out
	}
	mean.Quo(mean, big.NewRat(int64(len(values)), 1))
	squares := new(big.Rat)
	for _, x := range values {
		d := new(big.Rat).Sub(x, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	squares.Quo(squares, big.NewRat(int64(len(values)-least+1), 1))
	x := new(big.Float).SetPrec(2000).SetRat(squares)
	if f == "stddev_samp" || f == "stddev_pop" {
		x.Sqrt(x)
	}
	result, _ := x.Float64()
	return float(result)
}

// sample returns rows in which a column of rowSchema has the given values.
func sample(name string, v *columnar.Vector) columnar.Rows {
	rows := columnar.NewRows(rowSchema)
	rows.Len = v.Len
	for i, f := range rowSchema {
		if f.Name == name {
			rows.Cols[i] = v
			continue
		}
		for range v.Len {
			rows.Cols[i].AppendNull()
		}
	}
	return rows
}

func checkDeviation(t *testing.T, name string, v *columnar.Vector) {
	t.Helper()
	var aggs []aggregate.Agg
	line := columnar.Rows{Len: 1}
	for _, f := range spreads() {
		aggs = append(aggs, aggregate.Agg{Func: f, Args: []string{name}, Name: string(f)})
		line.Cols = append(line.Cols, deviation(f, v))
	}
	want := []string{rowtest.Line(line, 0)}
	for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
		c := open(sample(name, v), nil, aggs)
		c.Want = want
		c.Check(t, []int64{0, 1}, []int{1, 7, 1000})
	}
}

func TestStandardDeviation(t *testing.T) {
	const least, most = math.MinInt64, math.MaxInt64
	for _, values := range [][]int64{
		{},
		{5},
		{5, 5},
		{1, 2, 4},
		{2, 4, 4, 4, 5, 5, 7, 9},
		{1 << 62, 1<<62 + 1, 1<<62 + 2}, // whose floats are equal
		{least, most, least, most},
		{least, least, least},
		{most, most - 1},
	} {
		for name, typ := range map[string]columnar.Type{"n": columnar.Int, "score": columnar.Decimal} {
			v := columnar.NewVector(typ)
			for i, n := range values {
				if i == 1 {
					v.AppendNull()
				}
				v.AppendInt(n)
			}
			checkDeviation(t, name, v)
		}
	}
	for _, values := range [][]float64{
		{1.5},
		{0.1, 0.2, 0.3},
		{1e15, 1e15 + 0.125, 1e15 + 0.25},
		{1e150, -1e150, 1},
		{1e-140, 3e-140},
		{0, math.Copysign(0, -1)},
	} {
		v := columnar.NewVector(columnar.Float)
		for _, x := range values {
			v.AppendFloat(x)
		}
		checkDeviation(t, "ratio", v)
	}
}

// TestStandardDeviationOfRandomRows covers groups, spills and streaming.
func TestStandardDeviationOfRandomRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	rows := randomRows(rng, 1200, optest.Shape{Distinct: 200, Nulls: 2})
	keys := []string{"int"}
	var aggs []aggregate.Agg
	for _, arg := range []string{"n", "score", "ratio"} {
		for _, f := range spreads() {
			aggs = append(aggs, aggregate.Agg{Func: f, Args: []string{arg}, Name: arg + string(f)})
		}
	}
	groups := make(map[string][]int32)
	for i := range rows.Len {
		key := naiveKey(rowSchema, rows, keys, i)
		groups[key] = append(groups[key], int32(i))
	}
	var want []string
	for key, group := range groups {
		line := columnar.Rows{Len: 1}
		for _, a := range aggs {
			v := columnar.NewVector(rowSchema[rowSchema.Index(a.Args[0])].Type)
			v.AppendGather(column(rowSchema, rows, a.Args[0]), group)
			line.Cols = append(line.Cols, deviation(a.Func, v))
		}
		want = append(want, fmt.Sprintf("%s|%s", key, rowtest.Line(line, 0)))
	}
	for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
		c := open(rows, keys, aggs)
		c.Want = want
		c.Check(t, []int64{0, 1, 1 << 20}, []int{1, 200, 1200})
	}
}

func TestSquaresThatDoNotFit(t *testing.T) {
	v := columnar.NewVector(columnar.Float)
	v.AppendFloat(1e200)
	v.AppendFloat(1)
	c := inThree(sample("ratio", v), nil, []aggregate.Agg{{Func: "stddev_samp", Args: []string{"ratio"}, Name: "s"}})
	op, err := c.New(optest.NewWorld(0, nil).Runtime)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(op, 10); err == nil || !strings.Contains(err.Error(), `the stddev_samp "s" is of values whose squares do not fit float`) {
		t.Errorf("error %v", err)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
}
