package aggregate

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of ordered values. They keep all values of a group, in memory or sorted on
// disk.
const (
	QuantileCont Func = "quantile_cont" // interpolated between the closest values
	QuantileDisc Func = "quantile_disc" // one of the values
	Mode         Func = "mode"          // the most frequent value, the least of several
)

func init() { functions.Add(quantileFunctions) }

func quantileFunctions() []function {
	return []function{
		{
			name: QuantileCont, param: checkQuantile, forms: []form{
				ordered(columnar.Int, columnar.Float, continuous(betweenInts)),
				ordered(columnar.Decimal, columnar.Float, continuous(betweenDecimals)),
				ordered(columnar.Float, columnar.Float, continuous(betweenFloats)),
				{
					takes: []columnar.Type{columnar.Wide}, gives: columnar.Wide, givesOf: interpolated, rows: &orderedRows{},
					state: []column{rowListColumn}, value: continuousOfRows,
				},
			},
		},
		{
			name: QuantileDisc, param: checkQuantile, forms: append(eachOrdered(discrete), ofRows(discreteOfRows)...),
		},
		{
			name: Mode, forms: append(eachOrdered(func(Agg) picker { return new(mostOften) }), ofRows(mostOftenOfRows)...),
		},
	}
}

// eachOrdered returns the forms of a function whose result is one of the values.
func eachOrdered(pick func(Agg) picker) []form {
	var forms []form
	for _, t := range wordTypes {
		forms = append(forms, ordered(t, t, pick))
	}
	return forms
}

// ofRows returns the forms of such a function for values of more than a word, which are kept as encoded rows.
func ofRows(value func(s *state, r records, out *columnar.Vector) error) []form {
	var forms []form
	for _, t := range []columnar.Type{columnar.Text, columnar.Wide, columnar.Huge, columnar.UUID, columnar.Interval, columnar.Bytes} {
		forms = append(forms, form{takes: []columnar.Type{t}, gives: t, rows: &orderedRows{}, state: []column{rowListColumn}, value: value})
	}
	return forms
}

// Descending behind a quantile says that values are counted from the greatest one.
const Descending = " desc"

func checkQuantile(param string) error {
	_, err := quantileOf(strings.TrimSuffix(param, Descending))
	return err
}

// quantileOf parses a quantile into millionths.
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

// quantile returns an aggregate's quantile, which was checked before, and whether it is counted
// from the greatest value.
func (a Agg) quantile() (q int64, descending bool) {
	param, descending := strings.CutSuffix(a.Param, Descending)
	q, _ = quantileOf(param)
	return q, descending
}

// picker computes a result from the values of a group. It is shown them in order.
type picker interface {
	// begin says how many values there will be, at least one. It returns the first and the last
	// place that the picker looks at; values elsewhere need not be in order.
	begin(n int64) (first, last int64)
	// take shows the picker the next values.
	take(items []int64)
	// append appends the result, once all values were shown.
	append(out *columnar.Vector)
}

// between picks a value, or interpolates between it and the next one.
type between struct {
	// place returns the place of the lower value among n, and the fraction of the way from
	// there to the next value.
	place func(n int64) (low int64, part float64)
	value func(low, high int64, part float64, out *columnar.Vector)

	first, last, seen int64
	part              float64
	low, high         int64
}

func (b *between) begin(n int64) (first, last int64) {
	b.first, b.part = b.place(n)
	b.last, b.seen = b.first, 0
	if b.part > 0 {
		b.last++
	}
	return b.first, b.last
}

func (b *between) take(items []int64) {
	if n := b.first - b.seen; n >= 0 && n < int64(len(items)) {
		b.low = items[n]
	}
	if n := b.last - b.seen; n >= 0 && n < int64(len(items)) {
		b.high = items[n]
	}
	b.seen += int64(len(items))
}

func (b *between) append(out *columnar.Vector) { b.value(b.low, b.high, b.part, out) }

// continuous returns the quantile with interpolation between the neighbouring values.
func continuous(value func(low, high int64, part float64, out *columnar.Vector)) func(Agg) picker {
	return func(a Agg) picker {
		millionths, descending := a.quantile()
		if descending {
			millionths = number.One - millionths
		}
		quantile := float64(millionths) / number.One
		return &between{value: value, place: func(n int64) (int64, float64) {
			place := float64(float64(n-1) * quantile)
			return int64(place), place - float64(int64(place))
		}}
	}
}

