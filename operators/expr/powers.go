package expr

import (
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpPow is a number to the power of another.
const OpPow Op = "pow"

// ErrNoNumber means that a function is not defined for its arguments.
var ErrNoNumber = errors.New("there is no such number")

func init() { functions.Add(powerFunctions) }

// powerFunctions are powers, logarithms and trigonometric functions of floats. A result that is not
// finite, of a number that is, is ErrNoNumber, and so is NaN of anything else.
func powerFunctions() []function {
	return []function{
		ofFloat("sqrt", "number", "the square root", "sqrt(9)", "3", math.Sqrt),
		{
			op: OpPow, takes: "two floats", types: only(columnar.Float, columnar.Float, columnar.Float), cost: costFixed, canFail: true,
			build: just(pow),
			doc: registry.Numbers.Doc("pow power", "(number, power)", "a number to a power",
				"pow(2, 10)", "1024"),
		},
		ofFloat("exp", "number", "e to a power", "exp(0)", "1", math.Exp),
		ofFloat("ln", "number", "the natural logarithm", "ln(1)", "0", ln),
		ofFloat("log10", "number", "the logarithm to base 10", "log10(1000)", "3", log10),
		ofFloat("log2", "number", "the logarithm to base 2", "log2(8)", "3", math.Log2),
		ofFloat("cbrt", "number", "the cube root", "cbrt(27)", "3", math.Cbrt),
		ofFloat("sin", "radians", "the sine of an angle", "sin(0)", "0", math.Sin),
		ofFloat("cos", "radians", "the cosine of an angle", "cos(0)", "1", math.Cos),
		ofFloat("tan", "radians", "the tangent of an angle", "tan(0)", "0", math.Tan),
		ofFloat("asin", "number", "the angle whose sine it is", "asin(0)", "0", math.Asin),
		ofFloat("acos", "number", "the angle whose cosine it is", "acos(1)", "0", math.Acos),
		ofFloat("atan", "number", "the angle whose tangent it is", "atan(0)", "0", math.Atan),
		ofTwoFloats("atan2", "(y, x)", "the angle of a point with these coordinates", "atan2(0, 1)", "0", math.Atan2),
	}
}

// ofFloat is the entry of a function of a float, with its documentation.
func ofFloat(name, of, help, example, value string, f func(float64) float64) function {
	op := Op(name)
	return function{
		op: op, takes: "a float", types: sameOf(columnar.Float), cost: costFixed, canFail: true, build: just(floatKernel(op, f)),
		doc: registry.Numbers.Doc(name, "("+of+")", help, example, value),
	}
}

// ofTwoFloats is the entry of a function of two floats that is defined for all of them.
func ofTwoFloats(name, usage, help, example, value string, f func(x, y float64) float64) function {
	return function{
		op: Op(name), takes: "two floats", types: only(columnar.Float, columnar.Float, columnar.Float), cost: costFixed,
		build: just(mapPairs(floats, floats, floats, f)),
		doc:   registry.Numbers.Doc(name, usage, help, example, value),
	}
}

//go:noinline
func floatKernel(op Op, f func(float64) float64) kernel {
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
