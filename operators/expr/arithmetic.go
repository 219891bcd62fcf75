package expr

import (
	"errors"
	"fmt"
	"math"

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
	OpToHuge    Op = "to_huge"
	OpToFloat   Op = "to_float"
)

// Add is a+b, of the type Sum.
func Add(a, b *Expr) *Expr { return Call(OpAdd, a, b) }

// Sub is a-b, of the type Sum; 0-b keeps the type of a wide decimal.
func Sub(a, b *Expr) *Expr { return Call(OpSub, a, b) }

// Mul is a·b, of the type Product.
func Mul(a, b *Expr) *Expr { return Call(OpMul, a, b) }

// Div is the Float nearest to a/b, and null where b is zero.
func Div(a, b *Expr) *Expr { return Call(OpDiv, a, b) }

// IntDiv divides whole numbers and rounds toward zero, as DuckDB's // does; it is null where b is
// zero.
func IntDiv(a, b *Expr) *Expr { return Call(OpIntDiv, a, b) }

// ToDecimal converts a number but a Float, and rounds it to millionths.
func ToDecimal(a *Expr) *Expr { return Call(OpToDecimal, a) }

// ToHuge converts an Int exactly, and rounds other numbers to whole ones, as OpToInt does.
func ToHuge(a *Expr) *Expr { return Call(OpToHuge, a) }

// ToFloat gives the Float nearest to a number.
func ToFloat(a *Expr) *Expr { return Call(OpToFloat, a) }

func init() { functions.Add(arithmeticFunctions) }

func arithmeticFunctions() []function {
	return []function{
		{
			op: OpAdd, takes: "two numbers", types: twoOf(numbers, Sum), typeOf: byTypes(Sum),
			cost: costFixed, canFail: true, byValue: true, binds: bindAdd, build: arithmetic{
				ints:   func(out, a, b []int64) bool { return each2Fits(out, a, b, addInt) },
				floats: func(out, a, b []float64) bool { return each2Fits(out, a, b, addFloat) },
				wides:  func(out, a, b []number.Int128) bool { return each2Fits(out, a, b, number.Add128) && areDecimals(out) },
				huges:  func(out, a, b []number.Int128) bool { return each2Fits(out, a, b, number.Add128) },
			}.build,
		},
		{
			op: OpSub, takes: "two numbers", types: twoOf(numbers, Sum), typeOf: onNumbers(difference),
			cost: costFixed, canFail: true, byValue: true, binds: bindAdd, build: arithmetic{
				ints:   func(out, a, b []int64) bool { return each2Fits(out, a, b, subInt) },
				floats: func(out, a, b []float64) bool { return each2Fits(out, a, b, subFloat) },
				wides:  func(out, a, b []number.Int128) bool { return each2Fits(out, a, b, number.Sub128) && areDecimals(out) },
				huges:  func(out, a, b []number.Int128) bool { return each2Fits(out, a, b, number.Sub128) },
			}.build,
		},
		{
			op: OpMul, takes: "two numbers with at most 38 decimal places together", types: twoOf(numbers, Product), typeOf: byTypes(Product),
			cost: costFixed, canFail: true, byValue: true, binds: bindMul, build: buildProduct,
		},
		{
			op: OpDiv, takes: "two numbers",
			types: twoOf(numbers, isFloat), typeOf: byTypes(isFloat),
			cost: costFixed, canFail: true, byValue: true, binds: bindMul, build: buildQuotient,
		},
		{
			op: OpIntDiv, takes: "two whole numbers", types: twoOf([]columnar.Type{columnar.Int, columnar.Huge}, Wider),
			cost: costFixed, canFail: true, binds: bindMul,
			build: func(b *build) (kernel, error) {
				if b.convert(b.typ); b.typ == columnar.Huge {
					return divide(b, wides, divideHuges), nil
				}
				return divide(b, ints, divideInts), nil
			},
		},
		{
			op: OpToDecimal, takes: "a number but a float",
			types: oneOf(columnar.Decimal, columnar.Int, columnar.Decimal, columnar.Huge, columnar.Wide),
			cost:  costFixed, canFail: true, build: buildConversion,
		},
		{
			op: OpToHuge, takes: "a number or a bool", types: oneOf(columnar.Huge, append([]columnar.Type{columnar.Bool}, numbers...)...),
			cost: costFixed, canFail: true, build: buildConversion,
		},
		{
			op: OpToFloat, takes: "a number", types: oneOf(columnar.Float, numbers...),
			cost: costFixed, byValue: true, build: buildConversion,
		},
	}
}

// isFloat says that a result is a Float.
func isFloat(_, _ columnar.Type) columnar.Type { return columnar.Float }

// ErrOverflow means that the result of an operation on numbers does not fit its
// type. Errors that wrap it name the expression and the numbers.
var ErrOverflow = errors.New("numeric overflow")

func overflow(why string) error { return fmt.Errorf("%s: %w", why, ErrOverflow) }

// buildConversion builds the kernel that converts the one argument to the result's type.
func buildConversion(b *build) (kernel, error) {
	if b.args[0].typ == b.typ {
		return nil, nil
	}
	return conversion(b.args[0].typ, b.typ), nil
}

