package expr

import (
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// convert returns o converted to another numeric type, or from a date to a timestamp, or o
// itself if it has that type. e is the expression that errors name.
func convert(o operand, to columnar.Type, e *Expr) operand {
	if o.typ == to {
		return o
	}
	out := operand{typ: to, expr: o.expr}
	if o.value != nil {
		if v := o.value.to(to); v != nil {
			out.value, out.node = v, &constant{value: v}
			return out
		}
	}
	out.node = newCall(to, conversion(o.typ, to), e, o)
	return out
}

func conversion(from, to columnar.Type) kernel {
	switch {
	case to == columnar.Float:
		return floatOf(from)
	case to == columnar.Timestamp:
		return mapEach(ints, ints, number.TimestampOf)
	case from.Kind() == columnar.KindInt64 && to.Kind() == columnar.KindInt128 && holds128(from, to) && to.Scale()-from.Scale() <= 18:
		return wideOfInt(power(int64(to.Scale() - from.Scale())))
	case from.Kind() == columnar.KindInt128 && to.Kind() == columnar.KindInt128 && holds128(from, to) && from.Scale() == to.Scale():
		return func(out *result, args []*columnar.Vector) error { copy(out.Wides, args[0].Wides); return nil }
	case from == columnar.Int && to == columnar.Decimal:
		return decimalOfInt
	case from == columnar.Decimal && to == columnar.Int:
		return mapEach(ints, ints, wholeOf)
	}
	return toExact(false)
}

// holds128 reports whether a type of 128 bits holds all values of an exact type.
func holds128(from, to columnar.Type) bool {
	return from.Scale() <= to.Scale() && from.Digits()-from.Scale() <= to.Digits()-to.Scale()
}

// to converts a literal to another type, or returns nil if it cannot.
func (v *Value) to(t columnar.Type) *Value {
	switch {
	case t == columnar.Timestamp:
		return &Value{Type: t, Int: number.TimestampOf(v.Int)}
	case t == columnar.Float:
		return &Value{Type: t, Float: v.float()}
	case v.exact() && t.Kind() == columnar.KindInt128 && v.Type.Scale() <= t.Scale():
		if n, ok := fitsType(v.units(), v.Type, t); ok {
			out := wideValue(t, n)
			return &out
		}
	case v.exact() && t == columnar.Decimal:
		if n, ok := fitsType(v.units(), v.Type, t); ok {
			return &Value{Type: t, Int: int64(n.LowBits())}
		}
	}
	return nil
}

// exact reports whether the literal is a number but a Float.
func (v *Value) exact() bool { return IsNumber(v.Type) && v.Type != columnar.Float }

// units is the integer that stands for the value of an exact number.
func (v *Value) units() number.Int128 {
	if v.Type.Kind() == columnar.KindInt128 {
		return v.wide()
	}
	return number.Product(v.Int, 1)
}

// fitsType converts the integer that stands for a value of one exact type to that of another, and
// reports whether it fits. Halves are rounded away from zero.
func fitsType(n number.Int128, from, to columnar.Type) (number.Int128, bool) {
	n, ok := number.Rescale128(n, from.Scale(), to.Scale())
	if ok {
		n, ok = fitsKind(n, to)
	}
	return n, ok
}

// fitsKind returns an integer that stands for a value of a type, and whether it is in its range.
func fitsKind(n number.Int128, t columnar.Type) (number.Int128, bool) {
	switch {
	case t == columnar.Huge:
		return n, true
	case t.Kind() == columnar.KindInt128:
		return n, number.HasDigits(n, t.Digits())
	}
	_, ok := number.Narrow(n)
	return n, ok
}

// float is the Float nearest to a literal number.
func (v *Value) float() float64 {
	switch {
	case v.Type == columnar.Int:
		return float64(v.Int)
	case v.exact():
		return number.Float128(v.units(), v.Type.Scale())
	}
	return v.Float
}

// boolsAsInts returns a Bool operand as an Int that is 1 for true.
func boolsAsInts(o operand) operand {
	out := operand{typ: columnar.Int, expr: o.expr, node: newCall(columnar.Int, bitsOf, o.expr, o)}
	if o.value != nil {
		out.value = &Value{Type: columnar.Int, Int: bitOf(o.value.Bool)}
	}
	return out
}

func bitsOf(out *result, args []*columnar.Vector) error {
	each1(out.Ints, args[0].Bools, bitOf)
	return nil
}

func bitOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func decimalOfInt(out *result, args []*columnar.Vector) error {
	for i, n := range args[0].Ints[:out.Len] {
		scaled, ok := mulInt(n, decimalOne)
		if !ok {
			return overflow(fmt.Sprintf("%d is too large for a decimal", n))
		}
		out.Ints[i] = scaled
	}
	return nil
}

// toExact converts Bools and numbers to exact numbers. Where one does not fit, it is null if try is
// set, and an error otherwise.
//
//go:noinline
func toExact(try bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.Len {
			n, ok := exactOf(args[0], i, out.Type)
			switch {
			case ok || out.IsNull(i):
			case try:
				out.setNull(i)
			default:
				return tooLarge(args[0], i, out.Type)
			}
			if out.kind == columnar.KindInt128 {
				out.Wides[i] = n
			} else {
				out.Ints[i] = int64(n.LowBits())
			}
		}
		return nil
	}
}

