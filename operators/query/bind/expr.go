package bind

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// condition binds an expression that must be true or false; nil stays nil.
func (s *scope) condition(e *sql.Expr) *expr.Expr {
	if e == nil {
		return nil
	}
	if columns := columnsWithin(e); columns != nil {
		return expr.Conjoin(each(s.b.fieldsOf(columns, s.fields), func(f field) *expr.Expr { return s.condition(ofColumn(e, f)) }))
	}
	return s.expr(e).asCondition()
}

func (v typed) asCondition() *expr.Expr {
	if v.t != columnar.Bool && !v.null && !v.written {
		panic(sql.Wrong(v.at, "", "a condition is needed, and this is %s", TypeName(v.t)))
	}
	return v.as(columnar.Bool)
}

// expr binds an expression.
func (s *scope) expr(e *sql.Expr) typed {
	s.b.work.Do(1)
	if e.Kind == sql.Place {
		e = atPlace(e, s.fields)
	}
	if s.b.within++; s.b.within > expr.MostParts {
		panic(tooManyParts(e.At))
	}
	v := s.ofKind(e)
	s.b.within--
	s.b.checkSize(v.e, e.At)
	v.at = e.At
	if v.e.Op == expr.OpColumn {
		s.b.types[v.e.Name] = v.t
	}
	return v
}

// partsOf counts the parts of an expression, a shared one each time it is used.
func (b *binder) partsOf(e *expr.Expr) int {
	if e == nil {
		return 0
	}
	return b.sizeOf(e).parts
}

// size is that of an expression. A shared part counts each time it is used.
type size struct{ parts, bytes int }

func (b *binder) sizeOf(e *expr.Expr) size {
	known, ok := b.sizes[e]
	if !ok {
		known = size{1, e.Bytes()}
		for _, a := range e.Args {
			if a != nil {
				of := b.sizeOf(a)
				known = size{min(known.parts+of.parts, math.MaxInt32), min(known.bytes+of.bytes, math.MaxInt32)}
			}
		}
		b.sizes[e] = known
	}
	return known
}

// checkSize refuses an expression that is too large to be run.
func (b *binder) checkSize(e *expr.Expr, at sql.Span) {
	switch of := b.sizeOf(e); {
	case of.parts > expr.MostParts:
		panic(tooManyParts(at))
	case of.bytes > expr.MostBytes:
		panic(sql.Wrong(at, "Next: put texts into a file, and write shorter names of columns into its header.",
			"the names and texts of the expression take more than %d bytes", expr.MostBytes))
	}
}

func tooManyParts(at sql.Span) error {
	return sql.Wrong(at, "Next: put values into a file and write IN (SELECT …), or compute parts of it in a query in FROM.",
		"the expression has more than %d parts", expr.MostParts)
}

func (s *scope) ofKind(e *sql.Expr) typed {
	if s.queries != nil {
		if v, ok := s.queries.bound[e]; ok {
			return v.typed
		}
	}
	if s.groups != nil {
		if v, ok := s.grouped(e); ok {
			return v
		}
	}
	switch e.Kind {
	case sql.Column:
		return s.column(e)
	case sql.Number:
		return literalNumber(e, "")
	case sql.String:
		return typed{e: expr.Str(e.Text), t: columnar.Text, written: true}
	case sql.Boolean:
		return typed{e: expr.Bool(e.Text == "TRUE"), t: columnar.Bool}
	case sql.Null:
		return nullAt(e.At)
	case sql.Param:
		return s.b.param(e)
	case sql.Unary:
		return s.unary(e)
	case sql.Binary:
		return s.binary(e)
	case sql.Call:
		return s.call(e)
	case sql.Case:
		return s.caseOf(e)
	case sql.Collate:
		return s.expr(e.Args[0])
	case sql.Interval:
		return s.interval(e, e.Text)
	case sql.Cast:
		return s.cast(e)
	case sql.In:
		return s.in(e)
	case sql.Between:
		return s.between(e)
	case sql.Like:
		return s.like(e)
	case sql.IsNull, sql.IsTruth, sql.IsDistinct:
		return s.is(e)
	case sql.Index:
		return s.index(e)
	case sql.List:
		return s.list(e)
	case sql.Slice:
		return s.slice(e)
	case sql.Exists, sql.Subquery, sql.Quantified:
		return s.subquery(e)
	case sql.Lambda:
		panic(noLambda(e))
	case sql.Struct:
		return structOf(e.At, e.Path, s.values(e.Args))
	case sql.Tuple:
		return structOf(e.At, make([]string, len(e.Args)), s.values(e.Args))
	case sql.Field:
		return s.structure(e.Args[0]).fieldNamed(e.Path[0], e.At)
	}
	panic(sql.Unsupported(e.At, "", unsupportedKind(e)))
}

