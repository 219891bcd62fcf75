package bind

import (
	"fmt"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

// condition binds an expression that must be true or false.
func (b *binder) condition(e *sql.Expr, s *scope) (*expr.Expr, error) {
	v, err := b.expr(e, s)
	if err != nil {
		return nil, err
	}
	if v.t != columnar.Bool && !v.null && !v.written {
		return nil, sql.Wrong(e.At, "", "a condition is needed, and this is %s", TypeName(v.t))
	}
	return v.as(columnar.Bool, e.At)
}

// expr binds an expression.
func (b *binder) expr(e *sql.Expr, s *scope) (typed, error) {
	if s.groups != nil {
		if v, ok, err := b.grouped(e, s); ok || err != nil {
			return v, err
		}
	}
	switch e.Kind {
	case sql.Column:
		return b.column(e, s)
	case sql.Number:
		return literalNumber(e, "")
	case sql.String:
		return typed{e: expr.Str(e.Text), t: columnar.Text, written: true}, nil
	case sql.Boolean:
		return typed{e: expr.Bool(e.Text == "TRUE"), t: columnar.Bool}, nil
	case sql.Null:
		return typed{e: expr.Null(columnar.Int), t: columnar.Int, null: true}, nil
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
	}
	return typed{}, sql.Unsupported(e.At, "", unsupportedKind(e))
}

func unsupportedKind(e *sql.Expr) string {
	switch e.Kind {
	case sql.Interval:
		return "intervals"
	case sql.Struct:
		return "structs"
	case sql.Tuple:
		return "rows as values"
	case sql.Grouping:
		return strings.ToUpper(e.Text)
	case sql.Star:
		return "stars in expressions"
	}
	return "such expressions"
}

func not(v *expr.Expr, negated bool) *expr.Expr {
	if negated {
		return expr.Not(v)
	}
	return v
}

func truth(e *expr.Expr) typed { return typed{e: e, t: columnar.Bool} }

func (b *binder) column(e *sql.Expr, s *scope) (typed, error) {
	name := strings.ToLower(e.Path[0])
	alias := s.aliases[name]
	if len(e.Path) > 1 {
		alias = nil
	}
	f, err := s.resolve(e)
	if err == nil {
		return columnOf(f), nil
	}
	if alias != nil && indexOf(s.fields, e.Path[0]) < 0 {
		return b.expr(alias, s.without(name))
	}
	if len(e.Path) == 1 && strings.HasPrefix(name, "current_") {
		if f, ok := functionOf(name); ok {
			return f.bind(b, e, s)
		}
	}
	return typed{}, err
}

// literalNumber reads a number behind a sign.
func literalNumber(e *sql.Expr, sign string) (typed, error) {
	text := sign + e.Text
	if !strings.ContainsAny(text, ".eE") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return typed{}, sql.Unsupported(e.At, "Next: write it with a point to make it a DOUBLE.", "integers of more than 64 bits")
		}
		return typed{e: expr.Int(n), t: columnar.Int}, nil
	}
	_, fraction, _ := strings.Cut(text, ".")
	if !strings.ContainsAny(text, "eE") && len(fraction) <= number.Scale {
		if n, ok := number.ParseDecimal([]byte(text)); ok {
			return typed{e: expr.Dec(n), t: columnar.Decimal}, nil
		}
	}
	f, ok := number.ParseFloat([]byte(text))
	if !ok {
		return typed{}, sql.Wrong(e.At, "", "the number %s is too large", text)
	}
	return typed{e: expr.Float(f), t: columnar.Float}, nil
}

// param returns the value of a parameter: a number or a truth value if it is written
// as one, or else a text, which becomes a date where a date is needed.
func (b *binder) param(e *sql.Expr) (typed, error) {
	text, ok := b.params[e.Text]
	if !ok {
		return typed{}, sql.Wrong(e.At, "Next: give --param "+e.Text+"=VALUE.", "the parameter $%s has no value", e.Text)
	}
	if t, declared := b.catalog.Types[e.Text]; declared {
		v := typed{e: expr.Str(text), t: columnar.Text, written: true}
		if t == columnar.Text {
			return v, nil
		}
		value, err := v.read(t, e.At)
		if err != nil {
			err = sql.Wrong(e.At, "Next: correct --param "+e.Text+"=VALUE.", "parameter %s=%s: %v", e.Text, text, err)
		}
		return typed{e: value, t: t}, err
	}
	switch text {
	case "true", "false":
		return truth(expr.Bool(text == "true")), nil
	case "":
		return typed{e: expr.Str(""), t: columnar.Text, written: true}, nil
	}
	digits := strings.TrimPrefix(text, "-")
	if digits != "" && (digits[0] >= '1' && digits[0] <= '9' || digits == "0" || strings.HasPrefix(digits, "0.")) {
		if _, ok := number.ParseFloat([]byte(digits)); ok && strings.TrimSpace(digits) == digits {
			sign := text[:len(text)-len(digits)]
			return literalNumber(&sql.Expr{Kind: sql.Number, Text: digits, At: e.At}, sign)
		}
	}
	return typed{e: expr.Str(text), t: columnar.Text, written: true}, nil
}

