package bind

import (
	"slices"
	"strings"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sentiment"
	"analyzer/operators/sql"
)

// call binds a function of a row. Those of rows in groups are bound by grouped.
func (b *binder) call(e *sql.Expr, s *scope) (typed, error) {
	if e.Window != nil {
		return b.window(e, s)
	}
	if err := plainCall(e, s); err != nil {
		return typed{}, err
	}
	f, ok := functionOf(e.Text)
	if !ok {
		return typed{}, unknownFunction(e)
	}
	if n := len(e.Args); n < f.least || f.most >= 0 && n > f.most {
		return typed{}, sql.Wrong(e.At, "", "it is %s", f.usage)
	}
	return f.bind(b, e, s)
}

// plainCall refuses what only aggregates have, and aggregates where there are none.
func plainCall(e *sql.Expr, s *scope) error {
	switch {
	case isAggregate(e.Text) && s.clause != "":
		return sql.Wrong(e.At, "", "the aggregate %s cannot stand in %s", e.Text, s.clause)
	case isAggregate(e.Text):
		return sql.Wrong(e.At, "", "aggregates cannot stand within aggregates")
	case e.Distinct, e.Filter != nil, len(e.Order) > 0:
		return sql.Wrong(e.At, "", "%s is no aggregate: DISTINCT, ORDER BY and FILTER cannot stand with it", e.Text)
	}
	return nil
}

func unknownFunction(e *sql.Expr) error {
	if f, ok := windowFunctionOf(e.Text); ok {
		return sql.Wrong(e.At, "Next: write "+f.usage+" OVER (ORDER BY …).", "%s is a function of a window", e.Text)
	}
	if near := sql.Nearest(e.Text, FunctionNames()); near != "" {
		hint := "Did you mean " + near + "?"
		if f, ok := functionOf(near); ok {
			hint = "Did you mean " + f.usage + "?"
		} else if f, ok := windowFunctionOf(near); ok {
			hint = "Did you mean " + f.usage + " OVER (…)?"
		}
		return sql.Wrong(e.At, hint, "there is no function %s", e.Text)
	}
	return sql.Wrong(e.At, "“analyzer help functions” lists them.", "there is no function %s", e.Text)
}

// function is a function as statements call it.
type function struct {
	names []string
	usage string
	least int // arguments
	most  int // -1: any number
	bind  func(b *binder, e *sql.Expr, s *scope) (typed, error)
}

// known are the functions by name. They are made for the first statement, which takes
// microseconds, so that a start of the program does not, and read only from then on.
var known struct {
	sync.Once
	functions  map[string]function
	aggregates map[string]aggregateFunction
	windows    map[string]windowFunction
}

func makeKnown() {
	known.functions, known.aggregates, known.windows = make(map[string]function), make(map[string]aggregateFunction), make(map[string]windowFunction)
	for _, f := range functions() {
		for _, name := range f.names {
			known.functions[name] = f
		}
	}
	for _, f := range aggregateFunctions() {
		for _, name := range f.names {
			known.aggregates[name] = f
		}
	}
	for _, f := range windowFunctions() {
		for _, name := range f.names {
			known.windows[name] = f
		}
	}
	for _, name := range unknownAggregates() {
		known.aggregates[name] = aggregateFunction{}
	}
}

// functions returns all functions but the aggregates.
func functions() []function {
	return slices.Concat(textFunctions(), numberFunctions(), otherFunctions(), dateFunctions())
}

func functionOf(name string) (function, bool) {
	known.Do(makeKnown)
	f, ok := known.functions[name]
	return f, ok
}

// FunctionNames returns the names of all functions, aggregates and functions of windows.
func FunctionNames() []string {
	all := aggregateNames()
	for _, f := range functions() {
		all = append(all, f.names...)
	}
	for _, f := range windowFunctions() {
		all = append(all, f.names...)
	}
	return all
}

// ofTexts binds a function of texts.
func ofTexts(op expr.Op, gives columnar.Type) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		var args []*expr.Expr
		for _, a := range e.Args {
			v, err := b.text(a, s)
			if err != nil {
				return typed{}, err
			}
			args = append(args, v)
		}
		return typed{e: expr.Call(op, args...), t: gives}, nil
	}
}

