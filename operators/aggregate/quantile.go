package aggregate

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of values in order. They keep all values of a group.
const (
	QuantileCont Func = "quantile_cont" // between the closest values
	QuantileDisc Func = "quantile_disc" // one of the values
	Mode         Func = "mode"          // the value that is there most often, of several the least
)

var quantileFunctions = []function{
	{
		name: QuantileCont, param: checkQuantile, forms: []form{
			{takes: columnar.Int, gives: columnar.Float, state: []column{listColumn(false)}, value: quantiles(betweenInts)},
			{takes: columnar.Decimal, gives: columnar.Decimal, state: []column{listColumn(false)}, value: quantiles(betweenDecimals)},
			{takes: columnar.Float, gives: columnar.Float, state: []column{listColumn(true)}, value: quantiles(betweenFloats)},
		},
		help: "the quantile that is given, between the closest values; the median if none is", example: "2.0",
	},
	{
		name: QuantileDisc, param: checkQuantile, forms: eachOrdered(quantiles(nearest)),
		help: "the quantile that is given, one of the values", example: "2",
	},
	{
		name: Mode, forms: eachOrdered(eachList(func(_ *state, items []int64, out *columnar.Vector) { appendItem(out, mostOften(items)) })),
		help: "the value that is there most often, of several the least", example: "1",
	},
}

// eachOrdered are the forms of a function that gives one of the values.
func eachOrdered(value func(*state, records, *columnar.Vector) error) []form {
	var forms []form
	for _, t := range []columnar.Type{columnar.Int, columnar.Decimal, columnar.Float, columnar.Date, columnar.Timestamp} {
		forms = append(forms, form{takes: t, gives: t, state: []column{listColumn(t == columnar.Float)}, value: value})
	}
	return forms
}

func checkQuantile(param string) error {
	_, err := quantileOf(param)
	return err
}

// quantileOf reads a quantile in millionths.
func quantileOf(param string) (int64, error) {
	if param == "" {
		return number.One / 2, nil
	}
	n, ok := number.ParseDecimal([]byte(param))
	if !ok || n < 0 || n > number.One {
		return 0, fmt.Errorf("a quantile is a number from 0 to 1, not %q", param)
	}
	return n, nil
}

// eachList makes the values of groups of their items in order; null of none.
func eachList(value func(s *state, items []int64, out *columnar.Vector)) func(*state, records, *columnar.Vector) error {
	return func(s *state, r records, out *columnar.Vector) error {
		lists := s.acc[0].(*list)
		var items columnar.Vector
		at := s.column(0, r)
		for _, ref := range r.refs {
			items = *columnar.NewVector(columnar.IntList)
			if err := lists.appendList(listOf(at, ref), &items); err != nil {
				return err
			}
			if len(items.Child.Ints) == 0 {
				out.AppendNull()
				continue
			}
			slices.Sort(items.Child.Ints)
			value(s, items.Child.Ints, out)
		}
		return nil
	}
}

func quantiles(value func(items []int64, quantile int64, out *columnar.Vector)) func(*state, records, *columnar.Vector) error {
	return eachList(func(s *state, items []int64, out *columnar.Vector) {
		q, _ := quantileOf(s.agg.Param) // it was checked
		value(items, q, out)
	})
}

// closest returns the values below and above a quantile, and how far it is from one
// to the other.
func closest(items []int64, quantile int64) (low, high int64, part float64) {
	at := float64(len(items)-1) * (float64(quantile) / number.One)
	i := int(at)
	return items[i], items[min(i+1, len(items)-1)], at - float64(i)
}

func betweenFloats(items []int64, quantile int64, out *columnar.Vector) {
	low, high, part := closest(items, quantile)
	x, y := floatOfBits(low), floatOfBits(high)
	if part > 0 && x != y {
		x += (y - x) * part
	}
	out.AppendFloat(x)
}

func betweenInts(items []int64, quantile int64, out *columnar.Vector) {
	low, high, part := closest(items, quantile)
	out.AppendFloat(float64(low) + (float64(high)-float64(low))*part)
}

// betweenDecimals cuts off what is behind the last place, as DuckDB does.
func betweenDecimals(items []int64, quantile int64, out *columnar.Vector) {
	low, high, part := closest(items, quantile)
	if part > 0 {
		low = int64(float64(low) + (float64(high)-float64(low))*part)
	}
	out.AppendInt(low)
}

func nearest(items []int64, quantile int64, out *columnar.Vector) {
	n := int64(len(items))
	above := n * (number.One - quantile) / number.One
	appendItem(out, items[max(1, n-above)-1])
}

func mostOften(items []int64) int64 {
	best, most := items[0], 0
	for lo := 0; lo < len(items); {
		hi := lo + 1
		for hi < len(items) && items[hi] == items[lo] {
			hi++
		}
		if hi-lo > most {
			best, most = items[lo], hi-lo
		}
		lo = hi
	}
	return best
}

func appendItem(out *columnar.Vector, item int64) {
	if out.Type == columnar.Float {
		out.AppendFloat(floatOfBits(item))
		return
	}
	out.AppendInt(item)
}
