package aggregate

import (
	"errors"
	"math/big"
	"math/bits"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// Avg is an exact sum divided once by the count.
const Avg Func = "avg"

func init() { functions.Add(momentFunctions) }

func momentFunctions() []function {
	return []function{
		{
			name: Avg, forms: []form{
				{takes: []columnar.Type{columnar.Int}, gives: columnar.Float, state: []column{sumColumn, countColumn}, value: perGroup(meansOf(1))},
				{takes: []columnar.Type{columnar.Decimal}, gives: columnar.Float, state: []column{sumColumn, countColumn}, value: perGroup(meansOf(number.One))},
				{takes: []columnar.Type{columnar.Float}, gives: columnar.Float, state: []column{floatSumColumn, countColumn}, value: perGroup(floatMean)},
				wideMeans(columnar.Huge), wideMeans(columnar.Wide),
			},
			doc: registry.Aggregates.Doc("avg mean", "(number)", "the mean: one division of the exact sum",
				"avg(n)", "2.3333333333333335"),
		},
		spread{}.function("stddev stddev_samp", "the standard deviation of a sample", "1.5275252316519468"),
		spread{population: true}.function("stddev_pop", "the standard deviation of all values", "1.247219128924647"),
		spread{variance: true}.function("variance var_samp", "the variance of a sample", "2.3333333333333335"),
		spread{population: true, variance: true}.function("var_pop", "the variance of all values", "1.5555555555555556"),
	}
}

// meansOf returns the mean of integers, or of decimals with a scale of a million.
func meansOf(scale int64) func(group) (float64, bool, error) {
	return func(g group) (float64, bool, error) {
		sum, any := g.sum(0)
		return number.Mean(sum, g.count(1), scale), any, nil
	}
}

func floatMean(g group) (float64, bool, error) {
	sum, any, err := sumOfFloats(g)
	return sum / float64(g.count(1)), any, err
}

// spread is a measure of dispersion: the sample standard deviation unless a field is set.
type spread struct {
	population bool // of a population instead of a sample
	variance   bool // the variance instead of its root
}

// function is the function of the measure. Plans call it by the last of its names.
func (s spread) function(names, help, value string) function {
	called := strings.Fields(names)
	return function{
		name: Func(called[len(called)-1]), forms: s.forms(),
		doc: registry.Aggregates.Doc(names, "(number)", help, called[0]+"(n)", value),
	}
}

func (s spread) forms() []form {
	squares := column{"squares", columnar.FloatSum, newFloatSum(func(arg *columnar.Vector) (a, b []float64) { return arg.Floats, arg.Floats })}
	return []form{
		{takes: []columnar.Type{columnar.Int}, gives: columnar.Float, state: squareColumns(), value: perGroup(s.ofIntegers(1))},
		{takes: []columnar.Type{columnar.Decimal}, gives: columnar.Float, state: squareColumns(), value: perGroup(s.ofIntegers(number.One))},
		{takes: []columnar.Type{columnar.Float}, gives: columnar.Float, state: []column{floatSumColumn, countColumn, squares}, value: perGroup(s.ofFloats)},
	}
}

// none reports whether n values are too few for the measure.
func (s spread) none(n int64) bool { return n == 0 || n == 1 && !s.population }

// The standard deviation of a sample of n values x is
//
//	√((n·Σx² - (Σx)²) / (n·(n-1)))
//
// (Chan, Golub and LeVeque, "Algorithms for Computing the Sample Variance", The American
// Statistician 37, 1983, where it is (1.2) multiplied by n/n, with a warning that the
// difference cancels.) Here both sums are exact, and so is their difference. Only the final
// result is rounded, so it does not depend on the order of the values. For a population the
// divisor is n² instead. A variance takes no root.

// squareColumns are the state for integers. A sum of squares may need 189 bits, so it is kept
// in two parts: x² is upper·2^64 + lower.
func squareColumns() []column {
	return []column{
		sumColumn, countColumn,
		sumOfParts("squares_upper", partsOfSquares(true)),
		sumOfParts("squares_lower", partsOfSquares(false)),
	}
}

// partsOfSquares makes the upper or the lower parts of the squares of integers.
func partsOfSquares(upper bool) func(parts []int64, arg *columnar.Vector) {
	return func(parts []int64, arg *columnar.Vector) {
		for i, n := range arg.Ints[:arg.Len] {
			hi, lo := bits.Mul64(uint64(max(n, -n)), uint64(max(n, -n))) // the least int64 is its own negation
			if parts[i] = int64(lo); upper {
				parts[i] = int64(hi + lo>>63)
			}
		}
	}
}

// ofIntegers returns the measure of integers, or of decimals with a scale of a million.
func (s spread) ofIntegers(scale int64) func(group) (float64, bool, error) {
	return func(g group) (float64, bool, error) {
		exact := func(i int) *big.Int {
			n, _ := g.sum(i)
			return number.BigInt(n)
		}
		if s.none(g.count(1)) {
			return 0, false, nil
		}
		sum, squares := exact(0), exact(2)
		squares.Add(squares.Lsh(squares, 64), exact(3))
		return s.of(g.count(1), momentOf(g.count(1), squares, sum, sum), new(big.Float).SetInt64(scale)), true, nil
	}
}

// of computes the measure from a moment, of which unit² make one.
func (s spread) of(n int64, moment *big.Int, unit *big.Float) float64 {
	if moment.Sign() <= 0 {
		return 0
	}
	x := s.perPair(moment, n)
	if s.variance {
		x.Quo(x, unit)
	} else {
		x.Sqrt(x)
	}
	f, _ := x.Quo(x, unit).Float64()
	return f
}

// perPair divides a moment by n·(n-1), or by n² for a population.
func (s spread) perPair(moment *big.Int, n int64) *big.Float {
	pairs := number.Product(n, n-1)
	if s.population {
		pairs = number.Product(n, n)
	}
	x := exactly(moment)
	return x.Quo(x, exactly(number.BigInt(pairs)))
}

// exactly converts n with so many bits that the final rounding to a float64 is practically the
// only one.
func exactly(n *big.Int) *big.Float { return new(big.Float).SetPrec(320).SetInt(n) }

// momentOf returns n·Σxy - Σx·Σy, which is n² times a covariance, or a variance if x is y. It
// overwrites xy.
func momentOf(n int64, xy, x, y *big.Int) *big.Int {
	xy.Mul(xy, big.NewInt(n))
	return xy.Sub(xy, new(big.Int).Mul(x, y))
}

// moment returns momentOf for sums of floats, in units of the square of the least float64. ok
// is false if one of the sums is not finite.
func (g group) moment(count, products, first, second int) (moment *big.Int, ok bool) {
	xy, fits := g.exactSum(products)
	x, finiteX := g.exactSum(first)
	y, finiteY := g.exactSum(second)
	if !fits || !finiteX || !finiteY {
		return nil, false
	}
	return momentOf(g.count(count), xy.Lsh(xy, -number.LeastExponent), x, y), true
}

// ofFloats returns the measure of floats. It computes in units of the least float64.
func (s spread) ofFloats(g group) (float64, bool, error) {
	if s.none(g.count(1)) {
		return 0, false, nil
	}
	moment, fits := g.moment(1, 2, 0, 0)
	if !fits {
		return 0, false, errors.New("is of values whose squares do not fit float")
	}
	unit := new(big.Float).SetMantExp(big.NewFloat(1), -number.LeastExponent)
	return s.of(g.count(1), moment, unit), true, nil
}