func textFunctions() []function {
	return []function{
		{[]string{"lower", "lcase"}, "lower(text)", 1, 1, ofTexts(expr.OpLower, columnar.Text)},
		{[]string{"upper", "ucase"}, "upper(text)", 1, 1, ofTexts(expr.OpUpper, columnar.Text)},
		{[]string{"length", "len", "char_length", "character_length"}, "length(text or list)", 1, 1, bindLength},
		{[]string{"substr", "substring"}, "substr(text, first[, length])", 2, 3, bindSubstr},
		{[]string{"left"}, "left(text, length)", 2, 2, bindLeft},
		{[]string{"trim"}, "trim(text)", 1, 1, ofTexts(expr.OpTrim, columnar.Text)},
		{[]string{"ltrim"}, "ltrim(text)", 1, 1, ofTexts(expr.OpLeftTrim, columnar.Text)},
		{[]string{"rtrim"}, "rtrim(text)", 1, 1, ofTexts(expr.OpRightTrim, columnar.Text)},
		{[]string{"replace"}, "replace(text, old, new)", 3, 3, ofTexts(expr.OpReplace, columnar.Text)},
		{[]string{"starts_with", "prefix"}, "starts_with(text, beginning)", 2, 2, ofTexts(expr.OpStartsWith, columnar.Bool)},
		{[]string{"ends_with", "suffix"}, "ends_with(text, end)", 2, 2, ofTexts(expr.OpEndsWith, columnar.Bool)},
		{[]string{"contains"}, "contains(text or list, part)", 2, 2, bindContains},
		{[]string{"list_contains", "list_has", "array_contains"}, "list_contains(list, item)", 2, 2, bindContains},
		{[]string{"list_has_all", "array_has_all"}, "list_has_all(list, items)", 2, 2, bindHasAll},
		{[]string{"list_has_any", "array_has_any"}, "list_has_any(list, [item, …])", 2, 2, bindHasAny},
		{[]string{"list_value", "list_pack"}, "list_value(value, …)", 1, -1, func(b *binder, e *sql.Expr, s *scope) (typed, error) { return b.list(e, s) }},
		{[]string{"string_split", "str_split", "string_to_array"}, "string_split(text, separator)", 2, 2, ofTexts(expr.OpSplit, columnar.TextList)},
		{[]string{"python_list"}, "python_list(text)", 1, 1, ofTexts(expr.OpPythonList, columnar.TextList)},
		{[]string{"python_names"}, "python_names(text)", 1, 1, ofTexts(expr.OpPythonNames, columnar.TextList)},
		{[]string{unnestName}, "unnest(list)", 1, 1, func(_ *binder, e *sql.Expr, _ *scope) (typed, error) {
			return typed{}, sql.Unsupported(e.At, "Next: make it a column of SELECT by itself, in a query in FROM.", "unnest within expressions and conditions")
		}},
		{[]string{"grouping", "grouping_id"}, "grouping(key, …)", 1, -1, func(_ *binder, e *sql.Expr, _ *scope) (typed, error) {
			return typed{}, sql.Wrong(e.At, "", "%s stands beside GROUP BY, of whose keys it is", e.Text)
		}},
		{[]string{"concat"}, "concat(value, …)", 1, -1, bindConcat},
		{[]string{"regexp_matches"}, "regexp_matches(text, pattern[, options])", 2, 3, bindMatches("%s")},
		{[]string{"regexp_full_match"}, "regexp_full_match(text, pattern[, options])", 2, 3, bindMatches(wholeText)},
		{[]string{"regexp_replace"}, "regexp_replace(text, pattern, new[, options])", 3, 4, bindRegexpReplace},
		{[]string{"regexp_extract"}, "regexp_extract(text, pattern[, group[, options]])", 2, 4, bindRegexpExtract},
		{[]string{"language"}, "language(text)", 1, 1, ofTexts(expr.OpLanguage, columnar.Text)},
		{[]string{"sentiment"}, "sentiment(text[, model])", 1, 2, bindModel(expr.Sentiment, columnar.Text)},
		{[]string{"polarity"}, "polarity(text[, model])", 1, 2, bindModel(expr.Polarity, columnar.Decimal)},
	}
}

func bindLength(b *binder, e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return v, err
	}
	if v.t.Item() != columnar.Invalid {
		return typed{e: expr.Len(v.e), t: columnar.Int}, nil
	}
	text, err := v.as(columnar.Text, e.Args[0].At)
	return typed{e: expr.Call(expr.OpLength, text), t: columnar.Int}, err
}

// literalInt binds an expression that must be an integer that is known beforehand.
func (b *binder) literalInt(e *sql.Expr, s *scope, least int64, what string) (*expr.Expr, error) {
	v, err := b.expr(e, s)
	if err != nil {
		return nil, err
	}
	if n := v.e.Fold(); n.Op == expr.OpLiteral && n.Value.Type == columnar.Int && !n.Value.Null && n.Value.Int >= least {
		return n, nil
	}
	return nil, sql.Wrong(e.At, "", "%s must be a number from %d on", what, least)
}

