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
		conditions, values = append(conditions, s.condition(condition)), append(values, s.Roomed(s.Expr(e.Args[i+1])))
	}
	otherwise := NullAt(e.At)
	if e.Args[last] != nil {
		otherwise = s.Roomed(s.Expr(e.Args[last]))
	}
	return choose(conditions, append(values, otherwise))
}

// choose returns the value of the first condition that is true, or the last value if none
// is.
func choose(conditions []*expr.Expr, values []Value) Value {
	es, like := CommonLike(values)
	out := es[len(es)-1]
	for i, c := range slices.Backward(conditions) {
		out = expr.If(c, es[i], out)
	}
	return Value{Expr: out, Type: like.Type, JSON: like.JSON}
}

func bindIn(s *Scope, e *sql.Expr) Value {
	if e.Args[0].Kind == sql.Tuple {
		return bindRows(s, e)
	}
	return Truth(Not(expr.Or(listed(s.equalities(e))...), e.Not))
}

// equality is the condition that two values are equal.
type equality struct{ x, y Value }

func (e equality) expr() *expr.Expr { return expr.Eq(e.x.Expr, e.y.Expr) }

// equalities compares the first part of IN with each of the others.
func (s *Scope) equalities(e *sql.Expr) []equality {
	args := collated(e.Args)
	v := s.Expr(args[0])
	return columnar.Each(args[1:], func(item *sql.Expr) equality {
		both := Comparable(v, s.Expr(item))
		return equality{both[0], both[1]}
	})
}

// mostCompared is how many values IN compares a value with one by one, which tells most to readers of the plan and to those
// of files with bounds. More are items of a list, which is one value of the plan.
const mostCompared = 100

// listed returns the conditions of which one must be true for an equality to be.
func listed(all []equality) (conditions []*expr.Expr) {
	if len(all) <= mostCompared {
		return columnar.Each(all, equality.expr)
	}
	in, list := all[0].x, literals{of: all[0].x.Type}
	null := false
	for _, e := range all {
		switch item := e.y.Expr.Fold(); {
		case e.x.Type == in.Type && item.Literal() != nil && list.take(e.y.Type, item.Literal()):
		case item.Op == expr.OpLiteral && item.Value.Null:
			null = true
		default:
			conditions = append(conditions, e.expr())
		}
	}
	if len(list.texts) > 0 {
		conditions = append(conditions, expr.ListContains(list.expr(), in.Expr))
	}
	if null {
		conditions = append(conditions, expr.Null(columnar.Bool))
	}
	return conditions
}

// literals are values of a list of a type, as they are written.
type literals struct {
	of    columnar.Type
	texts []string
}

// take adds a literal to the list, if it is one of its type, or becomes one.
func (l *literals) take(t columnar.Type, v *expr.Value) bool {
	switch {
	case Widest(t, l.of) != l.of || columnar.ListOf(l.of) == columnar.Invalid:
		return false
	case l.of.Kind() == columnar.KindBytes:
		l.texts = append(l.texts, v.Text)
	default:
		l.texts = append(l.texts, string(v.Vector().AppendText(nil, 0)))
	}
	return true
}

// expr is the list.
func (l *literals) expr() *expr.Expr {
	list := expr.Texts(l.texts...)
	if l.of == columnar.Text {
		return list
	}
	item, position := expr.Variable("item", columnar.Text), expr.Variable("position", columnar.Int)
	return expr.Call(expr.OpListTransform, list, item, position, expr.CastText(item, l.of, false))
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

// same is the condition that two values are equal, where nulls are equal. It consists of equalities, by which rows can
// be joined.
func same(x, y Value) *expr.Expr {
	both := Comparable(x, y)
	p, q := both[0].Expr, both[1].Expr
	equal := expr.Or(expr.IsNull(p), expr.Eq(p, q))
	if t := both[0].Type; t.Kind() != columnar.KindList && !t.IsNested() { // of which there are literals
		equal = expr.Eq(expr.Coalesce(p, expr.Zero(t)), expr.Coalesce(q, expr.Zero(both[1].Type)))
	}
	return expr.And(equal, expr.Eq(expr.IsNull(p), expr.IsNull(q)))
}
