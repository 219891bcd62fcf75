package expr

import (
	"bytes"
	"cmp"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The comparisons. Numbers compare by value whatever their types, floats in the order of
// number.CompareFloats, and texts by their bytes. An earlier date or timestamp is less than
// a later one, and false is less than true.
const (
	OpEq Op = "="
	OpNe Op = "<>"
	OpLt Op = "<"
	OpLe Op = "<="
	OpGt Op = ">"
	OpGe Op = ">="
)

// Eq is a = b.
func Eq(a, b *Expr) *Expr { return Call(OpEq, a, b) }

// Ne is a <> b.
func Ne(a, b *Expr) *Expr { return Call(OpNe, a, b) }

// Lt is a < b.
func Lt(a, b *Expr) *Expr { return Call(OpLt, a, b) }

// Le is a <= b.
func Le(a, b *Expr) *Expr { return Call(OpLe, a, b) }

// Gt is a > b.
func Gt(a, b *Expr) *Expr { return Call(OpGt, a, b) }

// Ge is a >= b.
func Ge(a, b *Expr) *Expr { return Call(OpGe, a, b) }

func init() { functions.Add(compareFunctions) }

func compareFunctions() []function {
	return columnar.Each([]Op{OpEq, OpNe, OpLt, OpLe, OpGt, OpGe}, comparison)
}

func comparison(op Op) function {
	types := twoOf(numbers, func(_, _ columnar.Type) columnar.Type { return columnar.Bool })
	types = append(types, sig(columnar.Bool, columnar.Date, columnar.Timestamp), sig(columnar.Bool, columnar.Timestamp, columnar.Date))
	types = append(types, sig(columnar.Bool, anyItem, anyItem))
	return function{
		op: op, takes: "two numbers, a date and a timestamp, or two values of one type", types: types, typeOf: compared,
		cost: costFixed, binds: bindCompare, byValue: true, build: buildComparison,
	}
}

// compared is the type of a comparison, Invalid of types that do not compare.
func compared(_ []*Expr, types []columnar.Type) columnar.Type {
	a, b := types[0], types[1]
	switch times := a == columnar.Date && b == columnar.Timestamp || a == columnar.Timestamp && b == columnar.Date; {
	case a == b && a.Writable(), times, IsNumber(a) && IsNumber(b):
		return columnar.Bool
	}
	return columnar.Invalid
}

// buildComparison builds a plain loop if the two types are the same, or if one side is a
// literal that can be converted to the other's type. Otherwise it first converts both sides
// to a type that holds both exactly.
func buildComparison(b *build) (kernel, error) {
	op := b.expr.Op
	if b.literal(0) != nil && b.literal(1) == nil {
		b.args[0], b.args[1] = b.args[1], b.args[0]
		op = op.Mirrored()
	}
	if t := b.args[0].typ; t.Kind() == columnar.KindList || t == columnar.Interval {
		compare := comparing(t)
		return predicate(func(a, b *columnar.Vector, i int) bool { return holds(op, compare(a, i, b, i)) }), nil
	}
	if b.has(columnar.Bool) {
		b.args[0], b.args[1] = boolsAsInts(b.args[0]), boolsAsInts(b.args[1])
	}
	if k := compareLiteral(op, b); k != nil {
		b.keep(0)
		return k, nil
	}
	x, y := b.args[0].typ, b.args[1].typ
	switch {
	case x.Kind() == columnar.KindBytes:
		return compareTexts(op), nil
	case b.has(columnar.Float):
		b.convert(columnar.Float)
		return compareVectors(op, floats), nil
	case x != y && b.has(columnar.Timestamp):
		b.convert(columnar.Timestamp)
	case x != y || x.Kind() == columnar.KindInt128: // not every Int fits a Decimal
		b.widen()
		return compareWides(op, b.args[0].typ.Scale(), b.args[1].typ.Scale()), nil
	}
	return compareVectors(op, ints), nil
}

// Mirrored is the comparison with its sides exchanged.
func (op Op) Mirrored() Op {
	return cmp.Or(map[Op]Op{OpLt: OpGt, OpLe: OpGe, OpGt: OpLt, OpGe: OpLe}[op], op)
}

// Orders reports whether a comparison depends on which side is less.
func (op Op) Orders() bool { return op.Mirrored() != op }

// compareLiteral returns the kernel of a comparison with a literal, or nil if the second
// argument is not a literal or the two must be compared as Wides.
func compareLiteral(op Op, b *build) kernel {
	literal, x, y := b.literal(1), b.args[0].typ, b.args[1].typ
	if literal == nil {
		return nil
	}
	n := literal.Int
	switch {
	case x.Kind() == columnar.KindBytes:
		return compareTextLiteral(op, string(literal.bytes()))
	case b.has(columnar.Float):
		b.args[0] = convert(b.args[0], columnar.Float, b.expr)
		return compareTo(op, literal.float(), floats)
	case x.Kind() == columnar.KindInt128:
		op, bound := bound128(op, literal.units(), x.Scale()-y.Scale())
		return compareTo128(op, bound)
	case y.Kind() == columnar.KindInt128:
		op, n = wideBound(op, literal.wide(), y.Scale()-x.Scale())
	case x == columnar.Decimal && y == columnar.Int:
		op, n = decimalBound(op, n)
	case x == columnar.Int && y == columnar.Decimal:
		op, n = wholeBound(op, n, decimalOne)
	case x == columnar.Timestamp && y == columnar.Date:
		n = number.TimestampOf(n)
	case x == columnar.Date && y == columnar.Timestamp && !number.IsFiniteTime(n):
		n, _ = number.DayAndClock(n)
	case x == columnar.Date && y == columnar.Timestamp:
		op, n = wholeBound(op, n, number.Day)
	}
	return compareTo(op, n, ints)
}

// decimalBound turns the comparison of a Decimal with an Int literal into one with a literal
// in millionths.
func decimalBound(op Op, literal int64) (Op, int64) {
	const largest = math.MaxInt64 / decimalOne
	if literal > largest || literal < -largest {
		return always(holds(op, cmp.Compare(0, literal)), leastInt)
	}
	return op, literal * decimalOne
}

// wholeBound turns the comparison of whole numbers with the literal literal/parts into one
// with a whole number: x < 1.5 becomes x <= 1.
func wholeBound(op Op, literal, parts int64) (Op, int64) {
	floor, rest := literal/parts, literal%parts
	if rest == 0 {
		return op, floor
	}
	if rest < 0 {
		floor--
	}
	switch op {
	case OpLt, OpLe:
		return OpLe, floor
	case OpGt, OpGe:
		return OpGt, floor
	}
	return always(op == OpNe, leastInt)
}

// wideBound turns the comparison of integers with a literal that has so many places more into one with an
// integer.
func wideBound(op Op, literal number.Int128, more int) (Op, int64) {
	var floor, rest number.Int128
	fits := true
	if more > 0 {
		floor, rest, _ = number.QuoRem128(literal, number.Power128(more))
	} else {
		floor, fits = number.Mul128(literal, number.Power128(-more))
	}
	whole, narrow := number.Narrow(floor)
	switch {
	case fits && narrow && rest.Sign() == 0:
		return op, whole
	case fits && narrow:
		return wholeBound(op, whole*2+int64(rest.Sign()), 2)
	}
	return always(holds(op, -literal.Sign()), leastInt)
}

// bound128 turns the comparison of numbers of 128 bits with a literal that has so many places less into one with a
// literal of their places.
func bound128(op Op, literal number.Int128, less int) (Op, number.Int128) {
	least := decimal128.New(math.MinInt64, 0)
	if less >= 0 {
		if scaled, fits := number.Mul128(literal, number.Power128(less)); fits {
			return op, scaled
		}
		return always(holds(op, -literal.Sign()), least)
	}
	floor, rest, _ := number.QuoRem128(literal, number.Power128(-less))
	if rest.Sign() < 0 {
		floor, _ = number.Sub128(floor, number.Product(1, 1))
	}
	switch {
	case rest.Sign() == 0:
		return op, floor
	case op == OpLt || op == OpLe:
		return OpLe, floor
	case op == OpGt || op == OpGe:
		return OpGt, floor
	}
	return always(op == OpNe, least)
}

const leastInt = int64(math.MinInt64)

// always is a comparison with the least value of a type that is true for every value, or for none.
func always[T any](yes bool, least T) (Op, T) {
	if yes {
		return OpGe, least
	}
	return OpLt, least
}

//go:noinline
func compareVectors[T int64 | float64](op Op, values func(*columnar.Vector) []T) kernel {
	return func(out *result, args []*columnar.Vector) error {
		compareSlices(op, out.Bools, values(args[0]), values(args[1]))
		return nil
	}
}

// compareSlices compares pairs. NaN equals NaN and is greater than all numbers, as in the
// order of rows and in keys. For integers the compiler drops the tests for NaN.
func compareSlices[T int64 | float64](op Op, out []bool, a, b []T) {
	switch op {
	case OpEq:
		each2(out, a, b, func(x, y T) bool { return x == y || x != x && y != y })
	case OpNe:
		each2(out, a, b, func(x, y T) bool { return x != y && (x == x || y == y) })
	case OpLt:
		each2(out, a, b, func(x, y T) bool { return x < y || x == x && y != y })
	case OpLe:
		each2(out, a, b, func(x, y T) bool { return x <= y || y != y })
	case OpGt:
		compareSlices(OpLt, out, b, a)
	case OpGe:
		compareSlices(OpLe, out, b, a)
	}
}

// compareWides compares numbers of 128 bits with so many decimal places.
//
//go:noinline
func compareWides(op Op, p, q int) kernel {
	if p != q {
		return predicate(func(a, b *columnar.Vector, i int) bool {
			return holds(op, number.Compare128(a.Wides[i], p, b.Wides[i], q))
		})
	}
	return func(out *result, args []*columnar.Vector) error {
		compareSlices128(op, out.Bools, args[0].Wides, args[1].Wides)
		return nil
	}
}

func compareSlices128(op Op, out []bool, a, b []number.Int128) {
	switch op {
	case OpEq:
		each2(out, a, b, func(x, y number.Int128) bool { return x == y })
	case OpNe:
		each2(out, a, b, func(x, y number.Int128) bool { return x != y })
	case OpLt:
		each2(out, a, b, number.Int128.Less)
	case OpLe:
		each2(out, a, b, func(x, y number.Int128) bool { return !y.Less(x) })
	case OpGt:
		compareSlices128(OpLt, out, b, a)
	case OpGe:
		compareSlices128(OpLe, out, b, a)
	}
}

//go:noinline
func compareTo[T int64 | float64](op Op, literal T, values func(*columnar.Vector) []T) kernel {
	return func(out *result, args []*columnar.Vector) error {
		compareSlice(op, out.Bools, values(args[0]), literal)
		return nil
	}
}

// compareSlice compares with a literal, which is not NaN.
func compareSlice[T int64 | float64](op Op, out []bool, a []T, b T) {
	switch op {
	case OpEq:
		each1(out, a, func(x T) bool { return x == b })
	case OpNe:
		each1(out, a, func(x T) bool { return x != b })
	case OpLt:
		each1(out, a, func(x T) bool { return x < b })
	case OpLe:
		each1(out, a, func(x T) bool { return x <= b })
	case OpGt:
		each1(out, a, func(x T) bool { return !(x <= b) })
	case OpGe:
		each1(out, a, func(x T) bool { return !(x < b) })
	}
}

//go:noinline
func compareTo128(op Op, literal number.Int128) kernel {
	return func(out *result, args []*columnar.Vector) error {
		bools, a := out.Bools, args[0].Wides
		switch op {
		case OpEq:
			each1(bools, a, func(x number.Int128) bool { return x == literal })
		case OpNe:
			each1(bools, a, func(x number.Int128) bool { return x != literal })
		case OpLt:
			each1(bools, a, func(x number.Int128) bool { return x.Less(literal) })
		case OpLe:
			each1(bools, a, func(x number.Int128) bool { return !literal.Less(x) })
		case OpGt:
			each1(bools, a, func(x number.Int128) bool { return literal.Less(x) })
		case OpGe:
			each1(bools, a, func(x number.Int128) bool { return !x.Less(literal) })
		}
		return nil
	}
}

func compareTexts(op Op) kernel {
	return predicate(func(a, b *columnar.Vector, i int) bool { return holds(op, bytes.Compare(a.Bytes(i), b.Bytes(i))) })
}

func compareTextLiteral(op Op, literal string) kernel {
	if op == OpEq || op == OpNe {
		return equalTexts(literal, op == OpEq)
	}
	text := []byte(literal)
	return predicate(func(a, _ *columnar.Vector, i int) bool { return holds(op, bytes.Compare(a.Bytes(i), text)) })
}

// equalTexts is the kernel that gives yes where a text equals the literal, and the opposite
// elsewhere. It compares lengths first, since most texts differ in length.
//
//go:noinline
func equalTexts(literal string, yes bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		bools := out.Bools
		offsets, data := args[0].Offsets[:len(bools)+1], args[0].Data
		for i := range bools {
			lo, hi := offsets[i], offsets[i+1]
			equal := int(hi-lo) == len(literal) && string(data[lo:hi]) == literal
			bools[i] = equal == yes
		}
		return nil
	}
}

// comparingLists compares lists by the first items that differ, of which null is the greatest, and
// otherwise by their lengths.
func comparingLists(items comparer) comparer {
	return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int {
		p, ends := itemsOf(a, i)
		q, endsToo := itemsOf(b, j)
		for ; p < ends && q < endsToo; p, q = p+1, q+1 {
			order := cmp.Compare(bitOf(a.Child.IsNull(p)), bitOf(b.Child.IsNull(q)))
			if order == 0 && !a.Child.IsNull(p) {
				order = items(a.Child, p, b.Child, q)
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Compare(ends-p, endsToo-q)
	}
}

// holds reports whether a comparison is true of two values whose order is as bytes.Compare
// returns it.
func holds(op Op, order int) bool {
	switch op {
	case OpEq:
		return order == 0
	case OpNe:
		return order != 0
	case OpLt:
		return order < 0
	case OpLe:
		return order <= 0
	case OpGt:
		return order > 0
	}
	return order >= 0
}
