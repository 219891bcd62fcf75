package expr

import (
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// Powers, logarithms and trigonometric functions of floats. A result that is not finite, of a number
// that is, is ErrNoNumber, and so is NaN of anything else.
const (
	OpSqrt  Op = "sqrt"
	OpPow   Op = "pow"
	OpExp   Op = "exp"
	OpLn    Op = "ln"
	OpLog10 Op = "log10"
	OpLog2  Op = "log2"
	OpCbrt  Op = "cbrt"
	OpSin   Op = "sin"
	OpCos   Op = "cos"
	OpTan   Op = "tan"
	OpAsin  Op = "asin"
	OpAcos  Op = "acos"
	OpAtan  Op = "atan"
	OpAtan2 Op = "atan2"
)

// ErrNoNumber means that a function is not defined for its arguments.
var ErrNoNumber = errors.New("there is no such number")

func init() { functions.Add(powerFunctions) }

func powerFunctions() []function {
	return []function{
		oneFloat(OpSqrt, 2, math.Sqrt).called(registry.Numbers.Doc("sqrt", "(number)", "the square root",
			"sqrt(9)", "3")),
		{
			op: OpPow, takes: "two floats", types: []registry.Signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed, canFail: true,
			build: just(pow), example: Call(OpPow, Float(2), Float(0.5)),
			doc: registry.Numbers.Doc("pow power", "(number, power)", "a number to a power",
				"pow(2, 10)", "1024"),
		},
		oneFloat(OpExp, 0, math.Exp).called(registry.Numbers.Doc("exp", "(number)", "e to a power",
			"exp(0)", "1")),
		oneFloat(OpLn, 1, ln).called(registry.Numbers.Doc("ln", "(number)", "the natural logarithm",
			"ln(1)", "0")),
		oneFloat(OpLog10, 1000, log10).called(registry.Numbers.Doc("log10", "(number)", "the logarithm to base 10",
			"log10(1000)", "3")),
		oneFloat(OpLog2, 8, math.Log2).called(registry.Numbers.Doc("log2", "(number)", "the logarithm to base 2",
			"log2(8)", "3")),
		oneFloat(OpCbrt, 27, math.Cbrt).called(registry.Numbers.Doc("cbrt", "(number)", "the cube root",
			"cbrt(27)", "3")),
		oneFloat(OpSin, 0, math.Sin).called(registry.Numbers.Doc("sin", "(radians)", "the sine of an angle",
			"sin(0)", "0")),
		oneFloat(OpCos, 0, math.Cos).called(registry.Numbers.Doc("cos", "(radians)", "the cosine of an angle",
			"cos(0)", "1")),
		oneFloat(OpTan, 0, math.Tan).called(registry.Numbers.Doc("tan", "(radians)", "the tangent of an angle",
			"tan(0)", "0")),
		oneFloat(OpAsin, 0, math.Asin).called(registry.Numbers.Doc("asin", "(number)", "the angle whose sine it is",
			"asin(0)", "0")),
		oneFloat(OpAcos, 1, math.Acos).called(registry.Numbers.Doc("acos", "(number)", "the angle whose cosine it is",
			"acos(1)", "0")),
		oneFloat(OpAtan, 0, math.Atan).called(registry.Numbers.Doc("atan", "(number)", "the angle whose tangent it is",
			"atan(0)", "0")),
		{
			op: OpAtan2, takes: "two floats", types: []registry.Signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed,
			build: just(func(out *result, args []*columnar.Vector) error {
				each2(out.Floats, args[0].Floats, args[1].Floats, math.Atan2)
				return nil
			}),
			example: Call(OpAtan2, Float(0), Float(1)),
			doc: registry.Numbers.Doc("atan2", "(y, x)", "the angle of a point with these coordinates",
				"atan2(0, 1)", "0"),
		},
	}
}

func oneFloat(op Op, example float64, f func(float64) float64) function {
	return function{
		op: op, takes: "a float", types: sameOf(columnar.Float), cost: costFixed, canFail: true, build: just(ofFloat(op, f)),
		example: Call(op, Float(example)),
	}
}

//go:noinline
func ofFloat(op Op, f func(float64) float64) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i, x := range args[0].Floats[:out.Len] {
			y := f(x)
			if math.IsNaN(y) && !math.IsNaN(x) || math.IsInf(y, 0) && isFinite(x) {
				if y = 0; !out.IsNull(i) {
					return fmt.Errorf("%s of %g: %w", op, x, ErrNoNumber)
				}
			}
			out.Floats[i] = y
		}
		return nil
	}
}

// A subnormal number is scaled for its logarithm, since on some processors the library takes its exponent
// for that of the least number that is none.
const (
	leastNormal = 0x1p-1022
	scaledBits  = 54
)

func ln(x float64) float64 {
	if x > 0 && x < leastNormal {
		return math.Log(x*(1<<scaledBits)) - scaledBits*math.Ln2
	}
	return math.Log(x)
}

func log10(x float64) float64 {
	if x > 0 && x < leastNormal {
		return ln(x) / math.Ln10
	}
	return math.Log10(x)
}

// toPower is x to a power, of which the library takes the logarithm.
func toPower(x, y float64) float64 {
	if x > 0 && x < leastNormal {
		return math.Pow(x*(1<<scaledBits), y) * math.Pow(2, -scaledBits*y)
	}
	return math.Pow(x, y)
}

// lnGamma is the logarithm of the absolute value of the gamma function, which is -ln |x| near zero.
func lnGamma(x float64) float64 {
	switch {
	case math.IsInf(x, -1):
		return math.Inf(1)
	case x != 0 && math.Abs(x) < leastNormal:
		return -ln(math.Abs(x))
	}
	y, _ := math.Lgamma(x)
	return y
}

func pow(out *result, args []*columnar.Vector) error {
	powers := args[1].Floats
	for i, x := range args[0].Floats[:out.Len] {
		y := toPower(x, powers[i])
		if !isFinite(y) && isFinite(x) && isFinite(powers[i]) {
			if y = 0; !out.IsNull(i) {
				return fmt.Errorf("%g to the power of %g: %w", x, powers[i], ErrNoNumber)
			}
		}
		out.Floats[i] = y
	}
	return nil
}
