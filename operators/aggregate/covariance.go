package aggregate

import (
	"errors"
	"math/big"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

func init() { functions.Add(pairFunctions) }

// pairFunctions are functions of two columns of floats.
func pairFunctions() []function {
	of := func(name, help, example string, value func(group) (float64, bool, error)) function {
		return function{name: Func(name), forms: pairForms(value), doc: registry.Aggregates.Doc(name, "(number, number)", help, name+"(n, n)", example)}
	}
	return []function{
		of("corr", "the correlation of two numbers", "1", correlation),
		of("covar_pop", "the covariance of two numbers", "1.5555555555555556", spread{population: true}.ofPairs),
		of("covar_samp", "the covariance of two numbers, of a sample", "2.3333333333333335", spread{}.ofPairs),
	}
}

// The columns of the state of pairs.
const (
	pairCount = iota
	pairX
	pairY
	pairXX
	pairYY
	pairXY
)

// pairForms returns the forms of a function of pairs. All sums are exact: a product is summed
// as its nearest float and the remainder. So the result does not depend on the order of rows.
func pairForms(value func(group) (float64, bool, error)) []form {
	sums := func(name string, factors func(x, y []float64) (a, b []float64)) column {
		return column{name, columnar.FloatSum, newFloatSum(func(arg *columnar.Vector) (a, b []float64) {
			return factors(arg.Floats, arg.Child.Floats)
		})}
	}
	return []form{{
		takes: []columnar.Type{columnar.Float, columnar.Float}, gives: columnar.Float, join: together, value: perGroup(value), state: []column{
			pairCount: countColumn,
			pairX:     sums("x", func(x, _ []float64) (a, b []float64) { return x, nil }),
			pairY:     sums("y", func(_, y []float64) (a, b []float64) { return y, nil }),
			pairXX:    sums("xx", func(x, _ []float64) (a, b []float64) { return x, x }),
			pairYY:    sums("yy", func(_, y []float64) (a, b []float64) { return y, y }),
			pairXY:    sums("xy", func(x, y []float64) (a, b []float64) { return x, y }),
		},
	}}
}

var errProducts = errors.New("is of values whose products do not fit float")

// ofPairs returns the covariance.
func (s spread) ofPairs(g group) (float64, bool, error) {
	n := g.count(pairCount)
	if s.none(n) {
		return 0, false, nil
	}
	moment, fits := g.moment(pairCount, pairXY, pairX, pairY)
	if !fits {
		return 0, false, errProducts
	}
	x := s.perPair(moment, n)
	f, _ := x.SetMantExp(x, 2*number.LeastExponent).Float64()
	return f, true, nil
}

func correlation(g group) (float64, bool, error) {
	if g.count(pairCount) == 0 {
		return 0, false, nil
	}
	xy, fits := g.moment(pairCount, pairXY, pairX, pairY)
	xx, fitsX := g.moment(pairCount, pairXX, pairX, pairX)
	yy, fitsY := g.moment(pairCount, pairYY, pairY, pairY)
	switch {
	case !fits || !fitsX || !fitsY:
		return 0, false, errProducts
	case xx.Sign() <= 0 || yy.Sign() <= 0:
		return 0, false, nil
	}
	x := exactly(xy)
	x.Quo(x, new(big.Float).Sqrt(exactly(xx.Mul(xx, yy))))
	f, _ := x.Float64()
	return min(max(f, -1), 1), true, nil
}
