package expr

import (
	"cmp"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions that round numbers, and related ones.
const (
	OpSign  Op = "sign"
	OpRound Op = "round"
	OpTrunc Op = "trunc"
	OpFloor Op = "floor"
	OpCeil  Op = "ceil"
)

func init() { functions.Add(roundFunctions) }

func roundFunctions() []function {
	return []function{
		{
			op: "abs", takes: "a number", types: sameOf(numbers...),
			cost: costFixed, canFail: true, build: buildAbs,
			doc: registry.Numbers.Doc("abs", "(number)", "a number without its sign",
				"abs(-2.5)", "2.5"),
		},
		{
			op: "%", takes: "two numbers of one type",
			types: eachOfTwo(numbers...),
			cost:  costFixed, binds: bindMul, build: just(remainder),
		},
		{
			op: OpSign, takes: "a number", types: oneOf(columnar.Int, numbers...),
			cost: costFixed, build: just(sign),
		},
		toPlaces(OpRound, roundInteger, roundWide, roundFloat),
		toPlaces(OpTrunc, truncateInteger, truncateWide, truncateFloat),
		{
			op: OpFloor, takes: "a number with decimal places", types: sameOf(columnar.Decimal, columnar.Wide, columnar.Float), typeOf: whole, cost: costFixed, canFail: true,
			build: func(b *build) (kernel, error) { return toWhole(b, floorDecimal, -1, math.Floor), nil },
		},
		{
			op: OpCeil, takes: "a number with decimal places", types: sameOf(columnar.Decimal, columnar.Wide, columnar.Float), typeOf: whole, cost: costFixed, canFail: true,
			build: func(b *build) (kernel, error) { return toWhole(b, ceilDecimal, 1, math.Ceil), nil },
		},
	}
}

// sameOf returns the signatures of an operation on one argument whose type it keeps.
func sameOf(types ...columnar.Type) []registry.Signature {
	return columnar.Each(types, func(t columnar.Type) registry.Signature { return sig(t, t) })
}

// eachOfTwo returns the signatures of an operation on two arguments of one type, which it keeps.
func eachOfTwo(types ...columnar.Type) []registry.Signature {
	return columnar.Each(types, func(t columnar.Type) registry.Signature { return sig(t, t, t) })
}

// eachNumber is the kernel of a function of a number whose result may not fit. That is an
// error, except in rows that are null.
//
//go:noinline
func eachNumber[T int64 | number.Int128](op Op, values func(*columnar.Vector) []T, one func(n T) (T, bool)) kernel {
	return func(out *result, args []*columnar.Vector) error {
		to := values(&out.Vector)
		for i, n := range values(args[0])[:out.Len] {
			m, ok := one(n)
			if !ok && !out.IsNull(i) {
				return overflow(fmt.Sprintf("%s of %s does not fit %s", op, args[0].AppendText(nil, i), nameOf(out.Type)))
			}
			to[i] = m
		}
		return nil
	}
}

func buildAbs(b *build) (kernel, error) {
	if b.typ == columnar.Float {
		return func(out *result, args []*columnar.Vector) error {
			each1(out.Floats, args[0].Floats, math.Abs)
			return nil
		}, nil
	}
	if b.typ.Kind() == columnar.KindInt128 {
		return eachNumber(b.expr.Op, wides, func(n number.Int128) (number.Int128, bool) {
			if n.Sign() < 0 {
				return number.Sub128(number.Int128{}, n)
			}
			return n, true
		}), nil
	}
	return eachNumber(b.expr.Op, ints, func(n int64) (int64, bool) { return max(n, -n), n != math.MinInt64 }), nil
}

func remainder(out *result, args []*columnar.Vector) error {
	if out.Type == columnar.Float {
		x, y := args[0].Floats, args[1].Floats
		for i, d := range y[:out.Len] {
			if out.Floats[i] = 0; d != 0 {
				out.Floats[i] = math.Mod(x[i], d)
			}
		}
		nullWhereZero(out, y)
		return nil
	}
	if out.kind == columnar.KindInt128 {
		y := args[1].Wides
		for i, d := range y[:out.Len] {
			if d.Sign() != 0 {
				_, out.Wides[i], _ = number.QuoRem128(args[0].Wides[i], d)
			}
		}
		nullWhereZero(out, y)
		return nil
	}
	x, y := args[0].Ints, args[1].Ints[:out.Len]
	for i, d := range y {
		if d != 0 && d != -1 {
			out.Ints[i] = x[i] % d
		} else {
			out.Ints[i] = 0
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

// whole is the type of a number that is rounded to a whole one.
func whole(_ []*Expr, types []columnar.Type) columnar.Type {
	if t := types[0]; t == columnar.Decimal || t.IsWide() || t == columnar.Float {
		return Rounded(t, 0)
	}
	return columnar.Invalid
}

// toWhole rounds to whole numbers: those of 128 bits in the direction of a sign.
func toWhole(b *build, decimal func(int64) (int64, bool), sign int, float func(float64) float64) kernel {
	if b.typ == columnar.Decimal {
		return eachNumber(b.expr.Op, ints, decimal)
	}
	if b.typ.Kind() == columnar.KindInt128 {
		unit := number.Power128(b.args[0].typ.Scale())
		return eachNumber(b.expr.Op, wides, func(n number.Int128) (number.Int128, bool) {
			whole, rest, _ := number.QuoRem128(n, unit)
			if rest.Sign() == sign {
				return addWide(whole, decimal128.FromI64(int64(sign)))
			}
			return whole, true
		})
	}
	return mapEach(floats, floats, float)
}

// toPlaces is a function that rounds a number to a given number of decimal places. For ints
// and for the millionths of decimals, integer rounds to a multiple of the unit.
func toPlaces(op Op, integer func(n, unit int64) (int64, bool), wide func(n, unit number.Int128) (number.Int128, bool), float func(f float64, places int64) float64) function {
	return function{
		op: op, takes: "a number and an int, which is a literal for wide decimals", cost: costFixed, canFail: true, types: roundable(), typeOf: inPlacesOf,
		build: func(b *build) (kernel, error) {
			if b.typ == columnar.Float {
				return mapPairs(floats, floats, ints, float), nil
			}
			if b.typ.Kind() == columnar.KindInt128 {
				return widePlaces(b.args[0].typ.Scale(), b.typ, wide), nil
			}
			return integerPlaces(b.typ, integer), nil
		},
	}
}

// inPlacesOf is the type of a number that is rounded to places.
func inPlacesOf(of []*Expr, types []columnar.Type) columnar.Type {
	switch places := of[1].Literal(); {
	case len(types) != 2 || !IsNumber(types[0]) || types[1] != columnar.Int:
		return columnar.Invalid
	case !types[0].IsWide():
		return types[0]
	case places == nil:
		return columnar.Invalid
	default:
		return Rounded(types[0], places.Int)
	}
}

func roundable() []registry.Signature {
	return columnar.Each(numbers, func(t columnar.Type) registry.Signature { return sig(t, t, columnar.Int) })
}

// widePlaces is integerPlaces for numbers of 128 bits with so many places.
//
//go:noinline
func widePlaces(have int, t columnar.Type, wide func(n, unit number.Int128) (number.Int128, bool)) kernel {
	drop := number.Power128(have - t.Scale()) // places that the result has no more
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Wides[:out.Len] {
			if cut := int64(have) - args[1].Ints[i]; cut > number.MaxPlaces {
				n = number.Int128{}
			} else if cut > 0 {
				m, ok := wide(n, number.Power128(int(cut)))
				m, _, _ = number.QuoRem128(m, drop)
				if _, fits := fitsKind(m, t); (!ok || !fits) && !out.IsNull(i) {
					return overflow(fmt.Sprintf("%s to %d places does not fit %s", args[0].AppendText(nil, i), args[1].Ints[i], nameOf(t)))
				}
				n = m
			}
			out.Wides[i] = n
		}
		return nil
	}
}

// roundWide rounds to a multiple of a unit, halves away from zero.
func roundWide(n, unit number.Int128) (number.Int128, bool) {
	n, ok := number.RoundTo128(n, unit)
	n, fits := number.Mul128(n, unit)
	return n, ok && fits
}

func truncateWide(n, unit number.Int128) (number.Int128, bool) {
	_, rest, _ := number.QuoRem128(n, unit)
	return number.Sub128(n, rest)
}

//go:noinline
func integerPlaces(t columnar.Type, integer func(n, unit int64) (int64, bool)) kernel {
	most := int64(0)
	if t == columnar.Decimal {
		most = number.Scale
	}
	return func(out *result, args []*columnar.Vector) error {
		places, last, unit := args[1].Ints, most, int64(1)
		for i, n := range args[0].Ints[:out.Len] {
			m, ok := n, true
			if places[i] != last {
				last, unit = places[i], power(most-max(places[i], -20))
			}
			if last < most {
				m, ok = integer(n, unit)
			}
			if !ok && !out.IsNull(i) {
				return overflow(fmt.Sprintf("%s to %d places does not fit %s", args[0].AppendText(nil, i), places[i], t))
			}
			out.Ints[i] = m
		}
		return nil
	}
}

// power is 10 to the power of n, or 0 if that does not fit 64 bits.
func power(n int64) int64 {
	unit := int64(1)
	for ; n > 0; n-- {
		if unit > math.MaxInt64/10 {
			return 0
		}
		unit *= 10
	}
	return unit
}

func sign(out *result, args []*columnar.Vector) error {
	if args[0].Type == columnar.Float {
		each1(out.Ints, args[0].Floats, func(f float64) int64 {
			if f > 0 {
				return 1
			}
			if f < 0 {
				return -1
			}
			return 0 // of NaN too
		})
		return nil
	}
	if args[0].Type.Kind() == columnar.KindInt128 {
		each1(out.Ints, args[0].Wides, func(n number.Int128) int64 { return int64(n.Sign()) })
		return nil
	}
	each1(out.Ints, args[0].Ints, func(n int64) int64 { return int64(cmp.Compare(n, 0)) })
	return nil
}

// roundInteger rounds to a multiple of a unit, halves away from zero. The unit 0 stands for
// one that is greater than any int64.
func roundInteger(n, unit int64) (int64, bool) {
	if unit == 0 {
		return 0, true
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

func truncateInteger(n, unit int64) (int64, bool) {
	if unit == 0 {
		return 0, true
	}
	return n - n%unit, true
}

func roundFloat(f float64, places int64) float64 { return inPlaces(f, places, math.Round) }

func truncateFloat(f float64, places int64) float64 { return inPlaces(f, places, math.Trunc) }

func inPlaces(f float64, places int64, whole func(float64) float64) float64 {
	unit := math.Pow10(int(min(max(places, -400), 400)))
	switch cut := whole(f*unit) / unit; {
	case unit == 0:
		return 0
	case !isFinite(cut) || math.IsInf(unit, 0):
		return f
	default:
		return cut
	}
}
