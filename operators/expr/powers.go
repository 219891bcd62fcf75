package expr

import (
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// Powers, logarithms and trigonometric functions of floats. A result that is not finite is
// ErrNoNumber.
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
		oneFloat(OpSqrt, 2, math.Sqrt).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"sqrt"}, Usage: "sqrt(number)",
			Help:    "the square root",
			Example: "sqrt(9)", Value: "3",
		}),
		{
			op: OpPow, takes: "two floats", types: []registry.Signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed, canFail: true,
			build: just(pow), example: Call(OpPow, Float(2), Float(0.5)),
			doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"pow", "power"}, Usage: "pow(number, power)",
				Help:    "a number to a power",
				Example: "pow(2, 10)", Value: "1024",
			},
		},
		oneFloat(OpExp, 0, math.Exp).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"exp"}, Usage: "exp(number)",
			Help:    "e to a power",
			Example: "exp(0)", Value: "1",
		}),
		oneFloat(OpLn, 1, math.Log).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"ln"}, Usage: "ln(number)",
			Help:    "the natural logarithm",
			Example: "ln(1)", Value: "0",
		}),
		oneFloat(OpLog10, 1000, math.Log10).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"log10"}, Usage: "log10(number)",
			Help:    "the logarithm to base 10",
			Example: "log10(1000)", Value: "3",
		}),
		oneFloat(OpLog2, 8, math.Log2).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"log2"}, Usage: "log2(number)",
			Help:    "the logarithm to base 2",
			Example: "log2(8)", Value: "3",
		}),
		oneFloat(OpCbrt, 27, math.Cbrt).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"cbrt"}, Usage: "cbrt(number)",
			Help:    "the cube root",
			Example: "cbrt(27)", Value: "3",
		}),
		oneFloat(OpSin, 0, math.Sin).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"sin"}, Usage: "sin(radians)",
			Help:    "the sine of an angle",
			Example: "sin(0)", Value: "0",
		}),
		oneFloat(OpCos, 0, math.Cos).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"cos"}, Usage: "cos(radians)",
			Help:    "the cosine of an angle",
			Example: "cos(0)", Value: "1",
		}),
		oneFloat(OpTan, 0, math.Tan).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"tan"}, Usage: "tan(radians)",
			Help:    "the tangent of an angle",
			Example: "tan(0)", Value: "0",
		}),
		oneFloat(OpAsin, 0, math.Asin).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"asin"}, Usage: "asin(number)",
			Help:    "the angle whose sine it is",
			Example: "asin(0)", Value: "0",
		}),
		oneFloat(OpAcos, 1, math.Acos).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"acos"}, Usage: "acos(number)",
			Help:    "the angle whose cosine it is",
			Example: "acos(1)", Value: "0",
		}),
		oneFloat(OpAtan, 0, math.Atan).called(registry.Doc{
			Group: registry.Numbers, Names: []string{"atan"}, Usage: "atan(number)",
			Help:    "the angle whose tangent it is",
			Example: "atan(0)", Value: "0",
		}),
		{
			op: OpAtan2, takes: "two floats", types: []registry.Signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed,
			build: just(func(out *result, args []*columnar.Vector) error {
				each2(out.Floats, args[0].Floats, args[1].Floats, math.Atan2)
				return nil
			}),
			example: Call(OpAtan2, Float(0), Float(1)),
			doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"atan2"}, Usage: "atan2(y, x)",
				Help:    "the angle of a point with these coordinates",
				Example: "atan2(0, 1)", Value: "0",
			},
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
			if !isFinite(y) && isFinite(x) {
				if y = 0; !out.IsNull(i) {
					return fmt.Errorf("%s of %g: %w", op, x, ErrNoNumber)
				}
			}
			out.Floats[i] = y
		}
		return nil
	}
}

func pow(out *result, args []*columnar.Vector) error {
	powers := args[1].Floats
	for i, x := range args[0].Floats[:out.Len] {
		y := math.Pow(x, powers[i])
		if !isFinite(y) && isFinite(x) && isFinite(powers[i]) {
			if y = 0; !out.IsNull(i) {
				return fmt.Errorf("%g to the power of %g: %w", x, powers[i], ErrNoNumber)
			}
		}
		out.Floats[i] = y
	}
	return nil
}
