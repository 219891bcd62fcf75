package aggregate

import (
	"math"
	"math/big"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

func init() { functions.Add(regressionFunctions) }

// regressionFunctions are those of the line of least squares through points. The first argument is
// y and the second x, of rows that have both.
func regressionFunctions() []function {
	of := func(name, example, help string, forms []form) function {
		return function{name: Func(name), forms: forms, doc: registry.Aggregates.Doc(name, "(y, x)", help, name+"(3 * n + 1, n)", example)}
	}
	return []function{
		of("regr_slope", "3", "the slope of the line through the points that fits best, by least squares", pairForms(slope)),
		of("regr_intercept", "1", "the y of that line where x is 0", pairForms(intercept)),
		of("regr_r2", "1", "how well that line fits: the square of the correlation", pairForms(fit)),
		of("regr_count", "3", "how many rows have both values", []form{{
			takes: twoFloats, gives: columnar.Int, join: together, state: []column{countColumn},
		}}),
		of("regr_avgx", "2.3333333333333335", "the mean of x, of rows that have both values", meanOf(func(y, x []float64) []float64 { return x })),
		of("regr_avgy", "8", "the mean of y, of rows that have both values", meanOf(func(y, x []float64) []float64 { return y })),
		of("regr_sxx", "4.666666666666667", "the sum of the squares of x less its mean", pairForms(sumOfProducts(pairYY, pairY, pairY))),
		of("regr_syy", "42", "the sum of the squares of y less its mean", pairForms(sumOfProducts(pairXX, pairX, pairX))),
		of("regr_sxy", "14", "the sum of the products of x and y, each less its mean", pairForms(sumOfProducts(pairXY, pairX, pairY))),
	}
}

var twoFloats = []columnar.Type{columnar.Float, columnar.Float}

// meanOf returns the mean of one of the arguments.
func meanOf(argument func(y, x []float64) []float64) []form {
	sum := column{"sum", columnar.FloatSum, newFloatSum(func(arg *columnar.Vector) (a, b []float64) {
		return argument(arg.Floats, arg.Child.Floats), nil
	})}
	return []form{{takes: twoFloats, gives: columnar.Float, join: together, state: []column{sum, countColumn}, value: perGroup(floatMean)}}
}

// sumOfProducts returns a sum of products of differences from means.
func sumOfProducts(products, first, second int) func(group) (float64, bool, error) {
	return func(g group) (float64, bool, error) {
		n := g.count(pairCount)
		if n == 0 {
			return 0, false, nil
		}
		moment, fits := g.moment(pairCount, products, first, second)
		if !fits {
			return 0, false, errProducts
		}
		x := exactly(moment)
		x.Quo(x, exactly(big.NewInt(n)))
		f, _ := x.SetMantExp(x, 2*number.LeastExponent).Float64()
		return f, true, nil
	}
}

// moments returns the moments of the points. ok is false if all x are equal, so that there is no
// line.
func (g group) moments() (xx, xy, yy *big.Int, ok bool, err error) {
	if g.count(pairCount) == 0 {
		return nil, nil, nil, false, nil
	}
	xx, fitsX := g.moment(pairCount, pairYY, pairY, pairY)
	xy, fits := g.moment(pairCount, pairXY, pairX, pairY)
	yy, fitsY := g.moment(pairCount, pairXX, pairX, pairX)
	if !fits || !fitsX || !fitsY {
		return nil, nil, nil, false, errProducts
	}
	return xx, xy, yy, xx.Sign() > 0, nil
}

// quotient returns the float nearest to a quotient, in units of 2^exponent.
func quotient(a, b *big.Int, exponent int) (float64, bool, error) {
	x := exactly(a)
	x.Quo(x, exactly(b))
	f, _ := x.SetMantExp(x, exponent).Float64()
	return f, true, nil
}

// slope is NaN if there is no line, as in DuckDB, where the intercept then is null.
func slope(g group) (float64, bool, error) {
	xx, xy, _, ok, err := g.moments()
	if !ok {
		return math.NaN(), xx != nil, err
	}
	return quotient(xy, xx, 0)
}

// intercept is the mean of y less that of x times the slope: (Σy·xx - Σx·xy) / (n·xx).
func intercept(g group) (float64, bool, error) {
	xx, xy, _, ok, err := g.moments()
	if !ok {
		return 0, false, err
	}
	y, _ := g.exactSum(pairX)
	x, _ := g.exactSum(pairY)
	y.Sub(y.Mul(y, xx), x.Mul(x, xy))
	return quotient(y, xx.Mul(xx, big.NewInt(g.count(pairCount))), number.LeastExponent)
}

// fit is 1 if all y are equal: the line then goes through all points.
func fit(g group) (float64, bool, error) {
	xx, xy, yy, ok, err := g.moments()
	switch {
	case !ok:
		return 0, false, err
	case yy.Sign() == 0:
		return 1, true, nil
	}
	return quotient(xy.Mul(xy, xy), xx.Mul(xx, yy), 0)
}