func unsupportedKind(e *sql.Expr) string {
	if e.Kind == sql.Grouping {
		return strings.ToUpper(e.Text)
	}
	return map[sql.Kind]string{sql.Star: "stars in expressions", sql.Columns: "COLUMNS here"}[e.Kind]
}

func not(v *expr.Expr, negated bool) *expr.Expr {
	if negated {
		return expr.Not(v)
	}
	return v
}

func truth(e *expr.Expr) typed { return typed{e: e, t: columnar.Bool} }

func intOf(e *expr.Expr) typed { return typed{e: e, t: columnar.Int} }

func (s *scope) column(e *sql.Expr) typed {
	name := strings.ToLower(e.Path[0])
	if v := s.parameter(e); v != nil {
		return *v
	}
	alias := s.alias(name)
	if len(e.Path) > 1 {
		alias = nil
	}
	if len(e.Path) == 2 && name == "alias" && !slices.ContainsFunc(s.fields, func(f field) bool { return strings.EqualFold(f.table, name) }) {
		if of := strings.ToLower(e.Path[1]); s.alias(of) != nil {
			return s.without(of).expr(s.alias(of))
		}
	}
	if s.places == nil {
		s.b.work.Do(len(s.fields) / 64)
	}
	f, err := s.resolve(e)
	if err == nil && !(f.virtual && alias != nil) {
		return s.b.columnOf(f, e.At)
	}
	if at := indexOf(s.fields, e.Path[0]); alias != nil && (at < 0 || s.fields[at].virtual) {
		return s.without(name).expr(alias)
	}
	if s.outer != nil && !s.own().knows(e) && s.outer.scope.knows(e) {
		return s.outer.column(s.b, e)
	}
	if len(e.Path) == 1 && (strings.HasPrefix(name, "current_") || strings.HasPrefix(name, "localtime")) {
		if f := functions.Find(name); f != nil {
			return f.bind(s, e)
		}
	}
	if v, ok := s.fieldOf(e); ok {
		return v
	}
	panic(err)
}

// literalNumber reads a number with a sign before it, or "".
func literalNumber(e *sql.Expr, sign string) typed {
	text := sign + e.Text
	if !strings.ContainsAny(text, ".eE") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return intOf(expr.Int(n))
		}
		if huge, ok := number.Parse128([]byte(text), 0); ok {
			return typed{e: expr.Huge(huge), t: columnar.Huge}
		}
	}
	_, fraction, _ := strings.Cut(text, ".")
	if strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") && len(fraction) <= number.Scale {
		if n, ok := number.ParseDecimal([]byte(text)); ok {
			return typed{e: expr.Dec(n), t: columnar.Decimal}
		}
	}
	f, ok := number.ParseFloat([]byte(text))
	if !ok {
		panic(sql.Wrong(e.At, "", "the number %s is too large", text))
	}
	return typed{e: expr.Float(f), t: columnar.Float}
}

