package aggregate_test

import (
	"math"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// TestRegressions checks the floats nearest to the results of DuckDB 1.5, which rounds more often.
func TestRegressions(t *testing.T) {
	null := math.Inf(1)
	names := []string{"regr_slope", "regr_intercept", "regr_r2", "regr_avgx", "regr_avgy", "regr_sxx", "regr_syy", "regr_sxy"}
	for _, c := range []struct{ y, x, want []float64 }{
		{[]float64{1.5, 2.25, -7}, []float64{2, 3.5, 1000}, []float64{
			-0.00889861004309412, 1.8991841327770456, 0.9944811268050157, 335.1666666666667, -1.0833333333333333, 663006.1666666666, 52.791666666666664, -5899.833333333333,
		}},
		{[]float64{5, 5}, []float64{1, 2}, []float64{0, 5, 1, 1.5, 5, 0.5, 0, 0}},
		{[]float64{1, 2}, []float64{4, 4}, []float64{math.NaN(), null, null, 4, 1.5, 0, 0.5, 0}},
		{[]float64{7}, []float64{4}, []float64{math.NaN(), null, null, 4, 7, 0, 0, 0}},
		{nil, nil, []float64{null, null, null, null, null, null, null, null}},
		{[]float64{1e15, 1e15 + 1}, []float64{3, 3.25}, []float64{4, 999999999999988, 1, 3.125, 1e15 + 0.5, 0.03125, 0.5, 0.125}},
	} {
		for i, name := range names {
			want := columnar.NewVector(columnar.Float)
			if c.want[i] == null {
				want.AppendNull()
			} else {
				want.AppendFloat(c.want[i])
			}
			for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
				o := open(pairsOf(c.y, c.x), nil, []aggregate.Agg{{Func: aggregate.Func(name), Args: []string{"ratio", "share"}, Name: name}})
				o.Want = []string{rowtest.Value(want, 0)}
				o.Check(t, []int64{0}, []int{2})
			}
		}
	}
}