// exactOf returns the integer that stands for value i of a vector as an exact type, and whether it
// fits.
func exactOf(v *columnar.Vector, i int, to columnar.Type) (n number.Int128, ok bool) {
	if n, ok = unitsOf(v, i, to.Scale()); ok {
		n, ok = fitsKind(n, to)
	}
	return n, ok
}

// unitsOf returns value i of a vector in units of 10^-places, rounded, and whether that fits 128
// bits. Halves of floats become even whole numbers, all others go away from zero.
func unitsOf(v *columnar.Vector, i, places int) (number.Int128, bool) {
	switch v.Type.Kind() {
	case columnar.KindBool:
		return number.Rescale128(number.Product(bitOf(v.Bools[i]), 1), 0, places)
	case columnar.KindInt64:
		return number.Rescale128(number.Product(v.Ints[i], 1), v.Type.Scale(), places)
	case columnar.KindInt128:
		return number.Rescale128(v.Wides[i], v.Type.Scale(), places)
	}
	if places == 0 {
		return number.Whole128(math.RoundToEven(v.Floats[i]))
	}
	return number.Whole128(math.Round(v.Floats[i] * math.Pow10(places)))
}

func tooLarge(v *columnar.Vector, i int, to columnar.Type) error {
	return overflow(fmt.Sprintf("%s is too large for %s", v.AppendText(nil, i), withArticle(to)))
}

// withArticle is the name of a type behind its article.
func withArticle(t columnar.Type) string {
	if t == columnar.Int {
		return "an int"
	}
	return "a " + nameOf(t)
}

// nameOf is the name of a type in errors.
func nameOf(t columnar.Type) string {
	if t.IsWide() {
		return t.SQL()
	}
	return t.String()
}

// wideOfInt converts Ints and Decimals to numbers of 128 bits by a factor.
//
//go:noinline
func wideOfInt(factor int64) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:out.Len] {
			out.Wides[i] = number.Product(n, factor)
		}
		return nil
	}
}

// floatOf converts exact numbers to the nearest Floats.
//
//go:noinline
func floatOf(from columnar.Type) kernel {
	return func(out *result, args []*columnar.Vector) error {
		to, a := out.Floats, args[0]
		switch from {
		case columnar.Int:
			for i, n := range a.Ints[:len(to)] {
				to[i] = float64(n)
			}
		case columnar.Decimal:
			for i, n := range a.Ints[:len(to)] {
				to[i] = quotient(n, 1, decimalOne)
			}
		default:
			places := from.Scale()
			for i, w := range a.Wides[:len(to)] {
				to[i] = number.Float128(w, places)
			}
		}
		return nil
	}
}
