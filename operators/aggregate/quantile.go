package aggregate

import (
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
					state: []column{rowListColumn}, pickRows: continuousOfRows, value: pickedRows,
				},
			},
		},
		{
			name: QuantileDisc, param: checkQuantile, forms: append(eachOrdered(discrete), ofRows(discreteOfRows, pickedRows)...),
		},
		{
			name: Mode, forms: append(eachOrdered(func(Agg) picker { return new(mostOften) }),
				ofRows(inRuns(func(s *state) runs { return &mostOftenOfRows{s: s} }), modeOfRows)...),
		},
	}
}

// eachOrdered returns the forms of a function whose result is one of the values.
func eachOrdered(pick func(Agg) picker) []form {
	return columnar.Each(wordTypes, func(t columnar.Type) form { return ordered(t, t, pick) })
}

// ofRows returns the forms of such a function for values of more than a word, which are kept as encoded rows.
func ofRows(pick func(*state) rowPicker, value func(s *state, r records, out *columnar.Vector) error) []form {
	var forms []form
	for _, t := range []columnar.Type{columnar.Text, columnar.Wide, columnar.Huge, columnar.UUID, columnar.Interval, columnar.Bytes} {
		forms = append(forms, form{takes: []columnar.Type{t}, gives: t, rows: &orderedRows{}, state: []column{rowListColumn}, pickRows: pick, value: value})
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

// placeOfRows picks the value at the quantile of encoded rows.
type placeOfRows struct {
	s    *state
	left int64 // rows before it that have yet to come
	out  *columnar.Vector
}

func discreteOfRows(s *state) rowPicker { return &placeOfRows{s: s} }

func (p *placeOfRows) begin(rows, _ int64, out *columnar.Vector) {
	p.left, p.out = p.s.agg.discretePlace(rows), out
	if rows == 0 {
		out.AppendNull()
	}
}

func (p *placeOfRows) take(rows [][]byte) (err error) {
	if p.left >= 0 && p.left < int64(len(rows)) {
		err = p.s.code.appendValue(p.out, rows[p.left])
	}
	p.left -= int64(len(rows))
	return err
}

func (*placeOfRows) end() error  { return nil }
func (*placeOfRows) size() int64 { return 0 }

// interpolated is the type of quantiles of wide decimals. As many places more as there may be digits are enough for
// what lies between two values, unless there are already nearly 38.
func interpolated(t columnar.Type) columnar.Type {
	more := min(number.Scale, number.MaxPlaces-t.Digits())
	return columnar.DecimalOf(t.Digits()+more, t.Scale()+more)
}

// betweenRows interpolates between encoded rows. It is exact before it is rounded to the places of the result.
type betweenRows struct {
	s    *state
	ends *columnar.Vector // the value at the lower place and the one behind it, if there is one
	left int64            // rows before them that have yet to come
	part int64            // the way from the first to the second, in millionths
	out  *columnar.Vector
}

func continuousOfRows(s *state) rowPicker {
	return &betweenRows{s: s, ends: columnar.NewVector(s.form.takes[0])}
}

func (b *betweenRows) begin(rows, _ int64, out *columnar.Vector) {
	millionths, descending := b.s.agg.quantile()
	if descending {
		millionths = number.One - millionths
	}
	low, part, _ := number.QuoRem128(number.Product(rows-1, millionths), number.Product(number.One, 1))
	b.left, b.part, b.out = int64(low.LowBits()), int64(part.LowBits()), out
	b.ends.Reset()
}

func (b *betweenRows) take(rows [][]byte) error {
	for i := max(0, b.left); i < min(int64(len(rows)), b.left+2); i++ {
		if err := b.s.code.appendValue(b.ends, rows[i]); err != nil {
			return err
		}
	}
	b.left -= int64(len(rows))
	return nil
}

func (b *betweenRows) end() error {
	if b.ends.Len == 0 {
		b.out.AppendNull()
		return nil
	}
	low, high := b.ends.Wides[0], b.ends.Wides[b.ends.Len-1]
	b.out.AppendWide(number.Interpolate128(low, high, b.part, b.out.Type.Scale()-b.ends.Type.Scale()))
	return nil
}

func (*betweenRows) size() int64 { return 0 }

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

// modeOfRows is the most frequent of encoded rows.
func modeOfRows(s *state, r records, out *columnar.Vector) error {
	f, ok := s.acc[0].(*rowList).frame.(*frequentRows)
	if !ok {
		return pickedRows(s, r, out)
	}
	if row, ok := f.best(); ok {
		return s.code.appendValue(out, []byte(row))
	}
	out.AppendNull()
	return nil
}

// mostOftenOfRows is mostOften for encoded rows.
type mostOftenOfRows struct {
	s    *state
	best []byte
	most int64
}

func (m *mostOftenOfRows) beginRuns(int64, *columnar.Vector) { m.most = 0 }

func (m *mostOftenOfRows) runOf(row []byte, times int64) error {
	if times > m.most {
		m.best, m.most = append(m.best[:0], row...), times
	}
	return nil
}

func (m *mostOftenOfRows) endRuns(out *columnar.Vector) error {
	if m.most == 0 {
		out.AppendNull()
		return nil
	}
	return m.s.code.appendValue(out, m.best)
}

func (*mostOftenOfRows) size() int64 { return 0 }

func appendItem(out *columnar.Vector, item int64) {
	if out.Type == columnar.Float {
		out.AppendFloat(floatOfBits(item))
		return
	}
	out.AppendInt(item)
}
