package aggregate_test

import (
	"math"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// TestEntropies computes entropies of as many different values as the counts say, each so often.
func TestEntropies(t *testing.T) {
	for _, counts := range [][]int{nil, {1}, {7}, {1, 1}, {2, 1, 5}, {1, 1, 1, 1, 1, 1, 1, 1}, {100, 3, 3, 50}} {
		rows := columnar.NewRows(rowSchema)
		terms := 0.0
		for i, n := range counts {
			terms += float64(n) * math.Log2(float64(n))
			for range n {
				rows.Len++
				for c, f := range rowSchema {
					switch f.Name {
					case "n":
						rows.Cols[c].AppendInt(int64(i))
					case "ratio":
						rows.Cols[c].AppendFloat(float64(i) / 7)
					case "text":
						rows.Cols[c].AppendBytes([]byte{'a' + byte(i)})
					default:
						rows.Cols[c].AppendNull()
					}
				}
			}
		}
		want := columnar.NewVector(columnar.Float)
		if rows.Len == 0 {
			want.AppendFloat(0)
		} else {
			want.AppendFloat(math.Log2(float64(rows.Len)) - terms/float64(rows.Len))
		}
		for _, arg := range []string{"n", "ratio", "text"} {
			for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
				c := open(rows, nil, []aggregate.Agg{{Func: aggregate.Entropy, Args: []string{arg}, Name: "x"}})
				c.Want = []string{rowtest.Value(want, 0)}
				c.Check(t, []int64{0, 1}, []int{2, 50})
			}
		}
	}
}
