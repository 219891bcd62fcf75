package expr

import (
	"errors"
	"fmt"
	"strconv"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// ErrOverflow means that the result of an operation on numbers does not fit its
// type. Errors that wrap it name the expression and the numbers.
var ErrOverflow = errors.New("numeric overflow")

func overflow(e *Expr, why string) error {
	return fmt.Errorf("evaluate %s: %s: %w", e.brief(), why, ErrOverflow)
}

// newArithmetic makes the node of +, -, * or //.
func newArithmetic(e *Expr, a, b operand) node {
	t := numericResult(e.Op, []columnar.Type{a.typ, b.typ})
	switch {
	case t == columnar.Float:
		return &floatArithmetic{expr: e, a: convert(a, t, e).node, b: convert(b, t, e).node}
	case t == columnar.Wide:
		return &wideArithmetic{expr: e, a: convert(a, t, e).node, b: convert(b, t, e).node}
	case e.Op == OpMul && a.typ == columnar.Decimal && b.typ == columnar.Decimal:
		return &intArithmetic{expr: e, typ: t, a: a.node, b: b.node, one: mulDecimal}
	case e.Op == OpMul:
		return &intArithmetic{expr: e, typ: t, a: a.node, b: b.node, one: mulInt}
	case e.Op == OpIntDiv:
		return &intDivision{expr: e, a: a.node, b: b.node}
	}
	n := &intArithmetic{expr: e, typ: t, a: convert(a, t, e).node, b: convert(b, t, e).node, one: addInt}
	if e.Op == OpSub {
		n.one = subInt
	}
	return n
}

// intArithmetic computes Ints and Decimals by their int64s.
type intArithmetic struct {
	result
	expr *Expr
	typ  columnar.Type
	a, b node
	one  func(a, b int64) (int64, bool)
}

func (c *intArithmetic) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(c.typ, in.rows)
	c.nullsOf(a, b)
	x, y := a.Ints[:in.rows], b.Ints[:in.rows]
	var fits bool
	switch c.expr.Op {
	case OpAdd:
		fits = addInts(out.Ints, x, y)
	case OpSub:
		fits = subInts(out.Ints, x, y)
	default:
		fits = apply(out.Ints, x, y, c.one)
	}
	if !fits {
		if err := c.findOverflow(a, b, out.Valid); err != nil {
			return nil, err
		}
	}
	zeroNulls(out.Ints, out.Valid)
	return out, nil
}

// findOverflow returns the error of the first row that overflowed, unless that
// was only where the result is null.
func (c *intArithmetic) findOverflow(a, b *columnar.Vector, valid []bool) error {
	for i, x := range a.Ints[:a.Len] {
		y := b.Ints[i]
		if _, ok := c.one(x, y); !ok && (valid == nil || valid[i]) {
			why := fmt.Sprintf("%s %s %s does not fit %s", formatNumber(a.Type, x), c.expr.Op, formatNumber(b.Type, y), c.typ)
			return overflow(c.expr, why)
		}
	}
	return nil
}

func formatNumber(t columnar.Type, n int64) string {
	if t == columnar.Decimal {
		return formatDecimal(n)
	}
	return strconv.FormatInt(n, 10)
}

func addInts(out, a, b []int64) bool {
	a, b = a[:len(out)], b[:len(out)]
	var signs int64
	for i := range out {
		x, y := a[i], b[i]
		s := x + y
		signs |= (x ^ s) & (y ^ s)
		out[i] = s
	}
	return signs >= 0
}

func subInts(out, a, b []int64) bool {
	a, b = a[:len(out)], b[:len(out)]
	var signs int64
	for i := range out {
		x, y := a[i], b[i]
		d := x - y
		signs |= (x ^ y) & (x ^ d)
		out[i] = d
	}
	return signs >= 0
}

func apply(out, a, b []int64, one func(a, b int64) (int64, bool)) bool {
	a, b = a[:len(out)], b[:len(out)]
	fits := true
	for i := range out {
		n, ok := one(a[i], b[i])
		out[i], fits = n, fits && ok
	}
	return fits
}

// floatArithmetic computes Floats.
type floatArithmetic struct {
	result
	expr *Expr
	a, b node
}

func (c *floatArithmetic) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Float, in.rows)
	c.nullsOf(a, b)
	x, y := a.Floats[:in.rows], b.Floats[:in.rows]
	switch c.expr.Op {
	case OpAdd:
		for i := range out.Floats {
			out.Floats[i] = x[i] + y[i]
		}
	case OpSub:
		for i := range out.Floats {
			out.Floats[i] = x[i] - y[i]
		}
	case OpMul:
		for i := range out.Floats {
			out.Floats[i] = x[i] * y[i]
		}
	}
	zeroNulls(out.Floats, out.Valid)
	return out, checkFinite(c.expr, out.Floats, x, y)
}

// checkFinite returns an error for the first of the results of e for x and y
// that is not finite.
func checkFinite(e *Expr, results, x, y []float64) error {
	for i, f := range results {
		if !isFinite(f) {
			return overflow(e, fmt.Sprintf("%g %s %g does not fit float", x[i], e.Op, y[i]))
		}
	}
	return nil
}

// wideArithmetic adds and subtracts Wides.
type wideArithmetic struct {
	result
	expr *Expr
	a, b node
}

func (c *wideArithmetic) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Wide, in.rows)
	c.nullsOf(a, b)
	for i := range out.Wides {
		x, y := a.Wides[i], b.Wides[i]
		if c.expr.Op == OpSub {
			y = y.Negate()
		}
		s := x.Add(y)
		wrapped := (x.HighBits()^s.HighBits())&(y.HighBits()^s.HighBits()) < 0
		if (wrapped || !number.IsDecimal(s)) && !out.IsNull(i) {
			return nil, overflow(c.expr, "the result has more than 32 digits before the point")
		}
		out.Wides[i] = s
	}
	zeroNulls(out.Wides, out.Valid)
	return out, nil
}
