package aggregate

import (
	"errors"
	"math"
	"math/big"
	"math/bits"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of sums and counts.
const (
	Avg        Func = "avg"         // an exact sum divided once by the count
	StddevSamp Func = "stddev_samp" // the standard deviation of a sample
)

var momentFunctions = []function{
	{
		name: Avg, forms: []form{
			{takes: columnar.Int, gives: columnar.Float, state: []column{sumColumn, countColumn}, value: meansOf(1)},
			{takes: columnar.Decimal, gives: columnar.Float, state: []column{sumColumn, countColumn}, value: meansOf(number.One)},
			{takes: columnar.Float, gives: columnar.Float, state: []column{floatSumColumn, countColumn}, value: floatMeans},
		},
		help: "the mean: the exact sum divided once", example: "2.3333333333333335",
	},
	{
		name: StddevSamp, forms: []form{
			{takes: columnar.Int, gives: columnar.Float, state: squareColumns(), value: deviationsOf(1)},
			{takes: columnar.Decimal, gives: columnar.Float, state: squareColumns(), value: deviationsOf(number.One)},
			{
				takes: columnar.Float, gives: columnar.Float, value: floatDeviations,
				state: []column{floatSumColumn, countColumn, {"squares", columnar.FloatSum, func(mem *memory) accumulator {
					return &floatSquares{floatSum{mem: mem}}
				}}},
			},
		},
		help: "the standard deviation of a sample; null for one value", example: "1.5275252316519468",
	},
}

// meansOf appends the means of integers, or of decimals with a scale of a
// million.
func meansOf(scale int64) func(*state, records, *columnar.Vector) error {
	return func(s *state, r records, out *columnar.Vector) error {
		sums, counts := s.column(0, r), s.column(1, r)
		for _, ref := range r.refs {
			if sum, any := sumOf(r.pages.pair(ref, sums.at)); any {
				out.AppendFloat(number.Mean(sum, int64(*r.pages.word(ref, counts.at)), scale))
			} else {
				out.AppendNull()
			}
		}
		return nil
	}
}

func floatMeans(s *state, r records, out *columnar.Vector) error {
	sums, counts := s.column(0, r), s.column(1, r)
	for _, ref := range r.refs {
		if sum := s.acc[0].(*floatSum).of(ref, sums); sum != nil {
			out.AppendFloat(sum.Float64() / float64(*r.pages.word(ref, counts.at)))
		} else {
			out.AppendNull()
		}
	}
	return nil
}

// The standard deviation of a sample of n values x is
//
//	√((n·Σx² - (Σx)²) / (n·(n-1)))
//
// (Chan, Golub and LeVeque, "Algorithms for Computing the Sample Variance",
// The American Statistician 37, 1983, where it is (1.2) multiplied by n/n and
// warned of because the difference cancels.) Here both sums are exact, so is the
// difference, and only the end is rounded, so no order of the values changes it.

// squareColumns are the state for integers. A sum of squares may need 189 bits,
// so the squares are summed in two parts: x² is upper·2^64 + lower.
func squareColumns() []column {
	half := func(upper bool) func(*memory) accumulator {
		return func(*memory) accumulator { return &halfSquares{upper: upper} }
	}
	return []column{
		sumColumn, countColumn,
		{"squares_upper", columnar.Wide, half(true)},
		{"squares_lower", columnar.Wide, half(false)},
	}
}

// halfSquares sums one part of the squares of integers.
type halfSquares struct {
	sum
	upper bool
	parts columnar.Vector
}

func (h *halfSquares) update(r records, arg *columnar.Vector) { h.sum.update(r, h.of(arg)) }

func (h *halfSquares) single(arg *columnar.Vector, rows int) *columnar.Vector {
	return h.sum.single(h.of(arg), rows)
}

func (h *halfSquares) of(arg *columnar.Vector) *columnar.Vector {
	h.parts.Type, h.parts.Len, h.parts.Valid = columnar.Int, arg.Len, arg.Valid
	h.parts.Ints = grow(h.parts.Ints[:0], arg.Len)
	for i, n := range arg.Ints[:arg.Len] {
		hi, lo := bits.Mul64(uint64(max(n, -n)), uint64(max(n, -n))) // the least int64 is its own counterpart
		if h.parts.Ints[i] = int64(lo); h.upper {
			h.parts.Ints[i] = int64(hi + lo>>63)
		}
	}
	return &h.parts
}

// deviationsOf appends the deviations of integers, or of decimals with a scale of
// a million.
func deviationsOf(scale int64) func(*state, records, *columnar.Vector) error {
	return func(s *state, r records, out *columnar.Vector) error {
		exact := func(i int, ref uint32) *big.Int {
			n, _ := sumOf(r.pages.pair(ref, s.column(i, r).at))
			return new(big.Int).Add(new(big.Int).Lsh(big.NewInt(n.HighBits()), 64), new(big.Int).SetUint64(n.LowBits()))
		}
		for _, ref := range r.refs {
			n := int64(*r.pages.word(ref, s.column(1, r).at))
			if n < 2 {
				out.AppendNull()
				continue
			}
			squares := exact(2, ref)
			squares.Add(squares.Lsh(squares, 64), exact(3, ref))
			out.AppendFloat(deviation(n, exact(0, ref), squares, new(big.Float).SetInt64(scale)))
		}
		return nil
	}
}

// deviation is the formula, for sums in parts of which unit make one.
func deviation(n int64, sum, squares *big.Int, unit *big.Float) float64 {
	const precision = 320 // bits, so that rounding to a float64 is as good as the only one
	squares.Mul(squares, big.NewInt(n))
	squares.Sub(squares, sum.Mul(sum, sum))
	pairs := number.Product(n, n-1)
	if squares.Sign() <= 0 {
		return 0
	}
	x := new(big.Float).SetPrec(precision).SetInt(squares)
	x.Quo(x, new(big.Float).SetInt(pairs.BigInt())).Sqrt(x)
	f, _ := x.Quo(x, unit).Float64()
	return f
}

// floatSquares sums the squares of floats: each as the float64 nearest to it and
// what that leaves, so that none is rounded but those with bits below the least
// float64.
type floatSquares struct{ floatSum }

func addSquare(sum *number.FloatSum, x float64) {
	square := x * x
	sum.Add(square)
	sum.Add(math.FMA(x, x, -square))
}

func (f *floatSquares) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			addSquare(f.begun(r.pages.word(ref, r.at)), arg.Floats[i])
		}
	}
}

