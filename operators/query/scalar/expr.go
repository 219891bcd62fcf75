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
		return LiteralNumber(e, "")
	case sql.String:
		return Value{Expr: expr.Str(e.Text), Type: columnar.Text, Written: true}
	case sql.Boolean:
		return Truth(expr.Bool(e.Text == "TRUE"))
	case sql.Null:
		return NullAt(e.At)
	case sql.Unary:
		return s.unary(e)
	case sql.Binary:
		return s.binary(e)
	case sql.Call:
		return s.Call(e)
	case sql.Case:
		return s.caseOf(e)
	case sql.Collate:
		panic(sql.Unsupported(e.At, "Next: write it where texts are compared or ordered, or lower(text) or strip_accents(text).", "collations here"))
	case sql.Interval:
		return s.interval(e, e.Text)
	case sql.Cast:
		return s.cast(e)
	case sql.In:
		return s.in(e)
	case sql.Between:
		return s.between(e)
	case sql.Like:
		return s.Like(e)
	case sql.IsNull, sql.IsTruth, sql.IsDistinct:
		return s.is(e)
	case sql.Index:
		return s.index(e)
	case sql.List:
		return s.list(e)
	case sql.Slice:
		return s.slice(e)
	case sql.Quantified:
		return s.quantified(e)
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

func (s *Scope) unary(e *sql.Expr) Value {
	arg := e.Args[0]
	switch {
	case e.Text == "NOT":
		return Truth(expr.Not(s.condition(arg)))
	case e.Text == "-" && arg.Kind == sql.Number:
		return LiteralNumber(arg, "-")
	}
	if e.Text == "~" {
		return ofOp(expr.OpBitNot)(s, e)
	}
	v := s.Expr(arg)
	if v.Type == columnar.Interval && e.Text == "-" {
		return TimesInterval(v, IntOf(expr.Int(-1)), expr.OpIntervalTimes)
	}
	if v = AsNumber(v); e.Text == "+" {
		return v
	}
	if v.Type == columnar.Float {
		return Value{Expr: expr.Mul(expr.Float(-1), v.Expr), Type: v.Type}
	}
	return Value{Expr: expr.Sub(expr.Int(0), v.Expr), Type: v.Type}
}

// number binds an expression that must be a number.
func (s *Scope) number(e *sql.Expr) Value {
	return AsNumber(s.Expr(e))
}

func (s *Scope) binary(e *sql.Expr) Value {
	switch e.Text {
	case "AND", "OR":
		x := s.condition(e.Args[0])
		y := s.condition(e.Args[1])
		if e.Text == "AND" {
			return Truth(expr.And(x, y))
		}
		return Truth(expr.Or(x, y))
	case "^":
		return ofOp(expr.OpPow)(s, e)
	case "~", "!~":
		return Truth(Not(matchesWhole(s, e.Args[0], plainRegexp(s, e.Args[1])), e.Text == "!~"))
	case "&", "|", "<<", ">>":
		return ofOp(expr.Op(e.Text))(s, e)
	}
	if e.Args[0].Kind == sql.Tuple && (e.Text == "=" || e.Text == "<>") {
		return s.rows(e)
	}
	switch e.Text {
	case "=", "<>", "<", "<=", ">", ">=":
		sides := collated(e.Args)
		return Truth(Compare(expr.Op(e.Text), s.Expr(sides[0]), s.Expr(sides[1])))
	}
	x := s.Expr(e.Args[0])
	y := s.Expr(e.Args[1])
	switch e.Text {
	case "->", "->>":
		return jsonArrow(e.Text, x, y)
	case "||":
		if x.Type.Item() != columnar.Invalid || y.Type.Item() != columnar.Invalid {
			return joined([]Value{x, y}, false)
		}
		if x.isBytes() && y.Type == columnar.Bytes || y.isBytes() && x.Type == columnar.Bytes {
			both, t := Common([]Value{x, y})
			return Value{Expr: expr.Call(expr.OpConcat, both...), Type: t}
		}
		return concat([]Value{x, y})
	}
	return arithmetic(e.Text, e.At, x, y)
}