func (b *binder) unary(e *sql.Expr, s *scope) (typed, error) {
	arg := e.Args[0]
	switch {
	case e.Text == "NOT":
		v, err := b.condition(arg, s)
		return truth(expr.Not(v)), err
	case e.Text == "-" && arg.Kind == sql.Number:
		return literalNumber(arg, "-")
	}
	v, err := b.number(arg, s)
	if err != nil || e.Text == "+" {
		return v, err
	}
	if v.t == columnar.Float {
		return typed{e: expr.Mul(expr.Float(-1), v.e), t: v.t}, nil
	}
	return typed{e: expr.Sub(expr.Int(0), v.e), t: v.t}, nil
}

// number binds an expression that must be a number.
func (b *binder) number(e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e, s)
	if err != nil {
		return v, err
	}
	return asNumber(v, e.At)
}

func asNumber(v typed, at sql.Span) (typed, error) {
	switch {
	case v.null:
		return typed{e: expr.Null(columnar.Int), t: columnar.Int}, nil
	case isNumber(v.t):
		return v, nil
	case v.written:
		if n, err := v.read(columnar.Int, at); err == nil {
			return typed{e: n, t: columnar.Int}, nil
		}
		n, err := v.read(columnar.Float, at)
		return typed{e: n, t: columnar.Float}, err
	}
	return v, sql.Wrong(at, "Next: write CAST(… AS DOUBLE) or CAST(… AS BIGINT).", "a number is needed, and this is %s", TypeName(v.t))
}

func (b *binder) binary(e *sql.Expr, s *scope) (typed, error) {
	switch e.Text {
	case "AND", "OR":
		x, err := b.condition(e.Args[0], s)
		if err != nil {
			return typed{}, err
		}
		y, err := b.condition(e.Args[1], s)
		if err != nil {
			return typed{}, err
		}
		if e.Text == "AND" {
			return truth(expr.And(x, y)), nil
		}
		return truth(expr.Or(x, y)), nil
	case "^":
		return ofFloats(expr.OpPow)(b, e, s)
	case "~", "!~":
		v, err := bindMatches(wholeText)(b, e, s)
		return truth(not(v.e, e.Text == "!~")), err
	}
	if e.Args[0].Kind == sql.Interval && e.Text == "+" {
		return b.shift(e.Args[1], e.Args[0], false, s)
	}
	if e.Args[1].Kind == sql.Interval && (e.Text == "+" || e.Text == "-") {
		return b.shift(e.Args[0], e.Args[1], e.Text == "-", s)
	}
	x, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	y, err := b.expr(e.Args[1], s)
	if err != nil {
		return typed{}, err
	}
	switch e.Text {
	case "=", "<>", "<", "<=", ">", ">=":
		both, err := b.comparable(x, y, e.Args[0].At, e.Args[1].At)
		return truth(expr.Call(expr.Op(e.Text), both[0].e, both[1].e)), err
	case "||":
		if x.t.Item() != columnar.Invalid || y.t.Item() != columnar.Invalid {
			return b.joined([]typed{x, y}, e.Args, false)
		}
		return b.concat([]typed{x, y}, e.Args)
	case "+", "-", "*", "/", "//", "%":
		return b.arithmetic(e, x, y)
	}
	return typed{}, sql.Unsupported(e.At, "", "operators "+e.Text)
}