// discrete returns the value at the quantile.
func discrete(a Agg) picker {
	value := func(low, _ int64, _ float64, out *columnar.Vector) { appendItem(out, low) }
	return &between{value: value, place: func(n int64) (int64, float64) { return a.discretePlace(n), 0 }}
}

// discretePlace returns the place of the value at an aggregate's quantile, among n.
func (a Agg) discretePlace(n int64) int64 {
	quantile, descending := a.quantile()
	above := n * (number.One - quantile) / number.One
	place := max(1, n-above) - 1
	if descending {
		return n - 1 - place
	}
	return place
}

// discreteOfRows appends the values at the quantile of encoded rows.
func discreteOfRows(s *state, r records, out *columnar.Vector) error {
	return s.acc[0].(*rowList).sorted(s.column(0, r), func(rows [][]byte, _ int) error {
		if len(rows) == 0 {
			out.AppendNull()
			return nil
		}
		return s.code.appendValue(out, rows[s.agg.discretePlace(int64(len(rows)))])
	})
}

// interpolated is the type of quantiles of wide decimals. As many places more as there may be digits are enough for
// what lies between two values, unless there are already nearly 38.
func interpolated(t columnar.Type) columnar.Type {
	more := min(number.Scale, number.MaxPlaces-t.Digits())
	return columnar.DecimalOf(t.Digits()+more, t.Scale()+more)
}

// continuousOfRows is exact before it is rounded to the places of the result.
func continuousOfRows(s *state, r records, out *columnar.Vector) error {
	from := s.form.takes[0]
	ends := columnar.NewVector(from)
	millionths, descending := s.agg.quantile()
	if descending {
		millionths = number.One - millionths
	}
	return s.acc[0].(*rowList).sorted(s.column(0, r), func(rows [][]byte, _ int) error {
		if len(rows) == 0 {
			out.AppendNull()
			return nil
		}
		place := number.Product(int64(len(rows)-1), millionths)
		low, part, _ := number.QuoRem128(place, number.Product(number.One, 1))
		i := int(low.LowBits())
		ends.Reset()
		err := s.code.appendValue(ends, rows[i])
		if err == nil {
			err = s.code.appendValue(ends, rows[min(i+1, len(rows)-1)])
		}
		if err == nil {
			out.AppendWide(number.Interpolate128(ends.Wides[0], ends.Wides[1], int64(part.LowBits()), out.Type.Scale()-from.Scale()))
		}
		return err
	})
}

func betweenFloats(low, high int64, part float64, out *columnar.Vector) {
	out.AppendFloat(number.Interpolate(floatOfBits(low), floatOfBits(high), part))
}

func betweenInts(low, high int64, part float64, out *columnar.Vector) {
	out.AppendFloat(float64(low) + float64((float64(high)-float64(low))*part))
}

// betweenDecimals is exact before it is rounded to a float: what lies between two decimals can
// have more places than a decimal, and the middle of 1.1 and 1.3 is 1.2. The part is a whole
// number of millionths, as the quantile is.
func betweenDecimals(low, high int64, part float64, out *columnar.Vector) {
	millionths := int64(math.Round(part * number.One))
	sum := number.Product(low, number.One-millionths).Add(number.Product(high, millionths))
	out.AppendFloat(number.Quotient(sum, number.Product(number.One, number.One)))
}

// mostOften picks the first of the most frequent values.
type mostOften struct {
	best, most, item, count int64
}

func (m *mostOften) begin(n int64) (first, last int64) {
	*m = mostOften{}
	return 0, n - 1
}

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

// mostOftenOfRows is the same for encoded rows.
func mostOftenOfRows(s *state, r records, out *columnar.Vector) error {
	if f := s.acc[0].(*rowList).often; f != nil {
		if row, ok := f.best(); ok {
			return s.code.appendValue(out, []byte(row))
		}
		out.AppendNull()
		return nil
	}
	return s.acc[0].(*rowList).sorted(s.column(0, r), func(rows [][]byte, _ int) error {
		best, most, count := -1, 0, 0
		for i, row := range rows {
			if i > 0 && !bytes.Equal(row, rows[i-1]) {
				count = 0
			}
			if count++; count > most {
				best, most = i, count
			}
		}
		if best < 0 {
			out.AppendNull()
			return nil
		}
		return s.code.appendValue(out, rows[best])
	})
}

func appendItem(out *columnar.Vector, item int64) {
	if out.Type == columnar.Float {
		out.AppendFloat(floatOfBits(item))
		return
	}
	out.AppendInt(item)
}
