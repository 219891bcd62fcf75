package aggregate_test

import (
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// TestSumsThatCancel adds numbers of which a sum in turn would lose the small one.
func TestSumsThatCancel(t *testing.T) {
	values := []float64{1e100, 1, -1e100, 0.5}
	for f, want := range map[aggregate.Func]float64{"fsum": 1.5, "favg": 0.375} {
		for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
			c := open(pairsOf(values, values), nil, []aggregate.Agg{{Func: f, Args: []string{"ratio"}, Name: "x"}})
			c.Want = []string{rowtest.Value(float(want), 0)}
			c.Check(t, []int64{0}, []int{1, 4})
		}
	}
}