// param returns the value of a parameter: a number or a bool if it is written as one, and
// otherwise a text, which becomes a date where a date is needed.
func (b *binder) param(e *sql.Expr) typed {
	text, ok := b.params[e.Text]
	if !ok {
		panic(sql.Wrong(e.At, "Next: give --param "+e.Text+"=VALUE.", "the parameter $%s has no value", e.Text))
	}
	if t, declared := b.catalog.Types[e.Text]; declared {
		if t == columnar.Text {
			return typed{e: expr.Str(text), t: t, written: true}
		}
		value, err := parseValue(text, t)
		if err != nil {
			panic(sql.Wrong(e.At, "Next: correct --param "+e.Text+"=VALUE.", "parameter %s=%s: %v", e.Text, text, err))
		}
		return typed{e: value, t: t}
	}
	switch text {
	case "true", "false":
		return truth(expr.Bool(text == "true"))
	case "":
		return typed{e: expr.Str(""), t: columnar.Text, written: true}
	}
	digits := strings.TrimPrefix(text, "-")
	if digits != "" && (digits[0] >= '1' && digits[0] <= '9' || digits == "0" || strings.HasPrefix(digits, "0.")) {
		if _, ok := number.ParseFloat([]byte(digits)); ok && strings.TrimSpace(digits) == digits {
			sign := text[:len(text)-len(digits)]
			return literalNumber(&sql.Expr{Kind: sql.Number, Text: digits, At: e.At}, sign)
		}
	}
	return typed{e: expr.Str(text), t: columnar.Text, written: true}
}

func (s *scope) unary(e *sql.Expr) typed {
	arg := e.Args[0]
	switch {
	case e.Text == "NOT":
		return truth(expr.Not(s.condition(arg)))
	case e.Text == "-" && arg.Kind == sql.Number:
		return literalNumber(arg, "-")
	}
	if e.Text == "~" {
		return ofOp(expr.OpBitNot)(s, e)
	}
	v := s.expr(arg)
	if v.t == columnar.Interval && e.Text == "-" {
		return timesInterval(v, intOf(expr.Int(-1)), expr.OpIntervalTimes)
	}
	if v = asNumber(v); e.Text == "+" {
		return v
	}
	if v.t == columnar.Float {
		return typed{e: expr.Mul(expr.Float(-1), v.e), t: v.t}
	}
	return typed{e: expr.Sub(expr.Int(0), v.e), t: v.t}
}

// number binds an expression that must be a number.
func (s *scope) number(e *sql.Expr) typed {
	return asNumber(s.expr(e))
}

func (s *scope) binary(e *sql.Expr) typed {
	switch e.Text {
	case "AND", "OR":
		x := s.condition(e.Args[0])
		y := s.condition(e.Args[1])
		if e.Text == "AND" {
			return truth(expr.And(x, y))
		}
		return truth(expr.Or(x, y))
	case "^":
		return ofOp(expr.OpPow)(s, e)
	case "~", "!~":
		return truth(not(bindMatches(wholeText)(s, e).e, e.Text == "!~"))
	case "&", "|", "<<", ">>":
		return ofOp(expr.Op(e.Text))(s, e)
	}
	if e.Args[0].Kind == sql.Tuple && (e.Text == "=" || e.Text == "<>") {
		return s.rows(e)
	}
	switch e.Text {
	case "=", "<>", "<", "<=", ">", ">=":
		sides := collated(e.Args)
		return truth(compare(expr.Op(e.Text), s.expr(sides[0]), s.expr(sides[1])))
	}
	x := s.expr(e.Args[0])
	y := s.expr(e.Args[1])
	switch e.Text {
	case "->", "->>":
		return jsonArrow(e.Text, x, y)
	case "||":
		if x.t.Item() != columnar.Invalid || y.t.Item() != columnar.Invalid {
			return joined([]typed{x, y}, false)
		}
		return concat([]typed{x, y})
	}
	return arithmetic(e.Text, e.At, x, y)
}

