package expr

import "slices"

// Bounded returns a condition that is true if e may be true of a row, as far as the least and the greatest
// values of its columns tell; nil if they tell nothing. least and greatest give the expressions of these,
// nil where there are none. For rows whose column is null e must not be true by that comparison alone,
// which holds for all that Bounded looks at.
func (e *Expr) Bounded(least, greatest func(column *Expr) *Expr) *Expr {
	switch e.Op {
	case OpAnd:
		var all []*Expr
		for _, a := range e.Args {
			if b := a.Bounded(least, greatest); b != nil {
				all = append(all, b)
			}
		}
		return Conjoin(all)
	case OpOr:
		all := make([]*Expr, len(e.Args))
		for i, a := range e.Args {
			all[i] = a.Bounded(least, greatest)
		}
		if slices.Contains(all, nil) {
			return nil
		}
		return Or(all...)
	case OpEq, OpLt, OpLe, OpGt, OpGe:
		return e.boundedComparison(least, greatest)
	}
	return nil
}

// boundedComparison is Bounded for the comparison of a column with a literal.
func (e *Expr) boundedComparison(least, greatest func(column *Expr) *Expr) *Expr {
	op, column, literal := e.Op, e.Args[0], e.Args[1]
	if column.Op != OpColumn {
		op, column, literal = op.Mirrored(), literal, column
	}
	if column.Op != OpColumn || literal.Literal() == nil {
		return nil
	}
	var all []*Expr
	if lo := least(column); lo != nil && (op == OpEq || op == OpLt || op == OpLe) {
		all = append(all, Call(beyond(op, OpLe), lo, literal))
	}
	if hi := greatest(column); hi != nil && (op == OpEq || op == OpGt || op == OpGe) {
		all = append(all, Call(beyond(op, OpGe), hi, literal))
	}
	return Conjoin(all)
}

// beyond is the comparison itself, or another one in place of equality.
func beyond(op, equal Op) Op {
	if op == OpEq {
		return equal
	}
	return op
}