func bindSubstr(b *binder, e *sql.Expr, s *scope) (typed, error) {
	text, err := b.text(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	first, err := b.literalInt(e.Args[1], s, 1, "the first place")
	if err != nil {
		return typed{}, err
	}
	length := expr.Int(1 << 40)
	if len(e.Args) > 2 {
		if length, err = b.literalInt(e.Args[2], s, 0, "a length"); err != nil {
			return typed{}, err
		}
	}
	return typed{e: expr.Call(expr.OpSubstr, text, first, length), t: columnar.Text}, nil
}

func bindLeft(b *binder, e *sql.Expr, s *scope) (typed, error) {
	text, err := b.text(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	length, err := b.literalInt(e.Args[1], s, 0, "a length")
	return typed{e: expr.Call(expr.OpSubstr, text, expr.Int(1), length), t: columnar.Text}, err
}

func bindContains(b *binder, e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return v, err
	}
	w, err := b.expr(e.Args[1], s)
	if err != nil {
		return w, err
	}
	op, want := expr.OpListContains, v.t.Item()
	if want == columnar.Invalid {
		if e.Text != "contains" || v.t != columnar.Text {
			return v, sql.Wrong(e.Args[0].At, "", "a list is needed, and this is %s", TypeName(v.t))
		}
		op, want = expr.OpContains, columnar.Text
	}
	item, err := w.as(want, e.Args[1].At)
	return truth(expr.Call(op, v.e, item)), err
}

// bindLists binds two lists of texts.
func (b *binder) bindLists(e *sql.Expr, s *scope) (lists [2]*expr.Expr, err error) {
	for i := range lists {
		v, err := b.expr(e.Args[i], s)
		if err != nil {
			return lists, err
		}
		if lists[i], err = v.as(columnar.TextList, e.Args[i].At); err != nil {
			return lists, err
		}
	}
	return lists, nil
}

func bindHasAll(b *binder, e *sql.Expr, s *scope) (typed, error) {
	lists, err := b.bindLists(e, s)
	return truth(expr.ListContainsAll(lists[0], lists[1])), err
}

// bindHasAny looks for each of some items that are known beforehand.
func bindHasAny(b *binder, e *sql.Expr, s *scope) (typed, error) {
	lists, err := b.bindLists(e, s)
	if err != nil {
		return typed{}, err
	}
	items := lists[1].Fold()
	if items.Op != expr.OpLiteral || items.Value.Null {
		return typed{}, sql.Unsupported(e.Args[1].At, "Next: write them as ['a', 'b'].", "items that are not known beforehand")
	}
	any := make([]*expr.Expr, len(items.Value.Texts))
	for i, item := range items.Value.Texts {
		any[i] = expr.ListContains(lists[0], expr.Str(item))
	}
	return truth(expr.Or(any...)), nil
}

// bindConcat puts texts together, of which NULL is the empty one.
func bindConcat(b *binder, e *sql.Expr, s *scope) (typed, error) {
	var values []typed
	for _, a := range e.Args {
		v, err := b.expr(a, s)
		if err != nil {
			return v, err
		}
		text, err := asText(v, a.At)
		if err != nil {
			return v, err
		}
		values = append(values, typed{e: expr.Coalesce(text, expr.Str("")), t: columnar.Text})
	}
	return b.concat(values, e.Args)
}

// bindModel binds a function of a text and a sentiment model.
func bindModel(f func(text, model *expr.Expr) *expr.Expr, gives columnar.Type) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		text, err := b.text(e.Args[0], s)
		if err != nil {
			return typed{}, err
		}
		model := sentiment.Lexicon
		if len(e.Args) > 1 {
			if model, err = b.literalText(e.Args[1], s, "a model"); err != nil {
				return typed{}, err
			}
			if !slices.Contains(sentiment.Names(), model) {
				return typed{}, sql.Wrong(e.Args[1].At, "There are "+strings.Join(sentiment.Names(), ", ")+".", "there is no model %q", model)
			}
		}
		return typed{e: f(text, expr.Str(model)), t: gives}, nil
	}
}