// arithmetic computes with two numbers, or with dates.
func arithmetic(op string, at sql.Span, x, y typed) typed {
	if x.t == columnar.Interval || y.t == columnar.Interval {
		return intervals(op, at, x, y)
	}
	if slices.Contains(columnar.Times(), x.t) || slices.Contains(columnar.Times(), y.t) {
		return dates(op, at, x, y)
	}
	x = asNumber(x)
	y = asNumber(y)
	switch op {
	case "/":
		return typed{e: expr.Div(x.e, y.e), t: columnar.Float}
	case "//":
		t := widest(x.t, y.t)
		if t != columnar.Int && t != columnar.Huge {
			return typed{e: expr.Div(x.e, y.e), t: columnar.Float} // as DuckDB has it
		}
		return typed{e: expr.IntDiv(x.e, y.e), t: t}
	case "%":
		both, t := common([]typed{x, y})
		return typed{e: expr.Call(expr.Op(op), both...), t: t}
	case "*":
		// The product of two decimals has more decimal places than a decimal can hold.
		if x.t == columnar.Decimal && y.t == columnar.Decimal || widest(x.t, y.t) == columnar.Wide {
			return typed{e: expr.Mul(expr.ToFloat(x.e), expr.ToFloat(y.e)), t: columnar.Float}
		}
	}
	return typed{e: expr.Call(expr.Op(op), x.e, y.e), t: widest(x.t, y.t)}
}

// text binds an expression that must be a text.
func (s *scope) text(e *sql.Expr) *expr.Expr {
	return s.valueOf(e, columnar.Text)
}

// literalText binds an expression that must be a constant text.
func (s *scope) literalText(e *sql.Expr, what string) string {
	v := s.text(e).Fold().Literal()
	if v == nil {
		panic(sql.Wrong(e.At, "", "%s must be a text in quotes", what))
	}
	return v.Text
}

// literalTexts are the texts of a list whose items are known beforehand.
func (s *scope) literalTexts(list *sql.Expr, what string) []string {
	return each(list.Args, func(e *sql.Expr) string { return s.literalText(e, what) })
}

// concat concatenates values as texts.
func concat(values []typed) typed {
	out := asText(values[0])
	for _, v := range values[1:] {
		out = expr.Call(expr.OpConcat, out, asText(v))
	}
	return typed{e: out, t: columnar.Text}
}

// caseOf binds CASE as nested choices.
func (s *scope) caseOf(e *sql.Expr) typed {
	last := len(e.Args) - 1
	var conditions []*expr.Expr
	var values []typed
	for i := 1; i < last; i += 2 {
		condition := e.Args[i]
		if e.Args[0] != nil {
			condition = &sql.Expr{Kind: sql.Binary, Text: "=", Args: []*sql.Expr{e.Args[0], e.Args[i]}, At: e.Args[i].At}
		}
		conditions, values = append(conditions, s.condition(condition)), append(values, s.expr(e.Args[i+1]))
	}
	otherwise := nullAt(e.At)
	if e.Args[last] != nil {
		otherwise = s.expr(e.Args[last])
	}
	return choose(conditions, append(values, otherwise))
}

// choose returns the value of the first condition that is true, or the last value if none
// is.
func choose(conditions []*expr.Expr, values []typed) typed {
	es, t := common(values)
	out := es[len(es)-1]
	for i, c := range slices.Backward(conditions) {
		out = expr.If(c, es[i], out)
	}
	return typed{e: out, t: t}
}

func (s *scope) in(e *sql.Expr) typed {
	if e.Query != nil {
		return s.subquery(e)
	}
	if e.Args[0].Kind == sql.Tuple {
		return s.rows(e)
	}
	args := collated(e.Args)
	v := s.expr(args[0])
	any := each(args[1:], func(item *sql.Expr) *expr.Expr { return compare(expr.OpEq, v, s.expr(item)) })
	return truth(not(expr.Or(any...), e.Not))
}

func (s *scope) between(e *sql.Expr) typed {
	args := collated(e.Args)
	v := s.expr(args[0])
	var bounds []*expr.Expr
	for i, op := range []expr.Op{expr.OpGe, expr.OpLe} {
		bounds = append(bounds, compare(op, v, s.expr(args[1+i])))
	}
	return truth(not(expr.And(bounds...), e.Not))
}

