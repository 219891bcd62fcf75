package expr

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// OpIsFinite tells whether a number or a time is finite.
const OpIsFinite Op = "isfinite"

func init() { functions.Add(mathFunctions) }

// mathFunctions are further functions of numbers.
func mathFunctions() []function {
	return []function{
		ofFloat("sinh", "number", "the hyperbolic sine", "sinh(0)", "0", math.Sinh),
		ofFloat("cosh", "number", "the hyperbolic cosine", "cosh(0)", "1", math.Cosh),
		ofFloat("tanh", "number", "the hyperbolic tangent", "tanh(0)", "0", math.Tanh),
		ofFloat("asinh", "number", "the number whose hyperbolic sine it is", "asinh(0)", "0", math.Asinh),
		ofFloat("acosh", "number", "the number whose hyperbolic cosine it is", "acosh(1)", "0", math.Acosh),
		ofFloat("atanh", "number", "the number whose hyperbolic tangent it is", "atanh(0)", "0", math.Atanh),
		ofFloat("cot", "radians", "the cotangent of an angle", "round(cot(pi() / 4), 9)", "1", func(x float64) float64 { return 1 / math.Tan(x) }),
		ofFloat("gamma", "number", "the gamma function: the factorial of a number less one", "gamma(5)", "24", math.Gamma),
		ofFloat("lgamma", "number", "the natural logarithm of the gamma function", "lgamma(2)", "0", lnGamma),
		ofFloat("even", "number", "the next even number away from zero", "even(2.9)", "4", even),
		intPair("gcd greatest_common_divisor", "the greatest integer that divides both", "gcd(12, 18)", "6", gcd),
		intPair("lcm least_common_multiple", "the least integer that both divide", "lcm(4, 6)", "12", lcm),
		{
			op: "factorial", takes: "an int", types: oneOf(columnar.Huge, columnar.Int), cost: costText, canFail: true,
			build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					n := args[0].Ints[i]
					if n < 0 || n >= int64(len(factorials)) {
						return fmt.Errorf("the factorial of %d: %w", n, ErrOverflow)
					}
					out.Wides[i] = factorials[n]
				}
				return nil
			}),
			doc: registry.Numbers.Doc("factorial", "(integer)", "the product of the integers from 1 to it, which may be up to 33, as a HUGEINT",
				"factorial(5)", "120"),
		},
		ofFloatTest("isnan", "whether it is not a number", "isnan(1)", "false", math.IsNaN),
		alsoOfTimes(true, ofFloatTest("isinf", "whether it is an infinite number, date or timestamp", "isinf(1)", "false", func(x float64) bool { return math.IsInf(x, 0) })),
		alsoOfTimes(false, ofFloatTest(OpIsFinite, "whether it is a finite number, date or timestamp", "isfinite(1)", "true", isFinite)),
		ofFloatTest("signbit", "whether it is negative, or -0", "signbit(-1)", "true", math.Signbit),
		ofTwoFloats("nextafter", "(number, toward)", "the next DOUBLE toward another number", "nextafter(1, 2)", "1.0000000000000002", math.Nextafter),
	}
}

func even(x float64) float64 {
	y := math.Ceil(math.Ceil(math.Abs(x))/2) * 2
	return math.Copysign(y, x)
}

// intPair is the entry of a function of two integers that may overflow.
func intPair(names, help, example, value string, of func(a, b int64) (int64, bool)) function {
	doc := registry.Numbers.Doc(names, "(integer, integer)", help, example, value)
	return function{
		op: Op(doc.Names[0]), takes: "two ints", types: only(columnar.Int, columnar.Int, columnar.Int), cost: costText, canFail: true,
		build: just(func(out *result, args []*columnar.Vector) error {
			for i := range out.rows() {
				n, ok := of(args[0].Ints[i], args[1].Ints[i])
				if !ok {
					return fmt.Errorf("%s of %d and %d: %w", doc.Names[0], args[0].Ints[i], args[1].Ints[i], ErrOverflow)
				}
				out.Ints[i] = n
			}
			return nil
		}),
		doc: doc,
	}
}

func gcd(a, b int64) (int64, bool) {
	for b != 0 {
		if b == -1 { // the least integer has no negation
			return 1, true
		}
		a, b = b, a%b
	}
	return max(a, -a), a != math.MinInt64
}

func lcm(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	d, ok := gcd(a, b)
	if !ok {
		return 0, false
	}
	n, ok := mulInt(a/d, b)
	return max(n, -n), ok && n != math.MinInt64
}

// alsoOfTimes lets a test of floats take dates and timestamps too, of which the infinite ones have a result.
func alsoOfTimes(ofInfinite bool, f function) function {
	f.takes = "a float, a date or a timestamp"
	f.types = append(f.types, oneOf(columnar.Bool, columnar.Date, columnar.Timestamp, columnar.Instant)...)
	ofFloats := f.build
	f.build = func(b *build) (kernel, error) {
		if b.args[0].typ == columnar.Float {
			return ofFloats(b)
		}
		infinite := infinityOf(b.args[0].typ)
		return mapEach(bools, ints, func(n int64) bool { return (n >= infinite || n <= -infinite) == ofInfinite }), nil
	}
	return f
}

func ofFloatTest(op Op, help, example, value string, of func(float64) bool) function {
	return function{
		op: op, takes: "a float", types: oneOf(columnar.Bool, columnar.Float), cost: costFixed,
		build: just(mapEach(bools, floats, of)),
		doc:   registry.Numbers.Doc(string(op), "(number)", help, example, value),
	}
}

// factorials are those that 128 bits hold, of 0 and so on.
var factorials = func() (all [34]number.Int128) {
	all[0] = decimal128.FromI64(1)
	for n := 1; n < len(all); n++ {
		all[n] = all[n-1].Mul(decimal128.FromI64(int64(n)))
	}
	return all
}()
