package scalar

import (
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// condition binds an expression that must be true or false.
func (s *Scope) condition(e *sql.Expr) *expr.Expr { return s.Expr(e).AsCondition() }

// Expr binds an expression.
func (s *Scope) Expr(e *sql.Expr) Value {
	s.Work.Do(1)
	if s.within++; s.within > expr.MostParts {
		panic(TooManyParts(e.At))
	}
	v := s.bound(e)
	s.within--
	s.CheckSize(v.Expr, e.At)
	v.At = e.At
	if v.Expr.Op == expr.OpColumn {
		s.Types[v.Expr.Name] = v.Type
	}
	return v
}

// bound binds an expression by the first that knows it: the lambdas around, the query, its kind.
func (s *Scope) bound(e *sql.Expr) Value {
	if v := s.parameter(e); v != nil {
		return *v
	}
	if v, ok := s.parameterField(e); ok {
		return v
	}
	if s.query != nil {
		if v, ok := s.query.Bind(e, s); ok {
			return v
		}
	}
	return s.ofKind(e)
}

func (s *Scope) ofKind(e *sql.Expr) Value {
	switch e.Kind {
	case sql.Number:
		return s.Roomed(LiteralNumber(e, ""))
	case sql.String:
		return Value{Expr: expr.Str(e.Text), Type: columnar.Text, Written: true}
	case sql.Boolean:
		return Truth(expr.Bool(e.Text == "TRUE"))
	case sql.Null:
		return NullAt(e.At)
	case sql.Unary:
		return bindUnary(s, e)
	case sql.Binary:
		return bindBinary(s, e)
	case sql.Call:
		return s.Call(e)
	case sql.Case:
		return bindCase(s, e)
	case sql.Collate:
		panic(sql.Unsupported(e.At, "Next: write it where texts are compared, ordered or grouped, or lower(text) or strip_accents(text).", "collations here"))
	case sql.Interval:
		return bindInterval(s, e, e.Text)
	case sql.Cast:
		return bindCast(s, e)
	case sql.In:
		return bindIn(s, e)
	case sql.Between:
		return bindBetween(s, e)
	case sql.Like:
		return s.Like(e)
	case sql.IsNull, sql.IsTruth, sql.IsDistinct:
		return bindIs(s, e)
	case sql.Index:
		return bindIndex(s, e)
	case sql.List:
		return bindList(s, e)
	case sql.Slice:
		return bindSlice(s, e)
	case sql.Quantified:
		return bindQuantified(s, e)
	case sql.Lambda:
		panic(noLambda(e))
	case sql.Struct:
		return StructOf(e.At, e.Path, s.values(e.Args))
	case sql.Tuple:
		return StructOf(e.At, make([]string, len(e.Args)), s.values(e.Args))
	case sql.Field:
		return s.FieldPath(s.Expr(e.Args[0]), e.Path, e.At)
	}
	panic(sql.Unsupported(e.At, "", unsupportedKind(e)))
}

func unsupportedKind(e *sql.Expr) string {
	if e.Kind == sql.Grouping {
		return strings.ToUpper(e.Text)
	}
	return map[sql.Kind]string{sql.Star: "stars in expressions", sql.Columns: "COLUMNS here"}[e.Kind]
}

// LiteralNumber reads a number with a sign before it, or "".
func LiteralNumber(e *sql.Expr, sign string) Value {
	text := sign + e.Text
	if !strings.ContainsAny(text, ".eE") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return IntOf(expr.Int(n))
		}
		if huge, ok := number.Parse128([]byte(text), 0); ok {
			return Value{Expr: expr.Huge(huge), Type: columnar.Huge}
		}
	}
	if v, ok := literalDecimal(text); ok {
		return v
	}
	f, ok := number.ParseFloat([]byte(text))
	if !ok {
		panic(sql.Wrong(e.At, "", "the number %s is too large", text))
	}
	return FloatOf(expr.Float(f))
}

// text binds an expression that must be a text.
func (s *Scope) text(e *sql.Expr) *expr.Expr {
	return s.ValueOf(e, columnar.Text)
}

// LiteralText binds an expression that must be a constant text.
func (s *Scope) LiteralText(e *sql.Expr, what string) string {
	v := s.text(e).Fold().Literal()
	if v == nil {
		panic(sql.Wrong(e.At, "", "%s must be a text in quotes", what))
	}
	return v.Text
}

// literalTexts are the texts of a list whose items are known beforehand.
func literalTexts(s *Scope, list *sql.Expr, what string) []string {
	return columnar.Each(list.Args, func(e *sql.Expr) string { return s.LiteralText(e, what) })
}

func bindIndex(s *Scope, e *sql.Expr) Value {
	list := listOrText(s, e.Args[0])
	if list.Type.IsStruct() {
		return indexStruct(s, list, e)
	}
	if list.Type.IsMap() {
		list.At = e.Args[0].At
		return valueOfKey.Value(s.Statement, e.At, []Value{list.entries(), s.Expr(e.Args[1])})
	}
	if name := e.Args[1]; list.Type == columnar.Text && name.Kind == sql.String {
		if _, err := ParseValue(name.Text, columnar.Int); err != nil {
			return member(list, name.Text)
		}
	}
	at := s.ValueOf(e.Args[1], columnar.Int)
	if list.Type == columnar.Text {
		return TextOf(expr.Call(expr.OpSlice, list.Expr, at, at))
	}
	return Value{Expr: expr.Element(list.Expr, at), Type: list.Type.Item(), JSON: list.JSON}
}

// listOrText binds a list, a text, a struct or a map, which have positions to index.
func listOrText(s *Scope, e *sql.Expr) Value {
	if v := s.Expr(e); v.Type == columnar.Text || v.Type.IsNested() {
		return Value{Expr: v.Expr, Type: v.Type, JSON: v.JSON, At: e.At}
	}
	return s.ListOf(e)
}

// slice binds the part of a list or a text between two positions, either of which may be
// omitted.
func bindSlice(s *Scope, e *sql.Expr) Value {
	list := listOrText(s, e.Args[0])
	if list.Type.IsNested() {
		panic(notAList(list))
	}
	if len(e.Args) > 3 {
		return stepped(s, list, e)
	}
	ends := []*expr.Expr{expr.Int(1), expr.Int(1 << 40)}
	for i, a := range e.Args[1:] {
		if a != nil {
			ends[i] = s.ValueOf(a, columnar.Int)
		}
	}
	return Value{Expr: expr.Call(expr.OpSlice, list.Expr, ends[0], ends[1]), Type: list.Type}
}

// list binds a list of values of one type.
func bindList(s *Scope, e *sql.Expr) Value {
	if !slices.ContainsFunc(e.Args, func(item *sql.Expr) bool { return item.Kind != sql.String }) {
		items := columnar.Each(e.Args, func(item *sql.Expr) string { return item.Text })
		list := Value{Expr: expr.Texts(items...), Type: columnar.TextList}
		if len(items) == 0 {
			list.Untyped = untypedOf(&Untyped{all: true})
		}
		return list
	}
	all, item := CommonLike(s.values(e.Args))
	list := columnar.ListOf(item.Type)
	if list == columnar.Invalid {
		panic(NoListOf(item.Type, e.At))
	}
	return Value{Expr: expr.Call(expr.OpListOf, all...), Type: list, Untyped: untypedOf(item.untyped()), JSON: item.JSON}
}

// NoListOf is the error for lists of a type of which there are none.
func NoListOf(t columnar.Type, at sql.Span) error {
	return sql.UnsupportedTypes(at, "", "lists of "+TypeName(t))
}