func (s *scope) like(e *sql.Expr) typed {
	if e.Text == "SIMILAR TO" && len(e.Args) == 2 {
		return truth(not(bindMatches(wholeText)(s, e).e, e.Not))
	}
	if e.Text == "SIMILAR TO" {
		panic(sql.Unsupported(e.At, "Next: use LIKE or regexp_matches.", "conditions with "+e.Text))
	}
	if e.Text == "GLOB" {
		pattern := *e.Args[1]
		pattern.Kind, pattern.Text = sql.String, globbed(s.literalText(e.Args[1], "a pattern"))
		same := *e
		same.Args = []*sql.Expr{e.Args[0], &pattern}
		return truth(not(bindMatches(wholeText)(s, &same).e, e.Not))
	}
	text := s.text(e.Args[0])
	pattern := s.literalText(e.Args[1], "a pattern")
	escape := ""
	if len(e.Args) > 2 {
		escape = s.literalText(e.Args[2], "an escape character")
	}
	if e.Text == "ILIKE" {
		text, pattern = expr.Lower(text), strings.ToLower(pattern)
	}
	v := expr.Like(text, pattern, escape)
	if _, err := expr.Compile(expr.Like(expr.Str(""), pattern, escape), nil, nil); err != nil {
		panic(sql.Wrong(e.Args[1].At, "", "%q is no pattern", pattern))
	}
	return truth(not(v, e.Not))
}

func (s *scope) is(e *sql.Expr) typed {
	x := s.expr(e.Args[0])
	switch e.Kind {
	case sql.IsNull:
		return truth(not(expr.IsNull(x.e), e.Not))
	case sql.IsTruth:
		v := x.as(columnar.Bool)
		is := expr.And(expr.Not(expr.IsNull(v)), not(v, e.Text == "FALSE"))
		return truth(not(expr.If(is, expr.Bool(true), expr.Bool(false)), e.Not))
	}
	args := collated(e.Args)
	both := comparable(s.expr(args[0]), s.expr(args[1]))
	p, q := both[0].e, both[1].e
	same := expr.If(expr.Or(expr.IsNull(p), expr.IsNull(q)), expr.And(expr.IsNull(p), expr.IsNull(q)), expr.Eq(p, q))
	return truth(not(same, !e.Not))
}

func (s *scope) index(e *sql.Expr) typed {
	list := s.listOrText(e.Args[0])
	if list.t.IsStruct() {
		return indexStruct(s, list, e)
	}
	if list.t.IsMap() {
		list.at = e.Args[0].At
		return formula("m, k", valueOfKey).value(s.b, e.At, []typed{list.entries(), s.expr(e.Args[1])})
	}
	at := s.valueOf(e.Args[1], columnar.Int)
	if list.t == columnar.Text {
		return typed{e: expr.Call(expr.OpSlice, list.e, at, at), t: columnar.Text}
	}
	return typed{e: expr.Element(list.e, at), t: list.t.Item()}
}

// listOrText binds a list, a text, a struct or a map, which have positions to index.
func (s *scope) listOrText(e *sql.Expr) typed {
	if v := s.expr(e); v.t == columnar.Text || v.t.IsNested() {
		return typed{e: v.e, t: v.t}
	}
	return s.listOf(e)
}

// slice binds the part of a list or a text between two positions, either of which may be
// omitted.
func (s *scope) slice(e *sql.Expr) typed {
	list := s.listOrText(e.Args[0])
	if len(e.Args) > 3 {
		return s.stepped(list, e)
	}
	ends := []*expr.Expr{expr.Int(1), expr.Int(1 << 40)}
	for i, a := range e.Args[1:] {
		if a != nil {
			ends[i] = s.valueOf(a, columnar.Int)
		}
	}
	return typed{e: expr.Call(expr.OpSlice, list.e, ends[0], ends[1]), t: list.t}
}

// list binds a list of values of one type.
func (s *scope) list(e *sql.Expr) typed {
	if !slices.ContainsFunc(e.Args, func(item *sql.Expr) bool { return item.Kind != sql.String }) {
		items := each(e.Args, func(item *sql.Expr) string { return item.Text })
		return typed{e: expr.Texts(items...), t: columnar.TextList, empty: len(items) == 0}
	}
	all, t := common(s.values(e.Args))
	list := columnar.ListOf(t)
	if list == columnar.Invalid {
		panic(noListOf(t, e.At))
	}
	return typed{e: expr.Call(expr.OpListOf, all...), t: list}
}

func noListOf(t columnar.Type, at sql.Span) error {
	return sql.Unsupported(at, "", "lists of "+TypeName(t))
}