func (b *binder) arithmetic(e *sql.Expr, x, y typed) (typed, error) {
	if isTime(x.t) || isTime(y.t) {
		return b.dates(e, x, y)
	}
	x, err := asNumber(x, e.Args[0].At)
	if err != nil {
		return typed{}, err
	}
	y, err = asNumber(y, e.Args[1].At)
	if err != nil {
		return typed{}, err
	}
	op := expr.Op(e.Text)
	switch e.Text {
	case "/":
		return typed{e: expr.Div(x.e, y.e), t: columnar.Float}, nil
	case "//":
		if x.t != columnar.Int || y.t != columnar.Int {
			return typed{}, sql.Wrong(e.At, "Next: divide with / and use floor.", "// divides integers")
		}
		return typed{e: expr.IntDiv(x.e, y.e), t: columnar.Int}, nil
	case "%":
		if t := widest(x.t, y.t); t != columnar.Int && t != columnar.Decimal {
			return typed{}, sql.Wrong(e.At, "", "%% is of integers and decimals, and these are %s and %s", TypeName(x.t), TypeName(y.t))
		}
		both, t, err := b.common([]typed{x, y}, spans(e.Args))
		if err != nil {
			return typed{}, err
		}
		return typed{e: expr.Call(op, both...), t: t}, nil
	case "*":
		// The product of two decimals has more places than a decimal.
		if x.t == columnar.Decimal && y.t == columnar.Decimal || x.t == columnar.Wide || y.t == columnar.Wide {
			return typed{e: expr.Mul(expr.ToFloat(x.e), expr.ToFloat(y.e)), t: columnar.Float}, nil
		}
	}
	t := x.t
	if x.t != y.t {
		t = columnar.Decimal
		for _, wide := range []columnar.Type{columnar.Wide, columnar.Float} {
			if x.t == wide || y.t == wide {
				t = wide
			}
		}
	}
	return typed{e: expr.Call(op, x.e, y.e), t: t}, nil
}

func spans(all []*sql.Expr) []sql.Span {
	out := make([]sql.Span, len(all))
	for i, e := range all {
		out[i] = e.At
	}
	return out
}

// text binds an expression that must be a text.
func (b *binder) text(e *sql.Expr, s *scope) (*expr.Expr, error) {
	v, err := b.expr(e, s)
	if err != nil {
		return nil, err
	}
	return v.as(columnar.Text, e.At)
}

// literalText binds an expression that must be a text that is known beforehand.
func (b *binder) literalText(e *sql.Expr, s *scope, what string) (string, error) {
	v, err := b.text(e, s)
	if err != nil {
		return "", err
	}
	v = v.Fold()
	if v.Op != expr.OpLiteral || v.Value.Null {
		return "", sql.Wrong(e.At, "", "%s must be a text in quotes", what)
	}
	return v.Value.Text, nil
}

// concat puts values behind each other as texts.
func (b *binder) concat(values []typed, args []*sql.Expr) (typed, error) {
	var out *expr.Expr
	for i, v := range values {
		e, err := asText(v, args[i].At)
		if err != nil {
			return typed{}, err
		}
		if out == nil {
			out = e
		} else {
			out = expr.Call(expr.OpConcat, out, e)
		}
	}
	return typed{e: out, t: columnar.Text}, nil
}

// asText makes the text of a value that answers show.
func asText(v typed, at sql.Span) (*expr.Expr, error) {
	switch {
	case v.null:
		return expr.Null(columnar.Text), nil
	case v.t == columnar.Text:
		return v.e, nil
	case v.t.Kind() == columnar.KindList:
		return nil, sql.Unsupported(at, "", "casts of "+TypeName(v.t)+" to VARCHAR")
	}
	return expr.Call(expr.OpToText, v.e), nil
}

// caseOf binds CASE as choices within choices.
func (b *binder) caseOf(e *sql.Expr, s *scope) (typed, error) {
	last := len(e.Args) - 1
	var conditions []*expr.Expr
	var values []typed
	var at []sql.Span
	for i := 1; i < last; i += 2 {
		condition := e.Args[i]
		if e.Args[0] != nil {
			condition = &sql.Expr{Kind: sql.Binary, Text: "=", Args: []*sql.Expr{e.Args[0], e.Args[i]}, At: e.Args[i].At}
		}
		c, err := b.condition(condition, s)
		if err != nil {
			return typed{}, err
		}
		v, err := b.expr(e.Args[i+1], s)
		if err != nil {
			return typed{}, err
		}
		conditions, values, at = append(conditions, c), append(values, v), append(at, e.Args[i+1].At)
	}
	otherwise := typed{e: expr.Null(columnar.Int), t: columnar.Int, null: true}
	if e.Args[last] != nil {
		var err error
		if otherwise, err = b.expr(e.Args[last], s); err != nil {
			return typed{}, err
		}
	}
	return b.choose(conditions, append(values, otherwise), append(at, e.At))
}

