package expr

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// convert returns o as a value of another numeric type, or o itself if it has
// that type. e is the expression that errors name.
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
	switch to {
	case columnar.Decimal:
		out.node = &toDecimal{arg: o.node, expr: e}
	case columnar.Float:
		out.node = &toFloat{arg: o.node}
	default:
		out.node = &toWide{arg: o.node}
	}
	return out
}

// to converts a literal to a type that has literals, or returns nil.
func (v *Value) to(t columnar.Type) *Value {
	switch {
	case t == columnar.Float:
		return &Value{Type: t, Float: v.float()}
	case t == columnar.Decimal && v.Type == columnar.Int:
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
	case columnar.Decimal:
		return quotient(v.Int, 1, decimalOne)
	}
	return v.Float
}

// boolsAsInts returns a Bool operand as an Int that is 1 for true.
func boolsAsInts(o operand) operand {
	out := operand{typ: columnar.Int, expr: o.expr, node: &boolToInt{arg: o.node}}
	if o.value != nil {
		out.value = &Value{Type: columnar.Int}
		if o.value.Bool {
			out.value.Int = 1
		}
	}
	return out
}

type boolToInt struct {
	result
	arg node
}

func (c *boolToInt) eval(in *input) (*columnar.Vector, error) {
	a, err := c.arg.eval(in)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Int, in.rows)
	c.nullsOf1(a)
	for i, b := range a.Bools[:in.rows] {
		out.Ints[i] = 0
		if b {
			out.Ints[i] = 1
		}
	}
	return out, nil
}

// toDecimal converts Ints and Wides to Decimals.
type toDecimal struct {
	result
	arg  node
	expr *Expr
}

func (c *toDecimal) eval(in *input) (*columnar.Vector, error) {
	a, err := c.arg.eval(in)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Decimal, in.rows)
	c.nullsOf1(a)
	if a.Type == columnar.Int {
		for i, n := range a.Ints[:in.rows] {
			scaled, ok := mulInt(n, decimalOne)
			if !ok {
				return nil, overflow(c.expr, fmt.Sprintf("%d is too large for a decimal", n))
			}
			out.Ints[i] = scaled
		}
		return out, nil
	}
	for i, w := range a.Wides[:in.rows] {
		n, ok := number.Narrow(w)
		if !ok {
			return nil, overflow(c.expr, w.ToString(6)+" is too large for a decimal")
		}
		out.Ints[i] = n
	}
	return out, nil
}

// toWide converts Ints and Decimals to Wides.
type toWide struct {
	result
	arg node
}

func (c *toWide) eval(in *input) (*columnar.Vector, error) {
	a, err := c.arg.eval(in)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Wide, in.rows)
	c.nullsOf1(a)
	scale := int64(1)
	if a.Type == columnar.Int {
		scale = decimalOne
	}
	for i, n := range a.Ints[:in.rows] {
		out.Wides[i] = number.Product(n, scale)
	}
	return out, nil
}

// toFloat converts exact numbers to the nearest Floats.
type toFloat struct {
	result
	arg node
}

func (c *toFloat) eval(in *input) (*columnar.Vector, error) {
	a, err := c.arg.eval(in)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Float, in.rows)
	c.nullsOf1(a)
	switch a.Type {
	case columnar.Int:
		for i, n := range a.Ints[:in.rows] {
			out.Floats[i] = float64(n)
		}
	case columnar.Decimal:
		for i, n := range a.Ints[:in.rows] {
			out.Floats[i] = quotient(n, 1, decimalOne)
		}
	case columnar.Wide:
		for i, w := range a.Wides[:in.rows] {
			out.Floats[i] = number.Mean(w, 1, decimalOne)
		}
	}
	return out, nil
}