// arithmetic is + or - for each kind of number. Each function computes a batch and
// reports whether all results fit.
type arithmetic struct {
	ints   func(out, a, b []int64) bool
	floats func(out, a, b []float64) bool
	wides  func(out, a, b []number.Int128) bool
	huges  func(out, a, b []number.Int128) bool
}

func (o arithmetic) build(b *build) (kernel, error) {
	if b.typ.IsWide() {
		b.rescale(b.typ)
		return compute(b, wides, o.wides), nil
	}
	b.convert(b.typ)
	switch b.typ {
	case columnar.Float:
		return compute(b, floats, o.floats), nil
	case columnar.Huge:
		return compute(b, wides, o.huges), nil
	}
	return compute(b, ints, o.ints), nil
}

func buildProduct(b *build) (kernel, error) {
	switch {
	case b.typ == columnar.Float:
		b.convert(columnar.Float)
		return compute(b, floats, func(out, x, y []float64) bool { return each2Fits(out, x, y, mulFloat) }), nil
	case b.typ.IsWide() && !b.has128():
		return multiplyInts, nil
	case b.typ.IsWide():
		b.widen()
		return compute(b, wides, func(out, x, y []number.Int128) bool { return each2Fits(out, x, y, number.Mul128) && areDecimals(out) }), nil
	case b.typ == columnar.Huge:
		b.convert(columnar.Huge)
		return compute(b, wides, func(out, x, y []number.Int128) bool { return each2Fits(out, x, y, number.Mul128) }), nil
	}
	return compute(b, ints, func(out, x, y []int64) bool { return each2Fits(out, x, y, mulInt) }), nil
}

// multiplyInts multiplies numbers of 64 bits to ones of 128 bits, which always fit.
func multiplyInts(out *result, args []*columnar.Vector) error {
	each2(out.Wides, args[0].Ints, args[1].Ints, number.Product)
	return nil
}

func bools(v *columnar.Vector) []bool          { return v.Bools }
func ints(v *columnar.Vector) []int64          { return v.Ints }
func floats(v *columnar.Vector) []float64      { return v.Floats }
func wides(v *columnar.Vector) []number.Int128 { return v.Wides }

// compute returns the kernel of an operation. If a result did not fit, the kernel looks for
// the first such row that is not null and reports it.
//
//go:noinline
func compute[T any](b *build, values func(*columnar.Vector) []T, all func(out, x, y []T) bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		to, x, y := values(&out.Vector), values(args[0]), values(args[1])
		if all(to, x, y) {
			return nil
		}
		for i := range to {
			if !all(to[i:i+1], x[i:i+1], y[i:i+1]) && !out.IsNull(i) {
				return overflow(fmt.Sprintf("%s %s %s does not fit %s", args[0].AppendText(nil, i), b.expr.Op, args[1].AppendText(nil, i), nameOf(out.Type)))
			}
		}
		return nil
	}
}

// buildQuotient divides Ints and Decimals as the int64s that hold them. If the types differ,
// it scales the Int by a million.
func buildQuotient(b *build) (kernel, error) {
	switch {
	case b.has(columnar.Float):
		b.convert(columnar.Float)
		return divide(b, floats, divideFloats), nil
	case b.has128():
		b.widen()
		return divideWides(b.args[0].typ.Scale(), b.args[1].typ.Scale()), nil
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
		x, y := args[0].Ints, args[1].Ints[:out.Len]
		for i, d := range y {
			if d == 0 {
				continue
			}
			if scaled, ok := mulInt(d, scaleB); ok {
				out.Floats[i] = quotient(x[i], scaleA, scaled)
			} else {
				out.Floats[i] = number.Quotient(decimal128.FromI64(x[i]), number.Product(d, scaleB))
			}
		}
		nullWhereZero(out, y)
		return nil
	}
}

// divideWides divides numbers of 128 bits with so many decimal places.
//
//go:noinline
func divideWides(p, q int) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i, d := range args[1].Wides[:out.Len] {
			if d.Sign() == 0 {
				out.setNull(i)
			} else {
				out.Floats[i] = number.Quotient128(args[0].Wides[i], p, d, q)
			}
		}
		return nil
	}
}

// divide is compute for a division: the result is null where the divisor is zero, whatever
// all makes of it.
func divide[T int64 | float64 | number.Int128](b *build, values func(*columnar.Vector) []T, all func(out, x, y []T) bool) kernel {
	run := compute(b, values, all)
	return func(out *result, args []*columnar.Vector) error {
		err := run(out, args)
		nullWhereZero(out, values(args[1]))
		return err
	}
}

func divideFloats(out, x, y []float64) bool {
	return each2Fits(out, x, y, func(n, d float64) (float64, bool) {
		if d == 0 {
			return 0, true
		}
		return ofFloats(n/d, n, d)
	})
}

func divideInts(out, x, y []int64) bool {
	return each2Fits(out, x, y, func(n, d int64) (int64, bool) {
		if d == 0 {
			return 0, true
		}
		return n / d, d != -1 || n != math.MinInt64
	})
}

func divideHuges(out, x, y []number.Int128) bool {
	return each2Fits(out, x, y, func(n, d number.Int128) (number.Int128, bool) {
		if d.Sign() == 0 {
			return d, true
		}
		q, _, ok := number.QuoRem128(n, d)
		return q, ok
	})
}
