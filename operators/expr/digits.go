package expr

import (
	"fmt"
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The casts to a decimal with a given number of digits and decimal places: to a Decimal, and to a
// wide decimal, which is of the type with those digits.
const (
	OpToDigits Op = "to_digits"
	OpToWide   Op = "to_wide"
)

// ToWide converts a text, a Bool or a number to a wide decimal, rounded to its places. A value with more digits is
// null if try is set, and an error otherwise.
func ToWide(e *Expr, t columnar.Type, try bool) *Expr {
	return Call(OpToWide, e, Int(int64(t.Digits())), Int(int64(t.Scale())), Bool(try))
}

func init() { functions.Add(digitFunctions) }

func digitFunctions() []function {
	return []function{{
		op: OpToDigits, takes: "a text, int, decimal or float, two ints and a bool",
		types: []registry.Signature{
			sig(columnar.Decimal, columnar.Text, columnar.Int, columnar.Int, columnar.Bool), sig(columnar.Decimal, columnar.Int, columnar.Int, columnar.Int, columnar.Bool),
			sig(columnar.Decimal, columnar.Decimal, columnar.Int, columnar.Int, columnar.Bool), sig(columnar.Decimal, columnar.Float, columnar.Int, columnar.Int, columnar.Bool),
		},
		cost: costText * 4, canFail: true, build: buildToDigits,
	}, {
		op: OpToWide, takes: "a text, bool or number, two ints from 0 to 38 and a bool", types: toWide(), typeOf: wideOf,
		cost: costFixed * 2, canFail: true, build: buildToWide,
	}}
}

func toWide() []registry.Signature {
	var all []registry.Signature
	for _, t := range append([]columnar.Type{columnar.Text, columnar.Bool}, numbers...) {
		all = append(all, sig(columnar.Wide, t, columnar.Int, columnar.Int, columnar.Bool))
	}
	return all
}

// wideOf is the type with the digits and places that literals say.
func wideOf(of []*Expr, types []columnar.Type) columnar.Type {
	digits, places := of[1].Literal(), of[2].Literal()
	takes := IsNumber(types[0]) || types[0] == columnar.Text || types[0] == columnar.Bool
	if !takes || !slices.Equal(types[1:], []columnar.Type{columnar.Int, columnar.Int, columnar.Bool}) || digits == nil || places == nil {
		return columnar.Invalid
	}
	const beyond = number.MaxPlaces + 1
	return columnar.DecimalOf(int(min(digits.Int, beyond)), int(min(places.Int, beyond)))
}

func buildToWide(b *build) (kernel, error) {
	try := b.literal(3) != nil && b.literal(3).Bool
	b.keep(0)
	from, to := b.args[0].typ, b.typ
	switch {
	case from == to:
		return nil, nil
	case from != columnar.Text && holds128(from, to) && from != columnar.Float && from != columnar.Bool:
		return conversion(from, to), nil
	}
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			n, ok := wideAt(args[0], i, to.Scale())
			switch {
			case ok && number.HasDigits(n, to.Digits()):
				out.Wides[i] = n
			case try:
				out.setNull(i)
			default:
				return misfit(args[0], i, to.Digits(), to.Scale())
			}
		}
		return nil
	}, nil
}

// wideAt returns value i of a vector in units of the last of so many places.
func wideAt(v *columnar.Vector, i, places int) (number.Int128, bool) {
	if v.Type == columnar.Text {
		return number.Parse128(v.Bytes(i), places)
	}
	return unitsOf(v, i, places)
}

// misfit is the error of a value that is no decimal of so many digits and places.
func misfit(v *columnar.Vector, i, digits, places int) error {
	if v.Type == columnar.Text && !isDecimal(v.Bytes(i)) {
		return &CastError{string(v.Bytes(i)), columnar.Decimal}
	}
	return fmt.Errorf("%q does not fit DECIMAL(%d, %d): %w", columnar.Excerpt(string(v.AppendText(nil, i)), 60), digits, places, ErrCast)
}

// digits says how many digits a decimal may have, and how many of them after its point.
type digits struct {
	all, places int64
	unit        int64 // the last decimal place, in millionths
	limit       int64 // exclusive bound of absolute values, in millionths
}

// newDigits returns the digits that two literals ask for; they must not be nil.
func newDigits(all, places *Value) (d digits, err error) {
	if all == nil || places == nil {
		return d, fmt.Errorf("%s takes digits that are known beforehand", OpToDigits)
	}
	d = digits{all: all.Int, places: places.Int, unit: 1, limit: decimalOne}
	if d.places < 0 || d.places > number.Scale || d.all < max(d.places, 1) || d.all > number.MaxPlaces {
		return d, fmt.Errorf("there are no decimals of %d digits with %d behind the point", d.all, d.places)
	}
	for range number.Scale - d.places {
		d.unit *= 10
	}
	for range d.all - d.places {
		if d.limit > math.MaxInt64/10 {
			d.limit = math.MaxInt64
			break
		}
		d.limit *= 10
	}
	return d, nil
}

// of returns value i of a vector in millionths, rounded to the decimal places; ok is false if
// it is not a number or has too many digits.
func (d *digits) of(v *columnar.Vector, i int) (n int64, ok bool) {
	switch v.Type {
	case columnar.Decimal:
		n, ok = roundInteger(v.Ints[i], d.unit)
	case columnar.Int:
		n, ok = v.Ints[i]*decimalOne, max(v.Ints[i], -v.Ints[i]) < d.limit/decimalOne && v.Ints[i] != math.MinInt64
	case columnar.Float:
		units := math.Round(v.Floats[i] * float64(decimalOne/d.unit))
		if ok = math.Abs(units) < float64(d.limit/d.unit); ok {
			n = int64(units) * d.unit
		}
	default:
		if n, ok = number.ParseRounded(v.Bytes(i), d.places); ok {
			ok = n > -d.limit/d.unit && n < d.limit/d.unit
			n *= d.unit
		}
	}
	return n, ok && n > -d.limit && n < d.limit
}

func buildToDigits(b *build) (kernel, error) {
	d, err := newDigits(b.literal(1), b.literal(2))
	if err != nil {
		return nil, err
	}
	try := b.literal(3) != nil && b.literal(3).Bool
	b.keep(0)
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			n, ok := d.of(args[0], i)
			if !ok && !try {
				return misfit(args[0], i, int(d.all), int(d.places))
			}
			if !ok {
				out.setNull(i)
			}
			out.Ints[i] = n
		}
		return nil
	}, nil
}

// isDecimal reports whether a text is a number.
func isDecimal(text []byte) bool {
	_, ok := number.ParseFloat(text)
	return ok
}
