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
func (b *binder) condition(e *sql.Expr, s *scope) *expr.Expr {
	if e == nil {
		return nil
	}
	if columns := columnsWithin(e); columns != nil {
		return expr.Conjoin(each(b.fieldsOf(columns, s.fields), func(f field) *expr.Expr { return b.condition(ofColumn(e, f), s) }))
	}
	return b.expr(e, s).asCondition()
}

func (v typed) asCondition() *expr.Expr {
	if v.t != columnar.Bool && !v.null && !v.written {
		panic(sql.Wrong(v.at, "", "a condition is needed, and this is %s", TypeName(v.t)))
	}
	return v.as(columnar.Bool)
}

// expr binds an expression.
func (b *binder) expr(e *sql.Expr, s *scope) typed {
	b.work.Do(1)
	if e.Kind == sql.Place {
		e = atPlace(e, s.fields)
	}
	if b.within++; b.within > expr.MostParts {
		panic(tooManyParts(e.At))
	}
	v := b.ofKind(e, s)
	b.within--
	b.checkSize(v.e, e.At)
	v.at = e.At
	if v.e.Op == expr.OpColumn {
		b.types[v.e.Name] = v.t
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

func (b *binder) ofKind(e *sql.Expr, s *scope) typed {
	if s.queries != nil {
		if v, ok := s.queries.bound[e]; ok {
			return v.typed
		}
	}
	if s.groups != nil {
		if v, ok := b.grouped(e, s); ok {
			return v
		}
	}
	switch e.Kind {
	case sql.Column:
		return b.column(e, s)
	case sql.Number:
		return literalNumber(e, "")
	case sql.String:
		return typed{e: expr.Str(e.Text), t: columnar.Text, written: true}
	case sql.Boolean:
		return typed{e: expr.Bool(e.Text == "TRUE"), t: columnar.Bool}
	case sql.Null:
		return nullAt(e.At)
	case sql.Param:
		return b.param(e)
	case sql.Unary:
		return b.unary(e, s)
	case sql.Binary:
		return b.binary(e, s)
	case sql.Call:
		return b.call(e, s)
	case sql.Case:
		return b.caseOf(e, s)
	case sql.Collate:
		return b.expr(e.Args[0], s)
	case sql.Interval:
		return b.interval(e, e.Text, s)
	case sql.Cast:
		return b.cast(e, s)
	case sql.In:
		return b.in(e, s)
	case sql.Between:
		return b.between(e, s)
	case sql.Like:
		return b.like(e, s)
	case sql.IsNull, sql.IsTruth, sql.IsDistinct:
		return b.is(e, s)
	case sql.Index:
		return b.index(e, s)
	case sql.List:
		return b.list(e, s)
	case sql.Slice:
		return b.slice(e, s)
	case sql.Exists, sql.Subquery, sql.Quantified:
		return b.subquery(e, s)
	case sql.Lambda:
		panic(noLambda(e))
	case sql.Struct:
		return structOf(e.At, e.Path, b.values(e.Args, s))
	case sql.Tuple:
		return structOf(e.At, make([]string, len(e.Args)), b.values(e.Args, s))
	case sql.Field:
		return b.structure(e.Args[0], s).fieldNamed(e.Path[0], e.At)
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

func (b *binder) column(e *sql.Expr, s *scope) typed {
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
			return b.expr(s.alias(of), s.without(of))
		}
	}
	if s.places == nil {
		b.work.Do(len(s.fields) / 64)
	}
	f, err := s.resolve(e)
	if err == nil && !(f.virtual && alias != nil) {
		return b.columnOf(f, e.At)
	}
	if at := indexOf(s.fields, e.Path[0]); alias != nil && (at < 0 || s.fields[at].virtual) {
		return b.expr(alias, s.without(name))
	}
	if s.outer != nil && !s.own().knows(e) && s.outer.scope.knows(e) {
		return s.outer.column(b, e)
	}
	if len(e.Path) == 1 && (strings.HasPrefix(name, "current_") || strings.HasPrefix(name, "localtime")) {
		if f := functions.Find(name); f != nil {
			return f.bind(b, e, s)
		}
	}
	if v, ok := b.fieldOf(e, s); ok {
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

func (b *binder) unary(e *sql.Expr, s *scope) typed {
	arg := e.Args[0]
	switch {
	case e.Text == "NOT":
		return truth(expr.Not(b.condition(arg, s)))
	case e.Text == "-" && arg.Kind == sql.Number:
		return literalNumber(arg, "-")
	}
	if e.Text == "~" {
		return ofOp(expr.OpBitNot)(b, e, s)
	}
	v := b.expr(arg, s)
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
func (b *binder) number(e *sql.Expr, s *scope) typed {
	return asNumber(b.expr(e, s))
}

func (b *binder) binary(e *sql.Expr, s *scope) typed {
	switch e.Text {
	case "AND", "OR":
		x := b.condition(e.Args[0], s)
		y := b.condition(e.Args[1], s)
		if e.Text == "AND" {
			return truth(expr.And(x, y))
		}
		return truth(expr.Or(x, y))
	case "^":
		return ofOp(expr.OpPow)(b, e, s)
	case "~", "!~":
		return truth(not(bindMatches(wholeText)(b, e, s).e, e.Text == "!~"))
	case "&", "|", "<<", ">>":
		return ofOp(expr.Op(e.Text))(b, e, s)
	}
	if e.Args[0].Kind == sql.Tuple && (e.Text == "=" || e.Text == "<>") {
		return b.rows(e, s)
	}
	switch e.Text {
	case "=", "<>", "<", "<=", ">", ">=":
		sides := collated(e.Args)
		return truth(compare(expr.Op(e.Text), b.expr(sides[0], s), b.expr(sides[1], s)))
	}
	x := b.expr(e.Args[0], s)
	y := b.expr(e.Args[1], s)
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
func (b *binder) text(e *sql.Expr, s *scope) *expr.Expr {
	return b.valueOf(e, columnar.Text, s)
}

// literalText binds an expression that must be a constant text.
func (b *binder) literalText(e *sql.Expr, s *scope, what string) string {
	v := b.text(e, s).Fold().Literal()
	if v == nil {
		panic(sql.Wrong(e.At, "", "%s must be a text in quotes", what))
	}
	return v.Text
}

// literalTexts are the texts of a list whose items are known beforehand.
func (b *binder) literalTexts(list *sql.Expr, s *scope, what string) []string {
	return each(list.Args, func(e *sql.Expr) string { return b.literalText(e, s, what) })
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
func (b *binder) caseOf(e *sql.Expr, s *scope) typed {
	last := len(e.Args) - 1
	var conditions []*expr.Expr
	var values []typed
	for i := 1; i < last; i += 2 {
		condition := e.Args[i]
		if e.Args[0] != nil {
			condition = &sql.Expr{Kind: sql.Binary, Text: "=", Args: []*sql.Expr{e.Args[0], e.Args[i]}, At: e.Args[i].At}
		}
		conditions, values = append(conditions, b.condition(condition, s)), append(values, b.expr(e.Args[i+1], s))
	}
	otherwise := nullAt(e.At)
	if e.Args[last] != nil {
		otherwise = b.expr(e.Args[last], s)
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

func (b *binder) in(e *sql.Expr, s *scope) typed {
	if e.Query != nil {
		return b.subquery(e, s)
	}
	if e.Args[0].Kind == sql.Tuple {
		return b.rows(e, s)
	}
	args := collated(e.Args)
	v := b.expr(args[0], s)
	any := each(args[1:], func(item *sql.Expr) *expr.Expr { return compare(expr.OpEq, v, b.expr(item, s)) })
	return truth(not(expr.Or(any...), e.Not))
}

func (b *binder) between(e *sql.Expr, s *scope) typed {
	args := collated(e.Args)
	v := b.expr(args[0], s)
	var bounds []*expr.Expr
	for i, op := range []expr.Op{expr.OpGe, expr.OpLe} {
		bounds = append(bounds, compare(op, v, b.expr(args[1+i], s)))
	}
	return truth(not(expr.And(bounds...), e.Not))
}

func (b *binder) like(e *sql.Expr, s *scope) typed {
	if e.Text == "SIMILAR TO" && len(e.Args) == 2 {
		return truth(not(bindMatches(wholeText)(b, e, s).e, e.Not))
	}
	if e.Text == "SIMILAR TO" {
		panic(sql.Unsupported(e.At, "Next: use LIKE or regexp_matches.", "conditions with "+e.Text))
	}
	if e.Text == "GLOB" {
		pattern := *e.Args[1]
		pattern.Kind, pattern.Text = sql.String, globbed(b.literalText(e.Args[1], s, "a pattern"))
		same := *e
		same.Args = []*sql.Expr{e.Args[0], &pattern}
		return truth(not(bindMatches(wholeText)(b, &same, s).e, e.Not))
	}
	text := b.text(e.Args[0], s)
	pattern := b.literalText(e.Args[1], s, "a pattern")
	escape := ""
	if len(e.Args) > 2 {
		escape = b.literalText(e.Args[2], s, "an escape character")
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

func (b *binder) is(e *sql.Expr, s *scope) typed {
	x := b.expr(e.Args[0], s)
	switch e.Kind {
	case sql.IsNull:
		return truth(not(expr.IsNull(x.e), e.Not))
	case sql.IsTruth:
		v := x.as(columnar.Bool)
		is := expr.And(expr.Not(expr.IsNull(v)), not(v, e.Text == "FALSE"))
		return truth(not(expr.If(is, expr.Bool(true), expr.Bool(false)), e.Not))
	}
	args := collated(e.Args)
	both := comparable(b.expr(args[0], s), b.expr(args[1], s))
	p, q := both[0].e, both[1].e
	same := expr.If(expr.Or(expr.IsNull(p), expr.IsNull(q)), expr.And(expr.IsNull(p), expr.IsNull(q)), expr.Eq(p, q))
	return truth(not(same, !e.Not))
}

func (b *binder) index(e *sql.Expr, s *scope) typed {
	list := b.listOrText(e.Args[0], s)
	if list.t.IsStruct() {
		return b.indexStruct(list, e, s)
	}
	if list.t.IsMap() {
		list.at = e.Args[0].At
		return formula("m, k", valueOfKey).value(b, e.At, []typed{list.entries(), b.expr(e.Args[1], s)})
	}
	at := b.valueOf(e.Args[1], columnar.Int, s)
	if list.t == columnar.Text {
		return typed{e: expr.Call(expr.OpSlice, list.e, at, at), t: columnar.Text}
	}
	return typed{e: expr.Element(list.e, at), t: list.t.Item()}
}

// listOrText binds a list, a text, a struct or a map, which have positions to index.
func (b *binder) listOrText(e *sql.Expr, s *scope) typed {
	if v := b.expr(e, s); v.t == columnar.Text || v.t.IsNested() {
		return typed{e: v.e, t: v.t}
	}
	return b.listOf(e, s)
}

// slice binds the part of a list or a text between two positions, either of which may be
// omitted.
func (b *binder) slice(e *sql.Expr, s *scope) typed {
	list := b.listOrText(e.Args[0], s)
	if len(e.Args) > 3 {
		return b.stepped(list, e, s)
	}
	ends := []*expr.Expr{expr.Int(1), expr.Int(1 << 40)}
	for i, a := range e.Args[1:] {
		if a != nil {
			ends[i] = b.valueOf(a, columnar.Int, s)
		}
	}
	return typed{e: expr.Call(expr.OpSlice, list.e, ends[0], ends[1]), t: list.t}
}

// list binds a list of values of one type.
func (b *binder) list(e *sql.Expr, s *scope) typed {
	if !slices.ContainsFunc(e.Args, func(item *sql.Expr) bool { return item.Kind != sql.String }) {
		items := each(e.Args, func(item *sql.Expr) string { return item.Text })
		return typed{e: expr.Texts(items...), t: columnar.TextList, empty: len(items) == 0}
	}
	all, t := common(b.values(e.Args, s))
	list := columnar.ListOf(t)
	if list == columnar.Invalid {
		panic(noListOf(t, e.At))
	}
	return typed{e: expr.Call(expr.OpListOf, all...), t: list}
}

func noListOf(t columnar.Type, at sql.Span) error {
	return sql.Unsupported(at, "", "lists of "+TypeName(t))
}
