package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of values in order. They keep all values of a group, in
// memory or sorted on disk.
const (
	QuantileCont Func = "quantile_cont" // between the closest values
	QuantileDisc Func = "quantile_disc" // one of the values
	Mode         Func = "mode"          // the value that is there most often, of several the least
)

var quantileFunctions = []function{
	{
		name: QuantileCont, param: checkQuantile, forms: []form{
			ordered(columnar.Int, columnar.Float, quantile(betweenInts)),
			ordered(columnar.Decimal, columnar.Decimal, quantile(betweenDecimals)),
			ordered(columnar.Float, columnar.Float, quantile(betweenFloats)),
		},
		help: "the quantile that is given, between the closest values; the median if none is", example: "2.0",
	},
	{
		name: QuantileDisc, param: checkQuantile, forms: eachOrdered(func(a Agg) picker { return &discrete{quantile: a.quantile()} }),
		help: "the quantile that is given, one of the values", example: "2",
	},
	{
		name: Mode, forms: eachOrdered(func(Agg) picker { return new(mostOften) }),
		help: "the value that is there most often, of several the least", example: "1",
	},
}

// eachOrdered are the forms of a function that gives one of the values.
func eachOrdered(pick func(Agg) picker) []form {
	var forms []form
	for _, t := range []columnar.Type{columnar.Int, columnar.Decimal, columnar.Float, columnar.Date, columnar.Timestamp} {
		forms = append(forms, ordered(t, t, pick))
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

// quantile returns the quantile that an aggregate has been given, which was checked.
func (a Agg) quantile() int64 {
	q, _ := quantileOf(a.Param)
	return q
}

// picker makes a value of the values of a group, which it is shown in order.
type picker interface {
	// begin says how many there will be, at least one.
	begin(n int64)
	// places are the first and the last at which it looks; others need not be in order.
	places() (first, last int64)
	// take shows the next ones.
	take(items []int64)
	// append appends the value once all were shown.
	append(out *columnar.Vector)
}

// at picks the value at a place.
type at struct {
	place, seen int64
	value       int64
}

func (a *at) begin(place int64) { *a = at{place: place} }

func (a *at) take(items []int64) {
	if n := a.place - a.seen; n >= 0 && n < int64(len(items)) {
		a.value = items[n]
	}
	a.seen += int64(len(items))
}

// continuous is between the values below and above a quantile, by how far it is from one
// to the other.
type continuous struct {
	quantile  int64
	low, high at
	part      float64
	between   func(low, high int64, part float64, out *columnar.Vector)
}

func quantile(between func(low, high int64, part float64, out *columnar.Vector)) func(Agg) picker {
	return func(a Agg) picker { return &continuous{quantile: a.quantile(), between: between} }
}

func (c *continuous) begin(n int64) {
	place := float64(n-1) * (float64(c.quantile) / number.One)
	i := int64(place)
	c.part = place - float64(i)
	c.low.begin(i)
	c.high.begin(min(i+1, n-1))
}

func (c *continuous) places() (first, last int64) { return c.low.place, c.high.place }

func (c *continuous) take(items []int64) {
	c.low.take(items)
	c.high.take(items)
}

func (c *continuous) append(out *columnar.Vector) { c.between(c.low.value, c.high.value, c.part, out) }

func betweenFloats(low, high int64, part float64, out *columnar.Vector) {
	x, y := floatOfBits(low), floatOfBits(high)
	if part > 0 && x != y {
		x += (y - x) * part
	}
	out.AppendFloat(x)
}

func betweenInts(low, high int64, part float64, out *columnar.Vector) {
	out.AppendFloat(float64(low) + (float64(high)-float64(low))*part)
}

// betweenDecimals cuts off what is behind the last place, as DuckDB does.
func betweenDecimals(low, high int64, part float64, out *columnar.Vector) {
	if part > 0 {
		low = int64(float64(low) + (float64(high)-float64(low))*part)
	}
	out.AppendInt(low)
}

// discrete is the value at a quantile.
type discrete struct {
	quantile int64
	at       at
}

func (d *discrete) begin(n int64) {
	above := n * (number.One - d.quantile) / number.One
	d.at.begin(max(1, n-above) - 1)
}

func (d *discrete) places() (first, last int64) { return d.at.place, d.at.place }

func (d *discrete) take(items []int64)          { d.at.take(items) }
func (d *discrete) append(out *columnar.Vector) { appendItem(out, d.at.value) }

// mostOften is the first of the values that are there most often.
type mostOften struct {
	best, most, item, count int64

	n int64 // of all
}

func (m *mostOften) begin(n int64) { *m = mostOften{n: n} }

func (m *mostOften) places() (first, last int64) { return 0, m.n - 1 }

func (m *mostOften) take(items []int64) {
	for _, item := range items {
		if item != m.item {
			m.item, m.count = item, 0
		}
		if m.count++; m.count > m.most {
			m.best, m.most = item, m.count
		}
	}
}

func (m *mostOften) append(out *columnar.Vector) { appendItem(out, m.best) }

func appendItem(out *columnar.Vector, item int64) {
	if out.Type == columnar.Float {
		out.AppendFloat(floatOfBits(item))
		return
	}
	out.AppendInt(item)
}
