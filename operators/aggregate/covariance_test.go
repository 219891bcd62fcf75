package aggregate_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// moments computes the correlation and the covariances by their definitions, in fractions.
func moments(xs, ys []float64) map[aggregate.Func]float64 {
	n := big.NewRat(int64(len(xs)), 1)
	mean := func(v []float64) *big.Rat {
		sum := new(big.Rat)
		for _, f := range v {
			sum.Add(sum, new(big.Rat).SetFloat64(f))
		}
		return sum.Quo(sum, n)
	}
	about := func(v, w []float64) *big.Rat {
		a, b, sum := mean(v), mean(w), new(big.Rat)
		for i := range v {
			x := new(big.Rat).SetFloat64(v[i])
			y := new(big.Rat).SetFloat64(w[i])
			sum.Add(sum, x.Mul(x.Sub(x, a), y.Sub(y, b)))
		}
		return sum
	}
	xy := about(xs, ys)
	product := new(big.Rat).Mul(about(xs, xs), about(ys, ys))
	root := new(big.Float).SetPrec(2000).SetRat(product)
	corr, _ := new(big.Float).SetPrec(2000).Quo(new(big.Float).SetPrec(2000).SetRat(xy), root.Sqrt(root)).Float64()
	pop, _ := new(big.Rat).Quo(xy, n).Float64()
	sample, _ := new(big.Rat).Quo(xy, new(big.Rat).Sub(n, big.NewRat(1, 1))).Float64()
	return map[aggregate.Func]float64{"corr": corr, "covar_pop": pop, "covar_samp": sample}
}

// pairsOf makes rows of two columns.
func pairsOf(xs, ys []float64) columnar.Rows {
	rows := columnar.NewRows(rowSchema)
	rows.Len = len(xs)
	for i, f := range rowSchema {
		for j := range xs {
			switch f.Name {
			case "ratio":
				rows.Cols[i].AppendFloat(xs[j])
			case "share":
				rows.Cols[i].AppendFloat(ys[j])
			default:
				rows.Cols[i].AppendNull()
			}
		}
	}
	return rows
}

// TestCovariances compares them with fractions, also for values far from zero, in one step and
// via states.
func TestCovariances(t *testing.T) {
	pair := []string{"ratio", "share"}
	rng := rand.New(rand.NewPCG(1, 6))
	far := func(scale float64) (x, y float64) {
		x = 1e9 + rng.NormFloat64()
		return x, scale * (rng.NormFloat64() - 0.3*x)
	}
	whole := func(most float64) (x, y float64) {
		return math.Trunc(most * rng.Float64()), math.Trunc(-most * rng.Float64())
	}
	for _, c := range []struct {
		next  func(float64) (x, y float64)
		scale float64
	}{{far, 1}, {far, 1e-9}, {far, 1e12}, {whole, 10}, {whole, 1 << 26}, {whole, 1 << 28}, {whole, 1 << 56}, {whole, 1 << 61}} {
		var xs, ys []float64
		for range 50 {
			x, y := c.next(c.scale)
			xs, ys = append(xs, x), append(ys, y)
		}
		rows := pairsOf(xs, ys)
		for f, want := range moments(xs, ys) {
			v := columnar.NewVector(columnar.Float)
			v.AppendFloat(want)
			for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
				c := open(rows, nil, []aggregate.Agg{{Func: f, Args: pair, Name: "x"}})
				c.Want = []string{rowtest.Value(v, 0)}
				c.Check(t, []int64{0}, []int{7})
			}
		}
	}
	for f, want := range map[aggregate.Func]string{"corr": "null", "covar_pop": "0", "covar_samp": "null"} {
		c := inOne(pairsOf([]float64{math.Pi}, []float64{2}), nil, []aggregate.Agg{{Func: f, Args: pair, Name: "x"}})
		if want == "0" {
			want = rowtest.Value(float(0), 0)
		}
		c.Want = []string{want}
		c.Check(t, []int64{0}, []int{1})
	}
	c := inOne(pairsOf([]float64{1, 2, 3}, []float64{5, 5, 5}), nil, []aggregate.Agg{{Func: "corr", Args: pair, Name: "x"}})
	c.Want = []string{"null"}
	c.Check(t, []int64{0}, []int{2})
}
