package expr

import "math"

// decimalBound turns the comparison of a Decimal with an Int literal into one of
// millionths.
func decimalBound(op Op, literal int64) (Op, int64) {
	const largest = math.MaxInt64 / decimalOne
	switch {
	case literal > largest:
		return compareAlways(op == OpLt || op == OpLe || op == OpNe)
	case literal < -largest:
		return compareAlways(op == OpGt || op == OpGe || op == OpNe)
	}
	return op, literal * decimalOne
}

// intBound turns the comparison of an Int with a Decimal literal into one of
// Ints: x < 1.5 where x <= 1.
func intBound(op Op, literal int64) (Op, int64) {
	floor, rest := literal/decimalOne, literal%decimalOne
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
	return compareAlways(op == OpNe)
}

// compareAlways is a comparison that is true for every int64, or for none.
func compareAlways(yes bool) (Op, int64) {
	if yes {
		return OpGe, math.MinInt64
	}
	return OpLt, math.MinInt64
}
