package order_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

func numberSchema(t columnar.Type) columnar.Schema {
	return columnar.Schema{{Name: "name", Type: columnar.Text}, {Name: "value", Type: t}}
}

func randomNumbers(n int, t columnar.Type) columnar.Rows {
	return optest.Random(rand.New(rand.NewPCG(uint64(n), xxhash.Sum64String(t.String()))), numberSchema(t), n, optest.Shape{Distinct: 900, Nulls: 1})
}

// percentile is a percentile filter and its answer.
func percentile(rows columnar.Rows, typ columnar.Type, q float64) optest.Case {
	schema := numberSchema(typ)
	cfg := order.PercentileConfig{Column: "value", Quantile: q}
	return optest.Case{
		New:    func(rt *operators.Runtime) (operators.Operator, error) { return order.NewPercentile(rt, schema, cfg) },
		Inputs: []optest.Input{{Schema: schema, Rows: rows}},
		Output: schema, Ordered: true,
		Want: naivePercentile(rows, q),
	}
}

// naivePercentile follows the definition.
func naivePercentile(rows columnar.Rows, q float64) []string {
	value := func(i int) (float64, bool) {
		v := rows.Cols[1]
		switch {
		case v.IsNull(i):
			return 0, false
		case v.Type == columnar.Float:
			return v.Floats[i], true
		case v.Type == columnar.Decimal:
			f, _ := big.NewRat(v.Ints[i], 1_000_000).Float64()
			return f, true
		}
		return float64(v.Ints[i]), true
	}
	var values []float64
	for i := range rows.Len {
		if f, ok := value(i); ok {
			values = append(values, f)
		}
	}
	if len(values) == 0 {
		return nil
	}
	slices.SortFunc(values, naiveFloats)
	p := float64(len(values)-1) * q
	i := int(math.Floor(p))
	threshold := values[i]
	if part := p - float64(i); part > 0 && values[i+1] != values[i] {
		threshold += (values[i+1] - values[i]) * part
	}
	var lines []string
	for i := range rows.Len {
		if f, ok := value(i); ok && f >= threshold {
			lines = append(lines, rowtest.Line(rows, i))
		}
	}
	return lines
}

func TestPercentile(t *testing.T) {
	for _, typ := range []columnar.Type{columnar.Int, columnar.Decimal, columnar.Float} {
		for _, n := range []int{0, 1, 2, 3, 10, 5000} {
			for _, q := range []float64{0, 0.25, 0.5, 0.9, 0.999, 1} {
				t.Run(fmt.Sprintf("%s n=%d q=%v", typ, n, q), func(t *testing.T) {
					percentile(randomNumbers(n, typ), typ, q).Check(t, []int64{0, 1}, []int{1000})
				})
			}
		}
	}
}

// The 306.6 of the published answer lies between its neighbours.
func TestPercentileInterpolates(t *testing.T) {
	rows := columnar.NewRows(numberSchema(columnar.Int))
	for i, n := range []int64{300, 100, 311, 200} {
		rows.Cols[0].AppendBytes(fmt.Append(nil, i))
		rows.Cols[1].AppendInt(n)
		rows.Len++
	}
	c := percentile(rows, columnar.Int, 0.9) // the threshold is 300 + 0.7 × 11
	c.Want = []string{`"2"|311`}
	c.Check(t, []int64{0, 1}, []int{1, 4})
}

// There is no number between two infinities.
func TestPercentileOfInfinities(t *testing.T) {
	rows := columnar.NewRows(numberSchema(columnar.Float))
	for i, f := range []float64{1, math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(1)} {
		rows.Cols[0].AppendBytes(fmt.Append(nil, i))
		rows.Cols[1].AppendFloat(f)
		rows.Len++
	}
	for q, want := range map[float64]int{0: 5, 0.25: 4, 0.5: 3, 0.9: 3, 1: 3} {
		c := percentile(rows, columnar.Float, q)
		if len(c.Want) != want {
			t.Errorf("the naive one keeps %d rows", len(c.Want))
		}
		c.Check(t, []int64{0, 1}, []int{5})
	}
}

func TestPercentilesThatAreNot(t *testing.T) {
	rt := optest.NewWorld(0, nil).Runtime
	for _, q := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := order.NewPercentile(rt, numberSchema(columnar.Int), order.PercentileConfig{Column: "value", Quantile: q}); err == nil {
			t.Errorf("took the quantile %v", q)
		}
	}
	if _, err := order.NewPercentile(rt, numberSchema(columnar.Int), order.PercentileConfig{Column: "name", Quantile: 0.5}); err == nil {
		t.Error("took a percentile of text")
	}
}
