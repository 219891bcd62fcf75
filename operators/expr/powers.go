package expr

import (
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
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

var powerFunctions = []function{
	oneFloat(OpSqrt, 2, math.Sqrt),
	{
		op: OpPow, takes: "two floats", types: []signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed, canFail: true,
		build: just(pow), example: Call(OpPow, Float(2), Float(0.5)),
	},
	oneFloat(OpExp, 0, math.Exp),
	oneFloat(OpLn, 1, math.Log),
	oneFloat(OpLog10, 1000, math.Log10),
	oneFloat(OpLog2, 8, math.Log2),
	oneFloat(OpCbrt, 27, math.Cbrt),
	oneFloat(OpSin, 0, math.Sin),
	oneFloat(OpCos, 0, math.Cos),
	oneFloat(OpTan, 0, math.Tan),
	oneFloat(OpAsin, 0, math.Asin),
	oneFloat(OpAcos, 1, math.Acos),
	oneFloat(OpAtan, 0, math.Atan),
	{
		op: OpAtan2, takes: "two floats", types: []signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed,
		build: just(func(out *result, args []*columnar.Vector) error {
			each2(out.Floats, args[0].Floats, args[1].Floats, math.Atan2)
			return nil
		}),
		example: Call(OpAtan2, Float(0), Float(1)),
	},
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
