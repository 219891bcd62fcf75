package aggregate

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Avg is an exact sum divided once by the count.
const Avg Func = "avg"

var momentFunctions = []function{{
	name: Avg, forms: []form{
		{takes: columnar.Int, gives: columnar.Float, state: []column{sumColumn, countColumn}, value: meansOf(1)},
		{takes: columnar.Decimal, gives: columnar.Float, state: []column{sumColumn, countColumn}, value: meansOf(number.One)},
		{takes: columnar.Float, gives: columnar.Float, state: []column{floatSumColumn, countColumn}, value: floatMeans},
	},
	help: "the mean: the exact sum divided once", example: "2.3333333333333335",
}}

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
