package expr

import "slices"

// Known gives expressions of what is known of a column of some rows: the least and the greatest value, and whether
// any row may be null, and any may have a value.
type Known struct{ Least, Greatest, Nulls, Values func(column *Expr) *Expr }

// Bounded returns a condition that is true if e may be true of a row, as far as what is known of its columns tells;
// nil if that tells nothing.
func (e *Expr) Bounded(by Known) *Expr {
	switch e.Op {
	case OpAnd:
		var all []*Expr
		for _, a := range e.Args {
			if b := a.Bounded(by); b != nil {
				all = append(all, b)
			}
		}
		return Conjoin(all)
	case OpOr:
		all := make([]*Expr, len(e.Args))
		for i, a := range e.Args {
			all[i] = a.Bounded(by)
		}
		if slices.Contains(all, nil) {
			return nil
		}
		return Or(all...)
	case OpEq, OpLt, OpLe, OpGt, OpGe:
		return e.boundedComparison(by)
	case OpListContains:
		return e.boundedList(by)
	case OpIsNull:
		if column := e.Args[0]; column.Op == OpColumn {
			return by.Nulls(column)
		}
	case OpNot:
		if of := e.Args[0]; of.Op == OpIsNull && of.Args[0].Op == OpColumn {
			return by.Values(of.Args[0])
		}
	}
	return nil
}

// boundedComparison is Bounded for the comparison of a column with a literal, which is not true of nulls.
func (e *Expr) boundedComparison(by Known) *Expr {
	op, column, literal := e.Op, e.Args[0], e.Args[1]
	if column.Op != OpColumn {
		op, column, literal = op.Mirrored(), literal, column
	}
	if column.Op != OpColumn || literal.Literal() == nil {
		return nil
	}
	all := []*Expr{by.Values(column)}
	if op == OpEq || op == OpLt || op == OpLe {
		all = append(all, Call(beyond(op, OpLe), by.Least(column), literal))
	}
	if op == OpEq || op == OpGt || op == OpGe {
		all = append(all, Call(beyond(op, OpGe), by.Greatest(column), literal))
	}
	return Conjoin(all)
}

// boundedList is Bounded for the condition that a list, which is the same in all rows, has a column.
func (e *Expr) boundedList(by Known) *Expr {
	list, column := e.Args[0], e.Args[1]
	if column.Op != OpColumn || !list.isFixed(nil) {
		return nil
	}
	items, err := Call(OpListSort, list, Bool(false), Bool(false)).computed(nil)
	if err != nil || items.Child.Len == 0 {
		return nil
	}
	least, err := literalAt(items.Child, 0)
	greatest, other := literalAt(items.Child, items.Child.Len-1)
	if err != nil || other != nil {
		return nil
	}
	return And(Call(OpGe, column, least), Call(OpLe, column, greatest)).Bounded(by)
}

// beyond is the comparison itself, or another one in place of equality.
func beyond(op, equal Op) Op {
	if op == OpEq {
		return equal
	}
	return op
}
