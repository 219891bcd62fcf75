package scalar

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// caseOf binds CASE as nested choices.
func bindCase(s *Scope, e *sql.Expr) Value {
	last := len(e.Args) - 1
	var conditions []*expr.Expr
	var values []Value
	for i := 1; i < last; i += 2 {
		condition := e.Args[i]
		if e.Args[0] != nil {
			condition = e.Args[i].At.Binary("=", e.Args[0], e.Args[i])
		}
		conditions, values = append(conditions, s.condition(condition)), append(values, s.Expr(e.Args[i+1]))
	}
	otherwise := NullAt(e.At)
	if e.Args[last] != nil {
		otherwise = s.Expr(e.Args[last])
	}
	return choose(conditions, append(values, otherwise))
}

// choose returns the value of the first condition that is true, or the last value if none
// is.
func choose(conditions []*expr.Expr, values []Value) Value {
	es, t := Common(values)
	out := es[len(es)-1]
	for i, c := range slices.Backward(conditions) {
		out = expr.If(c, es[i], out)
	}
	return Value{Expr: out, Type: t}
}

func bindIn(s *Scope, e *sql.Expr) Value {
	if e.Args[0].Kind == sql.Tuple {
		return bindRows(s, e)
	}
	args := collated(e.Args)
	v := s.Expr(args[0])
	any := columnar.Each(args[1:], func(item *sql.Expr) *expr.Expr { return Compare(expr.OpEq, v, s.Expr(item)) })
	return Truth(Not(expr.Or(any...), e.Not))
}

func bindBetween(s *Scope, e *sql.Expr) Value {
	args := collated(e.Args)
	v := s.Expr(args[0])
	var bounds []*expr.Expr
	for i, op := range []expr.Op{expr.OpGe, expr.OpLe} {
		bounds = append(bounds, Compare(op, v, s.Expr(args[1+i])))
	}
	return Truth(Not(expr.And(bounds...), e.Not))
}

// Like binds LIKE, ILIKE, GLOB and SIMILAR TO.
func (s *Scope) Like(e *sql.Expr) Value {
	switch {
	case e.Text == "SIMILAR TO" && len(e.Args) == 2:
		return Truth(Not(matchesWhole(s, e.Args[0], plainRegexp(s, e.Args[1])), e.Not))
	case e.Text == "SIMILAR TO":
		panic(sql.Unsupported(e.At, "Next: use LIKE or regexp_matches.", "conditions with "+e.Text))
	case e.Text == "GLOB":
		return Truth(Not(matchesWhole(s, e.Args[0], checkedRegexp(e.Args[1].At, expr.Call(expr.OpGlobbed, s.text(e.Args[1])))), e.Not))
	}
	args := collated(e.Args[:2])
	text, pattern, escape := s.text(args[0]), s.text(args[1]).Fold(), ""
	if len(e.Args) > 2 {
		escape = s.LiteralText(e.Args[2], "an escape character")
	}
	if e.Text == "ILIKE" {
		text, pattern = expr.Lower(text), expr.Lower(pattern).Fold()
	}
	given := ""
	if literal := pattern.Literal(); literal != nil {
		given = literal.Text
	}
	if _, err := expr.Compile(expr.Like(expr.Str(""), given, escape), nil, nil); err != nil {
		panic(sql.Wrong(e.Args[1].At, "", "%q is no pattern", given))
	}
	return Truth(Not(expr.Call(expr.OpLike, text, pattern, expr.Str(escape)), e.Not))
}

func bindIs(s *Scope, e *sql.Expr) Value {
	x := s.Expr(e.Args[0])
	switch e.Kind {
	case sql.IsNull:
		return Truth(Not(expr.IsNull(x.Expr), e.Not))
	case sql.IsTruth:
		if IsNumber(x.Type) && !x.Null {
			x = Truth(expr.Ne(x.Expr, expr.Int(0)))
		}
		v := x.As(columnar.Bool)
		is := expr.And(expr.Not(expr.IsNull(v)), Not(v, e.Text == "FALSE"))
		return Truth(Not(expr.If(is, expr.Bool(true), expr.Bool(false)), e.Not))
	}
	args := collated(e.Args)
	return Truth(Not(same(s.Expr(args[0]), s.Expr(args[1])), !e.Not))
}

// same is the condition that two values are equal, where nulls are equal.
func same(x, y Value) *expr.Expr {
	both := Comparable(x, y)
	p, q := both[0].Expr, both[1].Expr
	return expr.If(expr.Or(expr.IsNull(p), expr.IsNull(q)), expr.And(expr.IsNull(p), expr.IsNull(q)), expr.Eq(p, q))
}