// choose makes the choice of the value whose condition is the first that is true,
// or of the last value.
func (b *binder) choose(conditions []*expr.Expr, values []typed, at []sql.Span) (typed, error) {
	es, t, err := b.common(values, at)
	if err != nil {
		return typed{}, err
	}
	if t == columnar.TextList || t == columnar.IntList {
		return typed{}, sql.Unsupported(at[0], "", "choices between lists")
	}
	out := es[len(es)-1]
	for i := len(conditions) - 1; i >= 0; i-- {
		out = expr.If(conditions[i], es[i], out)
	}
	return typed{e: out, t: t}, nil
}

func (b *binder) in(e *sql.Expr, s *scope) (typed, error) {
	if e.Query != nil {
		return b.subquery(e, s)
	}
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	var any []*expr.Expr
	for _, item := range e.Args[1:] {
		w, err := b.expr(item, s)
		if err != nil {
			return typed{}, err
		}
		both, err := b.comparable(v, w, e.Args[0].At, item.At)
		if err != nil {
			return typed{}, err
		}
		any = append(any, expr.Eq(both[0].e, both[1].e))
	}
	return truth(not(expr.Or(any...), e.Not)), nil
}

func (b *binder) between(e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	var bounds []*expr.Expr
	for i, op := range []expr.Op{expr.OpGe, expr.OpLe} {
		w, err := b.expr(e.Args[1+i], s)
		if err != nil {
			return typed{}, err
		}
		both, err := b.comparable(v, w, e.Args[0].At, e.Args[1+i].At)
		if err != nil {
			return typed{}, err
		}
		bounds = append(bounds, expr.Call(op, both[0].e, both[1].e))
	}
	return truth(not(expr.And(bounds...), e.Not)), nil
}