// arithmetic computes with two numbers, or with dates, or puts two lists together.
func arithmetic(op string, at sql.Span, x, y Value) Value {
	if x.Type == columnar.Interval || y.Type == columnar.Interval {
		return intervals(op, at, x, y)
	}
	if slices.Contains(columnar.Times(), x.Type) || slices.Contains(columnar.Times(), y.Type) {
		return dates(op, at, x, y)
	}
	if op == "+" && (x.Type.Item() != columnar.Invalid || y.Type.Item() != columnar.Invalid) {
		return joined([]Value{x, y}, true)
	}
	x = AsNumber(x)
	y = AsNumber(y)
	if x.Type.IsWide() || y.Type.IsWide() {
		x, y = x.asWritten(), y.asWritten()
	}
	switch op {
	case "/":
		return FloatOf(expr.Div(x.Expr, y.Expr))
	case "//":
		t := Widest(x.Type, y.Type)
		if t != columnar.Int && t != columnar.Huge {
			return FloatOf(expr.Div(x.Expr, y.Expr)) // as DuckDB has it
		}
		return Value{Expr: expr.IntDiv(x.Expr, y.Expr), Type: t}
	case "%":
		both, t := Common([]Value{x, y})
		return Value{Expr: expr.Call(expr.Op(op), both...), Type: t}
	case "*":
		return product(x, y)
	}
	return Value{Expr: expr.Call(expr.Op(op), x.Expr, y.Expr), Type: expr.Sum(x.Type, y.Type)}
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

// isBytes reports whether a value is of bytes, or becomes so beside bytes.
func (v Value) isBytes() bool { return v.Type == columnar.Bytes || v.Null || v.Written }

// concat concatenates values as texts, in halves: many values do not make an expression too deep.
func concat(values []Value) Value {
	if len(values) == 1 {
		return TextOf(AsText(values[0]))
	}
	half := len(values) / 2
	return TextOf(expr.Call(expr.OpConcat, concat(values[:half]).Expr, concat(values[half:]).Expr))
}

// caseOf binds CASE as nested choices.
func (s *Scope) caseOf(e *sql.Expr) Value {
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

func (s *Scope) in(e *sql.Expr) Value {
	if e.Args[0].Kind == sql.Tuple {
		return s.rows(e)
	}
	args := collated(e.Args)
	v := s.Expr(args[0])
	any := columnar.Each(args[1:], func(item *sql.Expr) *expr.Expr { return Compare(expr.OpEq, v, s.Expr(item)) })
	return Truth(Not(expr.Or(any...), e.Not))
}

func (s *Scope) between(e *sql.Expr) Value {
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

func (s *Scope) is(e *sql.Expr) Value {
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

func (s *Scope) index(e *sql.Expr) Value {
	list := s.listOrText(e.Args[0])
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
	return Value{Expr: expr.Element(list.Expr, at), Type: list.Type.Item()}
}

// listOrText binds a list, a text, a struct or a map, which have positions to index.
func (s *Scope) listOrText(e *sql.Expr) Value {
	if v := s.Expr(e); v.Type == columnar.Text || v.Type.IsNested() {
		return Value{Expr: v.Expr, Type: v.Type, At: e.At}
	}
	return s.ListOf(e)
}

// slice binds the part of a list or a text between two positions, either of which may be
// omitted.
func (s *Scope) slice(e *sql.Expr) Value {
	list := s.listOrText(e.Args[0])
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
func (s *Scope) list(e *sql.Expr) Value {
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
	return Value{Expr: expr.Call(expr.OpListOf, all...), Type: list, Untyped: untypedOf(item.untyped())}
}

// NoListOf is the error for lists of a type of which there are none.
func NoListOf(t columnar.Type, at sql.Span) error {
	return sql.Unsupported(at, "", "lists of "+TypeName(t))
}
