package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/join"
	"analyzer/operators/query/plan"
)

// boundProducts makes columns of what a condition right above a product computes of one side, as in
// day BETWEEN first AND first + 7, which is the same in all pairs of a row. By comparisons of columns the product finds
// the rows that belong together. See physical.Plan.Bounds.
func boundProducts(r *rewriting, root *plan.Node) *plan.Node {
	return root.Transform(func(m *plan.Node) *plan.Node {
		s, ok := r.productBelow(m)
		if !ok {
			return m
		}
		b := bounding{sides: s}
		var conditions []*expr.Expr
		for _, c := range expr.Conjuncts(m.Where) {
			for _, c := range b.bounded(c) {
				conditions = append(conditions, c.Replace(b.hoisted))
			}
		}
		if len(b.made[0])+len(b.made[1]) == 0 {
			return m
		}
		for side, made := range b.made {
			if len(made) > 0 {
				s.of[side] = s.of[side].Project(append(plan.Cols(r.columns(s.of[side])...), made...)...)
			}
		}
		return s.of[0].Join(s.of[1]).Filter(expr.Conjoin(conditions)).Select(r.columns(m)...)
	})
}

// bounding is a product whose conditions are being rewritten.
type bounding struct {
	sides
	made [2][]plan.Named // columns of each side
}

// bounded returns a condition as one that compares columns, if it compares the sides. Of values of different types,
// or of a type that bounds do not take, others of one type are compared besides, which are in no other order.
func (b *bounding) bounded(c *expr.Expr) []*expr.Expr {
	if !c.Op.Orders() || b.sideOf(c.Args[0])+b.sideOf(c.Args[1]) != 1 {
		return []*expr.Expr{c}
	}
	x, y := b.typeOf(c.Args[0], b.of[b.sideOf(c.Args[0])]), b.typeOf(c.Args[1], b.of[b.sideOf(c.Args[1])])
	if x == y && join.CanBound(x) {
		return []*expr.Expr{{Op: c.Op, Args: columnar.Each(c.Args, b.column)}}
	}
	var alike [2]*expr.Expr
	switch days := []columnar.Type{columnar.Date, columnar.Timestamp}; {
	case expr.IsNumber(x) && expr.IsNumber(y):
		alike = [2]*expr.Expr{as(columnar.Float, x, expr.OpToFloat, c.Args[0]), as(columnar.Float, y, expr.OpToFloat, c.Args[1])}
	case slices.Contains(days, x) && slices.Contains(days, y):
		alike = [2]*expr.Expr{as(columnar.Date, x, expr.OpToDate, c.Args[0]), as(columnar.Date, y, expr.OpToDate, c.Args[1])}
	default:
		return []*expr.Expr{c}
	}
	wider := expr.Ge
	if c.Op == expr.OpLt || c.Op == expr.OpLe {
		wider = expr.Le
	}
	return []*expr.Expr{wider(b.column(alike[0]), b.column(alike[1])), c}
}

// as converts an expression of type t to another type, if it is one.
func as(to, t columnar.Type, op expr.Op, e *expr.Expr) *expr.Expr {
	if t == to {
		return e
	}
	return expr.Call(op, e)
}

// hoisted returns the column for what is computed of one side; nil for others, and for what may fail, since it may not be
// asked for in rows without a partner.
func (b *bounding) hoisted(e *expr.Expr) *expr.Expr {
	if e.Op == expr.OpColumn || b.sideOf(e) == len(b.made) || e.CanFail() {
		return nil
	}
	return b.column(e)
}

// column returns the column that an expression is, or one that is made of it.
func (b *bounding) column(e *expr.Expr) *expr.Expr {
	if e.Op == expr.OpColumn {
		return e
	}
	side := b.sideOf(e)
	for _, m := range b.made[side] {
		if m.Expr.String() == e.String() {
			return expr.Col(m.Name)
		}
	}
	names := slices.Concat(b.columns(b.of[0]), b.columns(b.of[1]))
	for _, made := range b.made {
		names = append(names, columnar.Each(made, func(m plan.Named) string { return m.Name })...)
	}
	name := columnar.FreeName("bound", names)
	b.made[side], b.owner[name] = append(b.made[side], plan.As(name, e)), side
	return expr.Col(name)
}