func (b *binder) like(e *sql.Expr, s *scope) (typed, error) {
	if e.Text == "SIMILAR TO" && len(e.Args) == 2 {
		return b.similar(e, s)
	}
	if e.Text != "LIKE" && e.Text != "ILIKE" {
		return typed{}, sql.Unsupported(e.At, "Next: use LIKE or regexp_matches.", "conditions with "+e.Text)
	}
	text, err := b.text(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	pattern, err := b.literalText(e.Args[1], s, "a pattern")
	if err != nil {
		return typed{}, err
	}
	escape := ""
	if len(e.Args) > 2 {
		if escape, err = b.literalText(e.Args[2], s, "an escape character"); err != nil {
			return typed{}, err
		}
	}
	if e.Text == "ILIKE" {
		text, pattern = expr.Lower(text), strings.ToLower(pattern)
	}
	v := expr.Like(text, pattern, escape)
	if _, err := expr.Compile(expr.Like(expr.Str(""), pattern, escape), nil, nil); err != nil {
		return typed{}, sql.Wrong(e.Args[1].At, "", "%q is no pattern", pattern)
	}
	return truth(not(v, e.Not)), nil
}

func (b *binder) is(e *sql.Expr, s *scope) (typed, error) {
	x, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	switch e.Kind {
	case sql.IsNull:
		return truth(not(expr.IsNull(x.e), e.Not)), nil
	case sql.IsTruth:
		v, err := x.as(columnar.Bool, e.Args[0].At)
		if err != nil {
			return typed{}, err
		}
		is := expr.And(expr.Not(expr.IsNull(v)), not(v, e.Text == "FALSE"))
		return truth(not(expr.If(is, expr.Bool(true), expr.Bool(false)), e.Not)), nil
	}
	y, err := b.expr(e.Args[1], s)
	if err != nil {
		return typed{}, err
	}
	both, err := b.comparable(x, y, e.Args[0].At, e.Args[1].At)
	if err != nil {
		return typed{}, err
	}
	p, q := both[0].e, both[1].e
	same := expr.If(expr.Or(expr.IsNull(p), expr.IsNull(q)), expr.And(expr.IsNull(p), expr.IsNull(q)), expr.Eq(p, q))
	return truth(not(same, !e.Not)), nil
}

func (b *binder) index(e *sql.Expr, s *scope) (typed, error) {
	list, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	item := list.t.Item()
	if item == columnar.Invalid {
		return typed{}, sql.Wrong(e.Args[0].At, "", "a list is needed, and this is %s", TypeName(list.t))
	}
	at, err := b.expr(e.Args[1], s)
	if err != nil {
		return typed{}, err
	}
	i, err := at.as(columnar.Int, e.Args[1].At)
	if err != nil {
		return typed{}, err
	}
	return typed{e: expr.Element(list.e, i), t: item}, nil
}

// slice binds the items of a list between two positions, either of which may be left out.
func (b *binder) slice(e *sql.Expr, s *scope) (typed, error) {
	list, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	if list.t.Item() == columnar.Invalid {
		return typed{}, sql.Wrong(e.Args[0].At, "", "a list is needed, and this is %s", TypeName(list.t))
	}
	ends := []*expr.Expr{expr.Int(1), expr.Int(1 << 40)}
	for i, a := range e.Args[1:] {
		if a == nil {
			continue
		}
		at, err := b.expr(a, s)
		if err != nil {
			return typed{}, err
		}
		if ends[i], err = at.as(columnar.Int, a.At); err != nil {
			return typed{}, err
		}
	}
	return typed{e: expr.Call(expr.OpSlice, list.e, ends[0], ends[1]), t: list.t}, nil
}

// list binds a list of texts or of integers.
func (b *binder) list(e *sql.Expr, s *scope) (typed, error) {
	var items []string
	for _, item := range e.Args {
		if item.Kind == sql.String {
			items = append(items, item.Text)
		}
	}
	if len(items) == len(e.Args) {
		return typed{e: expr.Texts(items...), t: columnar.TextList}, nil
	}
	values, err := b.values(e.Args, s)
	if err != nil {
		return typed{}, err
	}
	all, t, err := b.common(values, spans(e.Args))
	switch {
	case err != nil:
		return typed{}, err
	case t == columnar.Text:
		return typed{e: expr.Call(expr.OpListOf, all...), t: columnar.TextList}, nil
	case t == columnar.Int:
		return typed{e: expr.Call(expr.OpListOf, all...), t: columnar.IntList}, nil
	}
	return typed{}, sql.Unsupported(e.At, "Next: write CAST(… AS VARCHAR); there are lists of VARCHAR and of BIGINT.", "lists of "+TypeName(t))
}

func (b *binder) cast(e *sql.Expr, s *scope) (typed, error) {
	t, ok := castType(e.Text)
	if !ok {
		return typed{}, sql.Unsupported(e.At, "There are BIGINT, DECIMAL(18, 6), DOUBLE, BOOLEAN, VARCHAR, DATE and TIMESTAMP.", "casts to "+e.Text)
	}
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	out := typed{t: t}
	switch {
	case v.null:
		out.e = expr.Null(t)
	case v.t == t:
		out.e = v.e
	case v.t == columnar.Text && t != columnar.Text:
		out.e = expr.CastText(v.e, t, e.Try)
	case t == columnar.Text:
		out.e, err = asText(v, e.At)
	case t == columnar.Int && (isNumber(v.t) || v.t == columnar.Bool):
		if v.t == columnar.Wide {
			v.e = expr.ToDecimal(v.e)
		}
		out.e = expr.Call(expr.OpToInt, v.e)
	case t == columnar.Float && isNumber(v.t):
		out.e = expr.ToFloat(v.e)
	case t == columnar.Decimal && (v.t == columnar.Int || v.t == columnar.Wide):
		out.e = expr.ToDecimal(v.e)
	case t == columnar.Timestamp && v.t == columnar.Date:
		out.e = expr.Call(expr.OpToTimestamp, v.e)
	case t == columnar.Date && v.t == columnar.Timestamp:
		out.e = expr.Call(expr.OpToDate, v.e)
	default:
		err = sql.Unsupported(e.At, "", fmt.Sprintf("casts of %s to %s", TypeName(v.t), TypeName(t)))
	}
	if err == nil && e.Try && v.t != columnar.Text && v.t != t && !v.null && t != columnar.Text && t != columnar.Float && !isTime(t) {
		err = sql.Unsupported(e.At, "Next: use CAST.", fmt.Sprintf("TRY_CASTs of %s to %s", TypeName(v.t), TypeName(t)))
	}
	return out, err
}

func castType(name string) (columnar.Type, bool) {
	switch name {
	case "BIGINT", "INT8", "LONG":
		return columnar.Int, true
	case "INT", "INTEGER", "INT4": // whose range is narrower, which is not checked
		return columnar.Int, true
	case "DOUBLE", "FLOAT8":
		return columnar.Float, true
	case "DECIMAL(18, 6)", "NUMERIC(18, 6)":
		return columnar.Decimal, true
	case "VARCHAR", "TEXT", "STRING":
		return columnar.Text, true
	case "BOOLEAN", "BOOL":
		return columnar.Bool, true
	case "DATE":
		return columnar.Date, true
	case "TIMESTAMP", "DATETIME":
		return columnar.Timestamp, true
	}
	return columnar.Invalid, false
}
