package scalar

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
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
	if in := s.LookedUp(e); in != nil {
		var v Value
		if err := s.Attempt(func() { v = s.Expr(in) }); err == nil { // a query may stand here
			return v
		}
	}
	return Truth(Not(expr.Or(s.equalities(e)...), e.Not))
}

// equalities compares the first part of IN with each of the others.
func (s *Scope) equalities(e *sql.Expr) []*expr.Expr {
	args := collated(e.Args)
	v := s.Expr(args[0])
	return columnar.Each(args[1:], func(item *sql.Expr) *expr.Expr { return Compare(expr.OpEq, v, s.Expr(item)) })
}

// mostCompared is how many literals IN compares a value with. More are rows of a query, which a join looks up.
const mostCompared = 500

// LookedUp returns IN of many literals of one type as IN of a query, nil for other expressions.
func (s *Scope) LookedUp(e *sql.Expr) *sql.Expr {
	if e.Kind != sql.In || e.Query != nil || len(e.Args) <= mostCompared || e.Args[0].Kind == sql.Tuple || s.query == nil || s.InLambda() {
		return nil
	}
	list := literalsOf(e.At, s.equalities(e))
	if list == nil {
		return nil
	}
	q := sql.StarOf(&sql.From{At: e.At, Call: e.At.Call("unnest", list), Alias: "listed", Columns: []string{"item"}})
	q.Select.Where = &sql.Expr{Kind: sql.IsNull, Not: true, Args: []*sql.Expr{e.At.Column("item")}, At: e.At} // which all are
	return &sql.Expr{Kind: sql.In, Not: e.Not, Args: collated(e.Args)[:1], Query: q, At: e.At}
}

// literalsOf returns the list of the literals of one type with which a value is compared, nil if they are none.
func literalsOf(at sql.Span, equal []*expr.Expr) *sql.Expr {
	of := columnar.Invalid
	list := []byte("[")
	for _, e := range equal {
		item := e.Args[1].Fold().Literal()
		switch {
		case item == nil || item.Null || of != columnar.Invalid && item.Type != of:
			return nil
		case item.Type == columnar.Text:
			list = jsontext.AppendQuoted(list, []byte(item.Text))
		default:
			list = item.Vector().AppendText(list, 0)
		}
		of, list = item.Type, append(list, ',')
	}
	list[len(list)-1] = ']'
	text := at.Text(string(list))
	if of == columnar.Text {
		return at.Call("from_json", text, at.Text(`["VARCHAR"]`))
	}
	return at.Cast(text, TypeName(of)+"[]")
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
