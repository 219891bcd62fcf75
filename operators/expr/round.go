package expr

import (
	"fmt"
	"math"

	"analyzer/columnar"
)

// The functions that bring numbers to others nearby.
const (
	OpAbs   Op = "abs"
	OpMod   Op = "%"
	OpRound Op = "round"
	OpFloor Op = "floor"
	OpCeil  Op = "ceil"
)

var roundFunctions = []function{
	{
		op: OpAbs, takes: "an int, decimal or float", types: sameOf(columnar.Int, columnar.Decimal, columnar.Float),
		cost: costFixed, canFail: true, build: buildAbs,
		help: "the number without its sign", example: Call(OpAbs, Int(-3)),
	},
	{
		op: OpMod, takes: "two ints or two decimals",
		types: []signature{sig(columnar.Int, columnar.Int, columnar.Int), sig(columnar.Decimal, columnar.Decimal, columnar.Decimal)},
		cost:  costFixed, binds: bindMul, build: just(remainder),
		help: "what is left of the first divided by the second, with the sign of the first; null where b is 0", example: Call(OpMod, Int(-7), Int(3)),
	},
	{
		op: OpRound, takes: "a decimal or float and an int", cost: costFixed, canFail: true,
		types: []signature{sig(columnar.Decimal, columnar.Decimal, columnar.Int), sig(columnar.Float, columnar.Float, columnar.Int)},
		build: buildRound,
		help:  "the number to so many places, halves away from zero", example: Call(OpRound, Dec(2_345_000), Int(2)),
	},
	{
		op: OpFloor, takes: "a decimal or float", types: sameOf(columnar.Decimal, columnar.Float), cost: costFixed, canFail: true,
		build: func(b *build) (kernel, error) { return toWhole(b, floorDecimal, math.Floor), nil },
		help:  "the greatest whole number that is not greater", example: Call(OpFloor, Dec(-1_500_000)),
	},
	{
		op: OpCeil, takes: "a decimal or float", types: sameOf(columnar.Decimal, columnar.Float), cost: costFixed, canFail: true,
		build: func(b *build) (kernel, error) { return toWhole(b, ceilDecimal, math.Ceil), nil },
		help:  "the least whole number that is not less", example: Call(OpCeil, Dec(-1_500_000)),
	},
}

// sameOf are the signatures of an operation on one argument whose type it keeps.
func sameOf(types ...columnar.Type) []signature {
	var all []signature
	for _, t := range types {
		all = append(all, sig(t, t))
	}
	return all
}

// eachNumber makes the kernel of a function that may not fit; such a row does not
// count where the result is null.
//
//go:noinline
func eachNumber(e *Expr, t columnar.Type, one func(n int64) (int64, bool)) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:out.vec.Len] {
			m, ok := one(n)
			if !ok && !out.vec.IsNull(i) {
				return overflow(e, fmt.Sprintf("%s of %s does not fit %s", e.Op, args[0].AppendText(nil, i), t))
			}
			out.vec.Ints[i] = m
		}
		return nil
	}
}

func buildAbs(b *build) (kernel, error) {
	if b.typ == columnar.Float {
		return func(out *result, args []*columnar.Vector) error {
			each1(out.vec.Floats, args[0].Floats, math.Abs)
			return nil
		}, nil
	}
	return eachNumber(b.expr, b.typ, func(n int64) (int64, bool) { return max(n, -n), n != math.MinInt64 }), nil
}

func remainder(out *result, args []*columnar.Vector) error {
	x, y := args[0].Ints, args[1].Ints[:out.vec.Len]
	for i, d := range y {
		if d != 0 && d != -1 {
			out.vec.Ints[i] = x[i] % d
		} else {
			out.vec.Ints[i] = 0
		}
	}
	nullWhereZero(out, y)
	return nil
}

func floorDecimal(n int64) (int64, bool) {
	rest := n % decimalOne
	if rest < 0 {
		rest += decimalOne
	}
	return n - rest, n >= math.MinInt64+rest
}

func ceilDecimal(n int64) (int64, bool) {
	rest := n % decimalOne
	if rest > 0 {
		rest -= decimalOne
	}
	return n - rest, n <= math.MaxInt64+rest
}

func toWhole(b *build, decimal func(int64) (int64, bool), float func(float64) float64) kernel {
	if b.typ == columnar.Decimal {
		return eachNumber(b.expr, b.typ, decimal)
	}
	return func(out *result, args []*columnar.Vector) error {
		for i, f := range args[0].Floats[:out.vec.Len] {
			out.vec.Floats[i] = float(f)
		}
		return nil
	}
}

func buildRound(b *build) (kernel, error) {
	if b.typ == columnar.Float {
		return roundFloats, nil
	}
	e := b.expr
	return func(out *result, args []*columnar.Vector) error {
		places := args[1].Ints
		for i, n := range args[0].Ints[:out.vec.Len] {
			m, ok := roundDecimal(n, places[i])
			if !ok && !out.vec.IsNull(i) {
				return overflow(e, fmt.Sprintf("%s to %d places does not fit a decimal", formatDecimal(n), places[i]))
			}
			out.vec.Ints[i] = m
		}
		return nil
	}, nil
}

// roundDecimal rounds to so many places, halves away from zero.
func roundDecimal(n, places int64) (int64, bool) {
	const most = 6
	if places >= most {
		return n, true
	}
	unit := int64(1)
	for ; places < most; places++ {
		if unit > math.MaxInt64/10 {
			return 0, true // a unit beyond all decimals
		}
		unit *= 10
	}
	rest := n % unit
	whole := n - rest
	switch {
	case rest >= unit-rest:
		return whole + unit, whole <= math.MaxInt64-unit
	case -rest >= unit+rest:
		return whole - unit, whole >= math.MinInt64+unit
	}
	return whole, true
}

func roundFloats(out *result, args []*columnar.Vector) error {
	places := args[1].Ints
	for i, f := range args[0].Floats[:out.vec.Len] {
		out.vec.Floats[i] = roundFloat(f, places[i])
	}
	return nil
}

func roundFloat(f float64, places int64) float64 {
	unit := math.Pow10(int(min(max(places, -400), 400)))
	switch rounded := math.Round(f*unit) / unit; {
	case unit == 0:
		return 0
	case !isFinite(rounded) || math.IsInf(unit, 0):
		return f
	default:
		return rounded
	}
}
