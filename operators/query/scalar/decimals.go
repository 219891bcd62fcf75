package scalar

import (
	"math/bits"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
)

// digits are those of a DECIMAL: how many there are, and how many of them stand behind the point.
type digits struct{ all, places int64 }

// usual are the digits of a DECIMAL whose type does not say them: all of a DECIMAL of a file, so that a cast to
// DECIMAL loses nothing.
var usual = digits{18, number.Scale}

// decimalNamed returns the digits of a decimal type; ok is false if it is none.
func decimalNamed(name string) (d digits, ok bool) {
	var err error
	name, inside, given := strings.Cut(name, "(")
	if name != "DECIMAL" && name != "NUMERIC" && name != "DEC" {
		return d, false
	}
	if !given {
		return usual, true
	}
	inside, closed := strings.CutSuffix(inside, ")")
	all, places, scaled := strings.Cut(inside, ",")
	d.all, err = strconv.ParseInt(all, 10, 64)
	if err == nil && scaled {
		d.places, err = strconv.ParseInt(strings.TrimPrefix(places, " "), 10, 64)
	}
	return d, err == nil && closed && d.all <= number.MaxPlaces && columnar.DecimalOf(int(d.all), int(d.places)) != columnar.Invalid
}

// narrow reports whether a Decimal has them all.
func (d digits) narrow() bool {
	return d.places <= usual.places && d.all-d.places <= usual.all-usual.places
}

// Type is the type that has the digits.
func (d digits) Type() columnar.Type {
	if d.narrow() {
		return columnar.Decimal
	}
	return columnar.DecimalOf(int(d.all), int(d.places))
}

// cast casts a text, a number or a truth value: it is rounded to the places, and must not have more digits. A
// value whose cast to the type alone does that is not cast.
func (d digits) cast(v Value, try bool) Value {
	t := d.Type()
	switch {
	case t.IsWide():
		return Value{Expr: expr.ToWide(v.Expr, t, try), Type: t}
	case d == usual && v.Type != columnar.Float:
		return Value{}
	case v.Type.Kind() == columnar.KindInt128 || v.Type == columnar.Bool:
		v.Expr, v.Type = expr.ToWide(v.Expr, columnar.DecimalOf(int(d.all), int(d.places)), try), columnar.DecimalOf(int(d.all), int(d.places))
		return Value{Expr: expr.ToDecimal(v.Expr), Type: t}
	}
	return Value{Expr: expr.Call(expr.OpToDigits, v.Expr, expr.Int(d.all), expr.Int(d.places), expr.Bool(try)), Type: t}
}

// literalDecimal reads a number with a point and without an exponent: a DECIMAL, or one with as many digits as are
// written. ok is false if there are more than 38.
func literalDecimal(text string) (v Value, ok bool) {
	unsigned := strings.TrimLeft(text, "+-")
	whole, fraction, point := strings.Cut(unsigned, ".")
	if !point || strings.ContainsAny(text, "eE") {
		return v, false
	}
	if len(fraction) <= number.Scale {
		if n, ok := number.ParseDecimal([]byte(text)); ok {
			return Value{Expr: expr.Dec(n), Type: columnar.Decimal}, true
		}
	}
	whole = strings.TrimLeft(whole, "0")
	t := columnar.DecimalOf(len(whole)+len(fraction), len(fraction))
	n, ok := number.Parse128([]byte(text), len(fraction))
	if t == columnar.Invalid || !ok {
		return v, false
	}
	return Value{Expr: expr.Wide(t, n), Type: t}, true
}

// mostPlaces is how many places a product with a column of a file has: that of three of them leaves 20 digits before
// the point. Of more factors, a DOUBLE has the range.
const mostPlaces = 3 * number.Scale

// product multiplies two numbers. What has more places than there are, or leaves too few digits before the point, is a
// DOUBLE.
func product(x, y Value) Value {
	t := expr.Product(x.Type, y.Type)
	if t == columnar.Invalid || t.Scale() > mostPlaces && (x.Type == columnar.Decimal || y.Type == columnar.Decimal) {
		return FloatOf(expr.Mul(expr.ToFloat(x.Expr), expr.ToFloat(y.Expr)))
	}
	return Value{Expr: expr.Mul(x.Expr, y.Expr), Type: t}
}

// Roomed gives a DECIMAL the digits that DuckDB would compute with, where 64 bits were too few for the results.
func (st *Statement) Roomed(v Value) Value {
	switch {
	case !st.Roomy || v.Type != columnar.Decimal || v.Null:
	case v.Expr.Literal() != nil:
		return v.asWritten()
	default:
		t := columnar.DecimalOf(columnar.Decimal.Digits(), number.Scale)
		v.Expr, v.Type = expr.ToWide(v.Expr, t, false), t
	}
	return v
}

// asWritten gives a number that stands in a statement as few digits as it has, so that what is computed with wide
// decimals has no more than it needs.
func (v Value) asWritten() Value {
	n := v.Expr.Literal()
	if n == nil || v.Type != columnar.Decimal && v.Type != columnar.Int {
		return v
	}
	places, units := v.Type.Scale(), n.Int
	for places > 0 && units%10 == 0 {
		places, units = places-1, units/10
	}
	size := bits.Len64(uint64(max(units, -units)))*1233>>12 + 1 // at most one digit too many
	t := columnar.DecimalOf(max(size, places, 1), places)
	return Value{Expr: expr.Wide(t, number.Product(units, 1)), Type: t, At: v.At}
}
