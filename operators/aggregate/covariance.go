package aggregate

import (
	"errors"
	"math"
	"math/big"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
)

// The functions of two columns of floats, which are one of pairs (expr.OpPair).
const (
	Corr      Func = "corr"       // the correlation coefficient
	CovarPop  Func = "covar_pop"  // the covariance of all there is
	CovarSamp Func = "covar_samp" // that of a sample
)

var pairFunctions = []function{
	{
		name: Corr, forms: pairForms(correlation),
		help: "the correlation of the two floats of pairs; null where one of them does not vary", example: "null",
	},
	{
		name: CovarPop, forms: pairForms(covariance{population: true}.value),
		help: "the covariance of the two floats of pairs", example: "0.0",
	},
	{
		name: CovarSamp, forms: pairForms(covariance{}.value),
		help: "the covariance of a sample of the two floats of pairs; null for one pair", example: "0.0",
	},
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

// pairForms are the forms of a function of pairs. Their sums are exact, those of products
// as of their nearest floats and of what these leave; so no order of rows changes them.
func pairForms(value func(group) (float64, bool, error)) []form {
	sums := func(name string, of func(x, y float64) (float64, float64)) column {
		return column{name, columnar.FloatSum, func(mem *memory) accumulator {
			return &pairSum{factors: of, floatSum: *newFloatSum(mem, false)}
		}}
	}
	return []form{{
		takes: columnar.Text, gives: columnar.Float, value: perGroup(value), state: []column{
			pairCount: countColumn,
			pairX:     sums("x", func(x, _ float64) (float64, float64) { return x, 1 }),
			pairY:     sums("y", func(_, y float64) (float64, float64) { return y, 1 }),
			pairXX:    sums("xx", func(x, _ float64) (float64, float64) { return x, x }),
			pairYY:    sums("yy", func(_, y float64) (float64, float64) { return y, y }),
			pairXY:    sums("xy", func(x, y float64) (float64, float64) { return x, y }),
		},
	}}
}

// pairSum sums a product of the two floats of pairs. What is no pair, which only plans
// from outside can have, is like zeros.
type pairSum struct {
	floatSum
	factors func(x, y float64) (float64, float64)
	halves  [2]columnar.Vector
}

// split makes two vectors of the products: the nearest floats, and what they leave.
func (p *pairSum) split(arg *columnar.Vector) {
	for i := range p.halves {
		h := &p.halves[i]
		h.Type, h.Len, h.Valid = columnar.Float, arg.Len, arg.Valid
		h.Floats = grow(h.Floats[:0], arg.Len)
	}
	for i := range arg.Len {
		p.halves[0].Floats[i], p.halves[1].Floats[i] = 0, 0
		if arg.IsNull(i) {
			continue
		}
		x, y, _ := expr.PairFloats(arg.Bytes(i))
		a, b := p.factors(x, y)
		nearest := a * b
		p.halves[0].Floats[i] = nearest
		if left := math.FMA(a, b, -nearest); left-left == 0 {
			p.halves[1].Floats[i] = left
		}
	}
}

func (p *pairSum) update(r records, arg *columnar.Vector) {
	p.split(arg)
	p.floatSum.update(r, &p.halves[0])
	p.floatSum.update(r, &p.halves[1])
}

func (p *pairSum) remove(r records, arg *columnar.Vector) bool {
	p.split(arg)
	return p.floatSum.remove(r, &p.halves[0]) && p.floatSum.remove(r, &p.halves[1])
}

// single returns the states of rows: sums of the two halves.
func (p *pairSum) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if p.sums.Type == columnar.Invalid {
		p.sums = *columnar.NewVector(columnar.FloatSum)
	}
	p.sums.Reset()
	p.split(arg)
	for i := range rows {
		if arg.IsNull(i) {
			p.sums.AppendNull()
			continue
		}
		var sum number.FloatSum
		sum.Add(p.halves[0].Floats[i])
		sum.Add(p.halves[1].Floats[i])
		p.text, _ = sum.AppendBinary(p.text[:0]) // which returns no error
		p.sums.AppendBytes(p.text)
	}
	return &p.sums
}

// pairMoments are what is n² times a covariance or variance, in units of the square of
// the least float64: n·Σxy - Σx·Σy, which is exact.
func pairMoments(g group, products, first, second int) (*big.Int, error) {
	xy, fits := g.exactSum(products)
	x, finiteX := g.exactSum(first)
	y, finiteY := g.exactSum(second)
	if !fits || !finiteX || !finiteY {
		return nil, errors.New("is of values whose products do not fit float")
	}
	xy.Lsh(xy, -number.LeastExponent)
	xy.Mul(xy, big.NewInt(g.count(pairCount)))
	return xy.Sub(xy, new(big.Int).Mul(x, y)), nil
}

// exactly is a number of bits with which rounding to a float64 is as good as the only one.
func exactly(n *big.Int) *big.Float { return new(big.Float).SetPrec(320).SetInt(n) }

type covariance struct{ population bool }

func (c covariance) value(g group) (float64, bool, error) {
	n := g.count(pairCount)
	if n == 0 || n == 1 && !c.population {
		return 0, false, nil
	}
	moment, err := pairMoments(g, pairXY, pairX, pairY)
	if err != nil {
		return 0, false, err
	}
	pairs := number.Product(n, n-1)
	if c.population {
		pairs = number.Product(n, n)
	}
	x := exactly(moment)
	x.Quo(x, exactly(number.BigInt(pairs)))
	x.SetMantExp(x, 2*number.LeastExponent)
	f, _ := x.Float64()
	return f, true, nil
}

func correlation(g group) (float64, bool, error) {
	if g.count(pairCount) == 0 {
		return 0, false, nil
	}
	xy, err := pairMoments(g, pairXY, pairX, pairY)
	if err != nil {
		return 0, false, err
	}
	xx, err := pairMoments(g, pairXX, pairX, pairX)
	if err != nil {
		return 0, false, err
	}
	yy, err := pairMoments(g, pairYY, pairY, pairY)
	if err != nil || xx.Sign() <= 0 || yy.Sign() <= 0 {
		return 0, false, err
	}
	x := exactly(xy)
	x.Quo(x, new(big.Float).Sqrt(exactly(xx.Mul(xx, yy))))
	f, _ := x.Float64()
	return min(max(f, -1), 1), true, nil
}
