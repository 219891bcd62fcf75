package expr

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// newDivision makes the node of /. Ints and Decimals divide by their int64s,
// one of which counts a million times if their types differ.
func newDivision(e *Expr, a, b operand) node {
	switch {
	case a.typ == columnar.Float || b.typ == columnar.Float:
		return &floatDivision{expr: e, a: convert(a, columnar.Float, e).node, b: convert(b, columnar.Float, e).node}
	case a.typ == columnar.Wide || b.typ == columnar.Wide:
		return &wideDivision{a: convert(a, columnar.Wide, e).node, b: convert(b, columnar.Wide, e).node}
	}
	d := &division{a: a.node, b: b.node, scaleA: 1, scaleB: 1}
	if a.typ == columnar.Int && b.typ == columnar.Decimal {
		d.scaleA = decimalOne
	}
	if a.typ == columnar.Decimal && b.typ == columnar.Int {
		d.scaleB = decimalOne
	}
	return d
}

// division divides Ints and Decimals.
type division struct {
	result
	a, b           node
	scaleA, scaleB int64
}

func (c *division) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Float, in.rows)
	c.nullsOf(a, b)
	x, y := a.Ints[:in.rows], b.Ints[:in.rows]
	zeros := false
	for i, d := range y {
		if d == 0 {
			out.Floats[i], zeros = 0, true
			continue
		}
		if scaled, ok := mulInt(d, c.scaleB); ok {
			out.Floats[i] = quotient(x[i], c.scaleA, scaled)
		} else {
			out.Floats[i] = number.Quotient(decimal128.FromI64(x[i]), number.Product(d, c.scaleB))
		}
	}
	if zeros {
		c.nullWhereZero(y)
	}
	zeroNulls(out.Floats, out.Valid)
	return out, nil
}

// wideDivision divides Wides.
type wideDivision struct {
	result
	a, b node
}

func (c *wideDivision) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Float, in.rows)
	c.nullsOf(a, b)
	before := out.Valid
	valid := c.validity()
	for i := range out.Floats {
		d := b.Wides[i]
		valid[i] = (before == nil || before[i]) && d.Sign() != 0
		out.Floats[i] = 0
		if valid[i] {
			out.Floats[i] = number.Quotient(a.Wides[i], d)
		}
	}
	return out, nil
}

// floatDivision divides Floats.
type floatDivision struct {
	result
	expr *Expr
	a, b node
}

func (c *floatDivision) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Float, in.rows)
	c.nullsOf(a, b)
	before := out.Valid
	valid := c.validity()
	x, y := a.Floats[:in.rows], b.Floats[:in.rows]
	for i, d := range y {
		valid[i] = (before == nil || before[i]) && d != 0
		out.Floats[i] = 0
		if valid[i] {
			out.Floats[i] = x[i] / d
		}
	}
	return out, checkFinite(c.expr, out.Floats, x, y)
}

// intDivision divides Ints and drops the fraction.
type intDivision struct {
	result
	expr *Expr
	a, b node
}

func (c *intDivision) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Int, in.rows)
	c.nullsOf(a, b)
	x, y := a.Ints[:in.rows], b.Ints[:in.rows]
	zeros := false
	for i, d := range y {
		if d == 0 {
			out.Ints[i], zeros = 0, true
			continue
		}
		if d == -1 && x[i] == math.MinInt64 && !out.IsNull(i) {
			return nil, overflow(c.expr, fmt.Sprintf("%d // -1 does not fit int", x[i]))
		}
		out.Ints[i] = x[i] / d
	}
	if zeros {
		c.nullWhereZero(y)
	}
	zeroNulls(out.Ints, out.Valid)
	return out, nil
}

// nullWhereZero makes the result null where the divisor is zero as well.
func (r *result) nullWhereZero(divisors []int64) {
	before := r.vec.Valid
	valid := r.validity()
	for i, d := range divisors {
		valid[i] = d != 0 && (before == nil || before[i])
	}
}
