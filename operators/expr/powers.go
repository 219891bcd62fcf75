package expr

import (
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
)

// Powers and logarithms of floats. Where there is no finite one, that is ErrNoNumber.
const (
	OpSqrt  Op = "sqrt"
	OpPow   Op = "pow"
	OpExp   Op = "exp"
	OpLn    Op = "ln"
	OpLog10 Op = "log10"
)

// ErrNoNumber means that a function has no value for a number.
var ErrNoNumber = errors.New("there is no such number")

var powerFunctions = []function{
	{
		op: OpSqrt, takes: "a float", types: sameOf(columnar.Float), cost: costFixed, canFail: true, build: ofFloat(math.Sqrt),
		help: "the square root", example: Call(OpSqrt, Float(2)),
	},
	{
		op: OpPow, takes: "two floats", types: []signature{sig(columnar.Float, columnar.Float, columnar.Float)}, cost: costFixed, canFail: true,
		build: buildPow, help: "the first to the power of the second", example: Call(OpPow, Float(2), Float(0.5)),
	},
	{
		op: OpExp, takes: "a float", types: sameOf(columnar.Float), cost: costFixed, canFail: true, build: ofFloat(math.Exp),
		help: "e to this power", example: Call(OpExp, Float(0)),
	},
	{
		op: OpLn, takes: "a float", types: sameOf(columnar.Float), cost: costFixed, canFail: true, build: ofFloat(math.Log),
		help: "the natural logarithm", example: Call(OpLn, Float(1)),
	},
	{
		op: OpLog10, takes: "a float", types: sameOf(columnar.Float), cost: costFixed, canFail: true, build: ofFloat(math.Log10),
		help: "the logarithm to base 10", example: Call(OpLog10, Float(1000)),
	},
}

func ofFloat(f func(float64) float64) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		e := b.expr
		return func(out *result, args []*columnar.Vector) error {
			for i, x := range args[0].Floats[:out.vec.Len] {
				y := f(x)
				if !isFinite(y) && isFinite(x) {
					if y = 0; !out.vec.IsNull(i) {
						return fmt.Errorf("evaluate %s: %s of %g: %w", e.brief(), e.Op, x, ErrNoNumber)
					}
				}
				out.vec.Floats[i] = y
			}
			return nil
		}, nil
	}
}

func buildPow(b *build) (kernel, error) {
	e := b.expr
	return func(out *result, args []*columnar.Vector) error {
		powers := args[1].Floats
		for i, x := range args[0].Floats[:out.vec.Len] {
			y := math.Pow(x, powers[i])
			if !isFinite(y) && isFinite(x) && isFinite(powers[i]) {
				if y = 0; !out.vec.IsNull(i) {
					return fmt.Errorf("evaluate %s: %g to the power of %g: %w", e.brief(), x, powers[i], ErrNoNumber)
				}
			}
			out.vec.Floats[i] = y
		}
		return nil
	}, nil
}