func (f *floatSquares) single(arg *columnar.Vector, rows int) *columnar.Vector {
	f.sums.Reset()
	if f.sums.Type == columnar.Invalid {
		f.sums = *columnar.NewVector(columnar.FloatSum)
	}
	for i := range rows {
		if arg.IsNull(i) {
			f.sums.AppendNull()
			continue
		}
		var square number.FloatSum
		addSquare(&square, arg.Floats[i])
		f.append(&f.sums, &square)
	}
	return &f.sums
}

// floatDeviations appends the deviations of floats.
func floatDeviations(s *state, r records, out *columnar.Vector) error {
	// Sums are in units of the least float64, which makes squares of sums that many
	// units more.
	unit := new(big.Float).SetMantExp(big.NewFloat(1), -number.LeastExponent)
	for _, ref := range r.refs {
		n := int64(*r.pages.word(ref, s.column(1, r).at))
		if n < 2 {
			out.AppendNull()
			continue
		}
		sum, finite := s.acc[0].(*floatSum).of(ref, s.column(0, r)).Exact()
		squares, fit := s.acc[2].(*floatSquares).of(ref, s.column(2, r)).Exact()
		if !finite || !fit {
			return errors.New("is of values whose squares do not fit float")
		}
		out.AppendFloat(deviation(n, sum, squares.Lsh(squares, -number.LeastExponent), unit))
	}
	return nil
}
