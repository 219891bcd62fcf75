package expr

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of numbers.
const (
	OpAdd       Op = "+"
	OpSub       Op = "-"
	OpMul       Op = "*"
	OpDiv       Op = "/"
	OpIntDiv    Op = "//"
	OpToDecimal Op = "to_decimal"
	OpToFloat   Op = "to_float"
)

// Add gives Int for two Ints, and the wider of the two types in the order Int,
// Decimal, Wide, Float otherwise.
func Add(a, b *Expr) *Expr { return Call(OpAdd, a, b) }

// Sub has the types of Add.
func Sub(a, b *Expr) *Expr { return Call(OpSub, a, b) }

// Mul has the types of Add, without Wide. The product of two Decimals is rounded
// to millionths, half away from zero.
func Mul(a, b *Expr) *Expr { return Call(OpMul, a, b) }

// Div is the Float nearest to a/b, and null where b is zero.
func Div(a, b *Expr) *Expr { return Call(OpDiv, a, b) }

// IntDiv divides Ints and drops the fraction, so that it rounds toward zero, as
// DuckDB's // does; it is null where b is zero.
func IntDiv(a, b *Expr) *Expr { return Call(OpIntDiv, a, b) }

// ToDecimal converts an Int, Decimal or Wide exactly.
func ToDecimal(a *Expr) *Expr { return Call(OpToDecimal, a) }

// ToFloat gives the Float nearest to a number.
func ToFloat(a *Expr) *Expr { return Call(OpToFloat, a) }

var arithmeticFunctions = []function{
	{
		op: OpAdd, takes: "two numbers", types: twoOf(numbers, wider),
		cost: costFixed, canFail: true, binds: bindAdd, build: arithmetic{
			ints: addInts, int: addInt,
			floats: addFloats,
			wide:   addWide,
		}.build,
		help: "the exact sum, of the wider type", example: Add(Int(1), Dec(decimalOne/2)),
	},
	{
		op: OpSub, takes: "two numbers", types: twoOf(numbers, wider),
		cost: costFixed, canFail: true, binds: bindAdd, build: arithmetic{
			ints: subInts, int: subInt,
			floats: subFloats,
			wide:   func(a, b number.Int128) (number.Int128, bool) { return addWide(a, b.Negate()) },
		}.build,
		help: "the exact difference, of the wider type", example: Sub(Int(1), Int(2)),
	},
	{
		op: OpMul, takes: "two numbers that are int, decimal or float",
		types: twoOf([]columnar.Type{columnar.Int, columnar.Decimal, columnar.Float}, wider),
		cost:  costFixed, canFail: true, binds: bindMul, build: buildProduct,
		help: "the product, of decimals to six places", example: Mul(Dec(1_500_000), Int(3)),
	},
	{
		op: OpDiv, takes: "two numbers",
		types: twoOf(numbers, func(_, _ columnar.Type) columnar.Type { return columnar.Float }),
		cost:  costFixed, canFail: true, binds: bindMul, build: buildQuotient,
		help: "the quotient; null where b is zero", example: Div(Int(1), Int(4)),
	},
	{
		op: OpIntDiv, takes: "two ints", types: []signature{sig(columnar.Int, columnar.Int, columnar.Int)},
		cost: costFixed, canFail: true, binds: bindMul,
		build: func(b *build) (kernel, error) { return divideInts(b.expr), nil },
		help:  "the quotient without its fraction; null where b is 0", example: IntDiv(Int(1999), Int(10)),
	},
	{
		op: OpToDecimal, takes: "an int, decimal or wide",
		types: oneOf(columnar.Decimal, columnar.Int, columnar.Decimal, columnar.Wide),
		cost:  costFixed, canFail: true, build: buildConversion,
		help: "the number as a decimal", example: ToDecimal(Int(3)),
	},
	{
		op: OpToFloat, takes: "a number", types: oneOf(columnar.Float, numbers...),
		cost: costFixed, build: buildConversion,
		help: "the nearest float", example: ToFloat(Dec(decimalOne / 10)),
	},
}

// ErrOverflow means that the result of an operation on numbers does not fit its
// type. Errors that wrap it name the expression and the numbers.
var ErrOverflow = errors.New("numeric overflow")

func overflow(e *Expr, why string) error {
	return fmt.Errorf("evaluate %s: %s: %w", e.brief(), why, ErrOverflow)
}

// buildConversion makes the one argument a value of the result's type.
func buildConversion(b *build) (kernel, error) {
	if b.args[0].typ == b.typ {
		return nil, nil
	}
	return conversion(b.args[0].typ, b.typ, b.expr), nil
}

// arithmetic is what + and - do with each kind of number.
type arithmetic struct {
	ints   func(out, a, b []int64) (fit bool)
	int    func(a, b int64) (n int64, fits bool)
	floats func(out, a, b []float64)
	wide   func(a, b number.Int128) (n number.Int128, fits bool)
}

func (o arithmetic) build(b *build) (kernel, error) {
	b.convert(b.typ)
	switch b.typ {
	case columnar.Float:
		return computeFloats(b.expr, o.floats), nil
	case columnar.Wide:
		return computeWides(b.expr, o.wide), nil
	}
	return computeInts(b.expr, b.typ, o.ints, o.int), nil
}

