package expr

import (
	"fmt"
	"math"
	"math/bits"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The operations on the bits of integers, which have 64 bits.
const (
	OpBitAnd     Op = "&"
	OpBitOr      Op = "|"
	OpBitXor     Op = "xor"
	OpBitNot     Op = "~"
	OpBitCount   Op = "bit_count"
	OpShiftLeft  Op = "<<"
	OpShiftRight Op = ">>"
)

func init() { functions.Add(bitFunctions) }

func bitFunctions() []function {
	return []function{
		twoInts(OpBitAnd, Call(OpBitAnd, Int(6), Int(3)), bindBits, func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return x & y })
			return nil
		}),
		twoInts(OpBitOr, Call(OpBitOr, Int(6), Int(3)), bindBits, func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return x | y })
			return nil
		}),
		twoInts(OpBitXor, Call(OpBitXor, Int(6), Int(3)), 0, func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return x ^ y })
			return nil
		}).called(registry.Numbers.Doc("xor", "(integer, integer)", "the bits that are set in exactly one of two integers",
			"xor(6, 3)", "5")),
		oneInt(OpBitNot, func(out *result, args []*columnar.Vector) error {
			each1(out.Ints, args[0].Ints, func(n int64) int64 { return ^n })
			return nil
		}),
		oneInt(OpBitCount, func(out *result, args []*columnar.Vector) error {
			each1(out.Ints, args[0].Ints, func(n int64) int64 { return int64(bits.OnesCount64(uint64(n))) })
			return nil
		}).called(registry.Numbers.Doc("bit_count", "(integer)", "how many bits of an integer are set",
			"bit_count(7)", "3")),
		{
			op: OpShiftLeft, takes: "two ints", types: []registry.Signature{sig(columnar.Int, columnar.Int, columnar.Int)}, cost: costFixed, canFail: true, binds: bindBits, build: just(shiftLeft),
			example: Call(OpShiftLeft, Int(5), Int(2)),
		},
		twoInts(OpShiftRight, Call(OpShiftRight, Int(20), Int(2)), bindBits, func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, shiftedRight)
			return nil
		}),
	}
}

func twoInts(op Op, example *Expr, binds int, run kernel) function {
	return function{
		op: op, takes: "two ints", types: []registry.Signature{sig(columnar.Int, columnar.Int, columnar.Int)}, cost: costFixed, binds: binds, build: just(run),
		example: example,
	}
}

func oneInt(op Op, run kernel) function {
	return function{op: op, takes: "an int", types: sameOf(columnar.Int), cost: costFixed, build: just(run), example: Call(op, Int(5))}
}

func shiftLeft(out *result, args []*columnar.Vector) error {
	places := args[1].Ints
	for i, n := range args[0].Ints[:out.Len] {
		shifted, fits := shiftedLeft(n, places[i])
		if !fits && !out.IsNull(i) {
			return fmt.Errorf("%d << %d: %w", n, places[i], ErrNoNumber)
		}
		out.Ints[i] = shifted
	}
	return nil
}

// shiftedLeft is n << places as in DuckDB, which refuses negative operands and shifts that
// would lose a bit or reach the sign bit.
func shiftedLeft(n, places int64) (shifted int64, fits bool) {
	if n == 0 && places >= 0 {
		return 0, true
	}
	if n < 0 || places < 0 || places > 62 || n > math.MaxInt64>>places {
		return 0, false
	}
	return n << places, true
}

func shiftedRight(n, places int64) int64 {
	if places < 0 || places > 63 {
		return 0
	}
	return n >> places
}
