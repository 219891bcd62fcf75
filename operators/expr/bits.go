package expr

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// OpBitNot is an integer with each of its bits the other way.
const OpBitNot Op = "~"

func init() { functions.Add(bitFunctions) }

// bitFunctions are the operations on the bits of integers, of which there are 64 or 128.
func bitFunctions() []function {
	xor := ofBits("xor", 0, func(out *result, args []*columnar.Vector) error {
		each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return x ^ y })
		return nil
	}, func(x, y uint64) uint64 { return x ^ y })
	xor.doc = registry.Numbers.Doc("xor", "(integer, integer)", "the bits that are set in exactly one of two integers", "xor(6, 3)", "5")
	return []function{
		ofBits("&", bindBits, func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return x & y })
			return nil
		}, func(x, y uint64) uint64 { return x & y }),
		ofBits("|", bindBits, func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return x | y })
			return nil
		}, func(x, y uint64) uint64 { return x | y }),
		xor,
		{op: OpBitNot, takes: "an integer", types: sameOf(columnar.Int, columnar.Huge), cost: costFixed, build: byWidth(bitNot, bitNotWide)},
		{
			op: "bit_count", takes: "an integer", types: oneOf(columnar.Int, columnar.Int, columnar.Huge), cost: costFixed, build: byWidth(bitCount, bitCountWide),
			doc: registry.Numbers.Doc("bit_count", "(integer)", "how many bits of an integer are set", "bit_count(7)", "3"),
		},
		{op: "<<", takes: "an integer and an int", types: shifts, cost: costFixed, canFail: true, binds: bindBits, build: byWidth(shiftLeft, shiftLeftWide)},
		{op: ">>", takes: "an integer and an int", types: shifts, cost: costFixed, binds: bindBits, build: byWidth(shiftRight, shiftRightWide)},
	}
}

var shifts = []registry.Signature{sig(columnar.Int, columnar.Int, columnar.Int), sig(columnar.Huge, columnar.Huge, columnar.Int)}

// ofBits is an operation on the words of two integers, with a kernel for those of 64 bits.
func ofBits(op Op, binds int, narrow kernel, of func(x, y uint64) uint64) function {
	wide := func(out *result, args []*columnar.Vector) error {
		each2(out.Wides, args[0].Wides, args[1].Wides, func(x, y number.Int128) number.Int128 {
			return decimal128.New(int64(of(uint64(x.HighBits()), uint64(y.HighBits()))), of(x.LowBits(), y.LowBits()))
		})
		return nil
	}
	return function{
		op: op, takes: "two integers", types: twoOf([]columnar.Type{columnar.Int, columnar.Huge}, Wider), cost: costFixed, binds: binds,
		build: func(b *build) (kernel, error) {
			if b.convert(b.typ); b.typ == columnar.Huge {
				return wide, nil
			}
			return narrow, nil
		},
	}
}

// byWidth takes the kernel for 64 bits or that for 128 by the type of the first argument.
func byWidth(narrow, wide kernel) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		if b.args[0].typ == columnar.Huge {
			return wide, nil
		}
		return narrow, nil
	}
}

func bitNot(out *result, args []*columnar.Vector) error {
	each1(out.Ints, args[0].Ints, func(n int64) int64 { return ^n })
	return nil
}

func bitNotWide(out *result, args []*columnar.Vector) error {
	each1(out.Wides, args[0].Wides, func(n number.Int128) number.Int128 { return decimal128.New(^n.HighBits(), ^n.LowBits()) })
	return nil
}

func bitCount(out *result, args []*columnar.Vector) error {
	each1(out.Ints, args[0].Ints, func(n int64) int64 { return int64(bits.OnesCount64(uint64(n))) })
	return nil
}

func bitCountWide(out *result, args []*columnar.Vector) error {
	each1(out.Ints, args[0].Wides, func(n number.Int128) int64 {
		return int64(bits.OnesCount64(uint64(n.HighBits())) + bits.OnesCount64(n.LowBits()))
	})
	return nil
}

// shiftLeft shifts as DuckDB does, which refuses negative operands and shifts that would lose a bit or reach the
// sign bit.
func shiftLeft(out *result, args []*columnar.Vector) error {
	places := args[1].Ints
	for i, n := range args[0].Ints[:out.Len] {
		shifted, fits := shiftedLeft(n, places[i])
		if !fits && !out.IsNull(i) {
			return noShift(args, i)
		}
		out.Ints[i] = shifted
	}
	return nil
}

func shiftLeftWide(out *result, args []*columnar.Vector) error {
	places := args[1].Ints
	for i, n := range args[0].Wides[:out.Len] {
		shifted, fits := shiftedLeftWide(n, places[i])
		if !fits && !out.IsNull(i) {
			return noShift(args, i)
		}
		out.Wides[i] = shifted
	}
	return nil
}

func noShift(args []*columnar.Vector, i int) error {
	return fmt.Errorf("%s << %d: %w", args[0].AppendText(nil, i), args[1].Ints[i], ErrNoNumber)
}

func shiftedLeft(n, places int64) (shifted int64, fits bool) {
	if n == 0 && places >= 0 {
		return 0, true
	}
	if n < 0 || places < 0 || places > 62 || n > math.MaxInt64>>places {
		return 0, false
	}
	return n << places, true
}

func shiftedLeftWide(n number.Int128, places int64) (shifted number.Int128, fits bool) {
	if n.Sign() == 0 && places >= 0 {
		return n, true
	}
	if n.Sign() < 0 || places < 0 || places > 126 {
		return n, false
	}
	high, low, by := uint64(n.HighBits()), n.LowBits(), uint64(places) // shifts by more than 63 leave nothing
	shifted = decimal128.New(int64(high<<by|low>>(64-by)|low<<(by-64)), low<<by)
	return shifted, shifted.Sign() >= 0 && shiftedRight(shifted, by) == n
}

func shiftRight(out *result, args []*columnar.Vector) error {
	each2(out.Ints, args[0].Ints, args[1].Ints, func(n, places int64) int64 {
		if places < 0 || places > 63 {
			return 0
		}
		return n >> places
	})
	return nil
}

func shiftRightWide(out *result, args []*columnar.Vector) error {
	each2(out.Wides, args[0].Wides, args[1].Ints, func(n number.Int128, places int64) number.Int128 {
		if places < 0 || places > 127 {
			return number.Int128{}
		}
		return shiftedRight(n, uint64(places))
	})
	return nil
}

// shiftedRight is a number shifted by 0 to 127 places.
func shiftedRight(n number.Int128, places uint64) number.Int128 {
	if places >= 64 {
		return decimal128.New(n.HighBits()>>63, uint64(n.HighBits()>>(places-64)))
	}
	return decimal128.New(n.HighBits()>>places, n.LowBits()>>places|uint64(n.HighBits())<<(64-places))
}