func numberFunctions() []function {
	return []function{
		{[]string{"abs"}, "abs(number)", 1, 1, ofNumber(expr.OpAbs)},
		{[]string{"floor"}, "floor(number)", 1, 1, ofNumber(expr.OpFloor)},
		{[]string{"ceil", "ceiling"}, "ceil(number)", 1, 1, ofNumber(expr.OpCeil)},
		{[]string{"round"}, "round(number[, places])", 1, 2, bindRound},
		{[]string{"mod"}, "mod(number, divisor)", 2, 2, func(b *binder, e *sql.Expr, s *scope) (typed, error) {
			return b.binary(&sql.Expr{Kind: sql.Binary, Text: "%", Args: e.Args, At: e.At}, s)
		}},
		{[]string{"sqrt"}, "sqrt(number)", 1, 1, ofFloats(expr.OpSqrt)},
		{[]string{"pow", "power"}, "pow(number, power)", 2, 2, ofFloats(expr.OpPow)},
		{[]string{"exp"}, "exp(number)", 1, 1, ofFloats(expr.OpExp)},
		{[]string{"ln"}, "ln(number)", 1, 1, ofFloats(expr.OpLn)},
		{[]string{"log10", "log"}, "log10(number)", 1, 1, ofFloats(expr.OpLog10)},
		{[]string{"greatest"}, "greatest(value, …)", 1, -1, bindExtreme(expr.OpGt)},
		{[]string{"least"}, "least(value, …)", 1, -1, bindExtreme(expr.OpLt)},
	}
}

// ofNumber binds a function of a number that keeps its type; of an integer floor and
// ceil are the integer.
func ofNumber(op expr.Op) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		v, err := b.number(e.Args[0], s)
		v = v.floatOfWide()
		if err != nil || v.t == columnar.Int && op != expr.OpAbs {
			return v, err
		}
		return typed{e: expr.Call(op, v.e), t: v.t}, nil
	}
}

// ofFloats binds a function of floats.
func ofFloats(op expr.Op) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			v, err := b.number(a, s)
			if err != nil {
				return v, err
			}
			args[i] = expr.ToFloat(v.e)
		}
		return typed{e: expr.Call(op, args...), t: columnar.Float}, nil
	}
}

func bindRound(b *binder, e *sql.Expr, s *scope) (typed, error) {
	v, err := b.number(e.Args[0], s)
	if err != nil {
		return v, err
	}
	places := expr.Int(0)
	if len(e.Args) > 1 {
		if places, err = b.literalInt(e.Args[1], s, 0, "the number of places"); err != nil {
			return v, err
		}
	}
	if v = v.floatOfWide(); v.t == columnar.Int {
		return v, nil
	}
	return typed{e: expr.Call(expr.OpRound, v.e, places), t: v.t}, nil
}

// bindExtreme chooses the greatest or least value that is not null.
func bindExtreme(op expr.Op) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		values, err := b.values(e.Args, s)
		if err != nil {
			return typed{}, err
		}
		es, t, err := b.common(values, spans(e.Args))
		if err != nil {
			return typed{}, err
		}
		if t.Item() != columnar.Invalid {
			return typed{}, sql.Unsupported(e.At, "", e.Text+" of "+TypeName(t))
		}
		best := es[0]
		for _, v := range es[1:] {
			best = expr.If(expr.Or(expr.IsNull(v), expr.Call(op, best, v)), best, v)
		}
		return typed{e: best, t: t}, nil
	}
}

func (b *binder) values(args []*sql.Expr, s *scope) ([]typed, error) {
	var out []typed
	for _, a := range args {
		v, err := b.expr(a, s)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func otherFunctions() []function {
	return []function{
		{[]string{"coalesce"}, "coalesce(value, …)", 1, -1, bindCoalesce},
		{[]string{"ifnull"}, "ifnull(value, otherwise)", 2, 2, bindCoalesce},
		{[]string{"nullif"}, "nullif(value, other)", 2, 2, bindNullIf},
		{[]string{"if", "iff"}, "if(condition, value, otherwise)", 3, 3, bindIf},
	}
}

func bindCoalesce(b *binder, e *sql.Expr, s *scope) (typed, error) {
	values, err := b.values(e.Args, s)
	if err != nil {
		return typed{}, err
	}
	last := len(values) - 1
	var conditions []*expr.Expr
	for _, v := range values[:last] {
		conditions = append(conditions, expr.Not(expr.IsNull(v.e)))
	}
	return b.choose(conditions, values, spans(e.Args))
}

func bindNullIf(b *binder, e *sql.Expr, s *scope) (typed, error) {
	values, err := b.values(e.Args, s)
	if err != nil {
		return typed{}, err
	}
	both, err := b.comparable(values[0], values[1], e.Args[0].At, e.Args[1].At)
	if err != nil {
		return typed{}, err
	}
	null := typed{e: expr.Null(columnar.Int), t: columnar.Int, null: true}
	return b.choose([]*expr.Expr{expr.Eq(both[0].e, both[1].e)}, []typed{null, values[0]}, []sql.Span{e.At, e.Args[0].At})
}

func bindIf(b *binder, e *sql.Expr, s *scope) (typed, error) {
	c, err := b.condition(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	values, err := b.values(e.Args[1:], s)
	if err != nil {
		return typed{}, err
	}
	return b.choose([]*expr.Expr{c}, values, spans(e.Args[1:]))
}
