package expr

import (
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The casts to a decimal with a given number of digits and decimal places: to a Decimal, and to a
// Wide.
const (
	OpToDigits     Op = "to_digits"
	OpToWideDigits Op = "to_wide_digits"
)

func init() { functions.Add(digitFunctions) }

func digitFunctions() []function {
	return []function{{
		op: OpToDigits, takes: "a text, int, decimal or float, two ints and a bool",
		types: []registry.Signature{
			sig(columnar.Decimal, columnar.Text, columnar.Int, columnar.Int, columnar.Bool), sig(columnar.Decimal, columnar.Int, columnar.Int, columnar.Int, columnar.Bool),
			sig(columnar.Decimal, columnar.Decimal, columnar.Int, columnar.Int, columnar.Bool), sig(columnar.Decimal, columnar.Float, columnar.Int, columnar.Int, columnar.Bool),
		},
		cost: costText * 4, canFail: true, build: buildToDigits,
		example: Call(OpToDigits, Str("12.345"), Int(4), Int(2), Bool(false)),
	}, {
		op: OpToWideDigits, takes: "a text, bool or number, two ints and a bool", types: toWideDigits(),
		cost: costText * 4, canFail: true, build: buildToWideDigits,
		example: Call(OpToWideDigits, Str("12345678901234567890.345"), Int(30), Int(2), Bool(false)),
	}}
}

func toWideDigits() []registry.Signature {
	var all []registry.Signature
	for _, t := range append([]columnar.Type{columnar.Text, columnar.Bool}, numbers...) {
		all = append(all, sig(columnar.Wide, t, columnar.Int, columnar.Int, columnar.Bool))
	}
	return all
}

func buildToWideDigits(b *build) (kernel, error) {
	d, err := newDigits(b.literal(1), b.literal(2))
	if err != nil {
		return nil, err
	}
	try, scale := b.literal(3) != nil && b.literal(3).Bool, int64(b.typ.Scale())
	unit, limit := number.Power128(int(scale-d.places)), number.Power128(int(min(d.all-d.places+scale, number.MaxPlaces)))
	b.keep(0)
	return func(out *result, args []*columnar.Vector) error {
		a := args[0]
		for i := range out.rows() {
			n, ok := number.Int128{}, false
			if a.Type == columnar.Text {
				n, ok = number.Parse128(a.Bytes(i), int(d.places))
			} else {
				n, ok = unitsOf(a, i, int(d.places))
			}
			if ok {
				n, ok = number.Mul128(n, unit)
			}
			if ok = ok && n.Less(limit) && limit.Negate().Less(n); ok {
				out.Wides[i] = n
			} else if try {
				out.setNull(i)
			} else {
				return d.misfit(a, i)
			}
		}
		return nil
	}, nil
}

// misfit is the error of a value that is no such decimal.
func (d *digits) misfit(v *columnar.Vector, i int) error {
	if v.Type == columnar.Text && !isDecimal(v.Bytes(i)) {
		return &CastError{string(v.Bytes(i)), columnar.Decimal}
	}
	return fmt.Errorf("%q does not fit DECIMAL(%d, %d): %w", brief(v.AppendText(nil, i)), d.all, d.places, ErrCast)
}

// MaxDigits is the largest number of digits that a cast to a decimal may ask for.
const MaxDigits = 38

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
	if d.places < 0 || d.places > number.Scale || d.all < max(d.places, 1) || d.all > MaxDigits {
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
				return d.misfit(args[0], i)
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