func buildProduct(b *build) (kernel, error) {
	switch {
	case b.typ == columnar.Float:
		b.convert(columnar.Float)
		return computeFloats(b.expr, mulFloats), nil
	case b.args[0].typ == columnar.Decimal && b.args[1].typ == columnar.Decimal:
		return computeInts(b.expr, b.typ, applied(mulDecimal), mulDecimal), nil
	}
	return computeInts(b.expr, b.typ, applied(mulInt), mulInt), nil
}

// applied makes a loop of an operation on two numbers.
//
//go:noinline
func applied(one func(a, b int64) (int64, bool)) func(out, a, b []int64) bool {
	return func(out, a, b []int64) bool {
		a, b = a[:len(out)], b[:len(out)]
		fits := true
		for i := range out {
			n, ok := one(a[i], b[i])
			out[i], fits = n, fits && ok
		}
		return fits
	}
}

// computeInts computes Ints and Decimals by their int64s, and looks for the row
// that overflowed if any did. One does not count where the result is null.
//
//go:noinline
func computeInts(e *Expr, t columnar.Type, all func(out, a, b []int64) bool, one func(a, b int64) (int64, bool)) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a, b := args[0], args[1]
		if all(out.vec.Ints, a.Ints, b.Ints) {
			return nil
		}
		for i, x := range a.Ints[:out.vec.Len] {
			y := b.Ints[i]
			if _, ok := one(x, y); !ok && !out.vec.IsNull(i) {
				return overflow(e, fmt.Sprintf("%s %s %s does not fit %s", formatNumber(a.Type, x), e.Op, formatNumber(b.Type, y), t))
			}
		}
		return nil
	}
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

func addFloats(out, a, b []float64) { each2(out, a, b, func(x, y float64) float64 { return x + y }) }

func subFloats(out, a, b []float64) { each2(out, a, b, func(x, y float64) float64 { return x - y }) }

func mulFloats(out, a, b []float64) { each2(out, a, b, func(x, y float64) float64 { return x * y }) }

//go:noinline
func computeFloats(e *Expr, all func(out, a, b []float64)) kernel {
	return func(out *result, args []*columnar.Vector) error {
		x, y := args[0].Floats, args[1].Floats
		all(out.vec.Floats, x, y)
		return checkFinite(e, out.vec.Floats, x, y)
	}
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

//go:noinline
func computeWides(e *Expr, one func(a, b number.Int128) (number.Int128, bool)) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a, b := args[0].Wides, args[1].Wides
		for i := range out.vec.Wides {
			s, ok := one(a[i], b[i])
			if !ok && !out.vec.IsNull(i) {
				return overflow(e, "the result has more than 32 digits before the point")
			}
			out.vec.Wides[i] = s
		}
		return nil
	}
}

// buildQuotient divides Ints and Decimals by their int64s, one of which counts a
// million times if their types differ.
func buildQuotient(b *build) (kernel, error) {
	switch {
	case b.has(columnar.Float):
		b.convert(columnar.Float)
		return divideFloats(b.expr), nil
	case b.has(columnar.Wide):
		b.convert(columnar.Wide)
		return divideWides, nil
	}
	scaleA, scaleB := int64(1), int64(1)
	switch x, y := b.args[0].typ, b.args[1].typ; {
	case x == columnar.Int && y == columnar.Decimal:
		scaleA = decimalOne
	case x == columnar.Decimal && y == columnar.Int:
		scaleB = decimalOne
	}
	return divideExactly(scaleA, scaleB), nil
}

//go:noinline
func divideExactly(scaleA, scaleB int64) kernel {
	return func(out *result, args []*columnar.Vector) error {
		x, y := args[0].Ints, args[1].Ints[:out.vec.Len]
		for i, d := range y {
			if d == 0 {
				continue
			}
			if scaled, ok := mulInt(d, scaleB); ok {
				out.vec.Floats[i] = quotient(x[i], scaleA, scaled)
			} else {
				out.vec.Floats[i] = number.Quotient(decimal128.FromI64(x[i]), number.Product(d, scaleB))
			}
		}
		nullWhereZero(out, y)
		return nil
	}
}

func divideWides(out *result, args []*columnar.Vector) error {
	before := out.vec.Valid
	valid := out.validity()
	for i, d := range args[1].Wides[:len(valid)] {
		valid[i] = (before == nil || before[i]) && d.Sign() != 0
		if valid[i] {
			out.vec.Floats[i] = number.Quotient(args[0].Wides[i], d)
		}
	}
	return nil
}

//go:noinline
func divideFloats(e *Expr) kernel {
	return func(out *result, args []*columnar.Vector) error {
		x, y := args[0].Floats, args[1].Floats
		for i, d := range y[:out.vec.Len] {
			out.vec.Floats[i] = 0
			if d != 0 {
				out.vec.Floats[i] = x[i] / d
			}
		}
		nullWhereZero(out, y)
		return checkFinite(e, out.vec.Floats, x, y)
	}
}

//go:noinline
func divideInts(e *Expr) kernel {
	return func(out *result, args []*columnar.Vector) error {
		x, y := args[0].Ints, args[1].Ints[:out.vec.Len]
		for i, d := range y {
			if d == 0 {
				continue
			}
			if d == -1 && x[i] == math.MinInt64 && !out.vec.IsNull(i) {
				return overflow(e, fmt.Sprintf("%d // -1 does not fit int", x[i]))
			}
			out.vec.Ints[i] = x[i] / d
		}
		nullWhereZero(out, y)
		return nil
	}
}
