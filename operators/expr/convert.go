package expr

import (
	"fmt"

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
		return mapInts(number.TimestampOf)
	case to == columnar.Wide && from == columnar.Int:
		return wideOf(decimalOne)
	case to == columnar.Wide:
		return wideOf(1)
	case from == columnar.Wide:
		return decimalOfWide
	}
	return decimalOfInt
}

// to converts a literal to another type, or returns nil if it cannot.
func (v *Value) to(t columnar.Type) *Value {
	switch {
	case t == columnar.Timestamp:
		return &Value{Type: t, Int: number.TimestampOf(v.Int)}
	case t == columnar.Float:
		return &Value{Type: t, Float: v.float()}
	case t == columnar.Wide && v.Type == columnar.Decimal, t == columnar.Decimal && v.Type == columnar.Wide:
		return &Value{Type: t, Int: v.Int}
	case (t == columnar.Decimal || t == columnar.Wide) && v.Type == columnar.Int:
		if n, ok := mulInt(v.Int, decimalOne); ok {
			return &Value{Type: t, Int: n}
		}
	}
	return nil
}

// float is the Float nearest to a literal number.
func (v *Value) float() float64 {
	switch v.Type {
	case columnar.Int:
		return float64(v.Int)
	case columnar.Decimal, columnar.Wide:
		return quotient(v.Int, 1, decimalOne)
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

func decimalOfWide(out *result, args []*columnar.Vector) error {
	for i, w := range args[0].Wides[:out.Len] {
		n, ok := number.Narrow(w)
		if !ok {
			return overflow(w.ToString(6) + " is too large for a decimal")
		}
		out.Ints[i] = n
	}
	return nil
}

// wideOf converts Ints and Decimals to Wides.
//
//go:noinline
func wideOf(scale int64) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:out.Len] {
			out.Wides[i] = number.Product(n, scale)
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
		case columnar.Wide:
			for i, w := range a.Wides[:len(to)] {
				to[i] = number.Mean(w, 1, decimalOne)
			}
		}
		return nil
	}
}
