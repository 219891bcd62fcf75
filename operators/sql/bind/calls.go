package bind

import (
	"math"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/expr"
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
	return slices.Concat(textFunctions(), listFunctions(), numberFunctions(), otherFunctions(), dateFunctions())
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

// valueOf binds an expression that must be a value of a type.
func (b *binder) valueOf(e *sql.Expr, t columnar.Type, s *scope) (*expr.Expr, error) {
	v, err := b.expr(e, s)
	if err != nil {
		return nil, err
	}
	return v.as(t, e.At)
}

// ofTypes binds a function of values of some types, one for each argument.
func ofTypes(op expr.Op, gives columnar.Type, takes ...columnar.Type) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			var err error
			if args[i], err = b.valueOf(a, takes[i], s); err != nil {
				return typed{}, err
			}
		}
		return typed{e: expr.Call(op, args...), t: gives}, nil
	}
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

func numberFunctions() []function {
	return []function{
		{[]string{"abs"}, "abs(number)", 1, 1, ofNumber(expr.OpAbs)},
		{[]string{"floor"}, "floor(number)", 1, 1, ofNumber(expr.OpFloor)},
		{[]string{"ceil", "ceiling"}, "ceil(number)", 1, 1, ofNumber(expr.OpCeil)},
		{[]string{"round"}, "round(number[, places])", 1, 2, toPlaces(expr.OpRound)},
		{[]string{"trunc"}, "trunc(number[, places])", 1, 2, toPlaces(expr.OpTrunc)},
		{[]string{"sign"}, "sign(number)", 1, 1, func(b *binder, e *sql.Expr, s *scope) (typed, error) {
			v, err := b.number(e.Args[0], s)
			return typed{e: expr.Call(expr.OpSign, v.floatOfWide().e), t: columnar.Int}, err
		}},
		{[]string{"mod"}, "mod(number, divisor)", 2, 2, func(b *binder, e *sql.Expr, s *scope) (typed, error) {
			return b.binary(&sql.Expr{Kind: sql.Binary, Text: "%", Args: e.Args, At: e.At}, s)
		}},
		{[]string{"sqrt"}, "sqrt(number)", 1, 1, ofFloats(expr.OpSqrt)},
		{[]string{"pow", "power"}, "pow(number, power)", 2, 2, ofFloats(expr.OpPow)},
		{[]string{"exp"}, "exp(number)", 1, 1, ofFloats(expr.OpExp)},
		{[]string{"ln"}, "ln(number)", 1, 1, ofFloats(expr.OpLn)},
		{[]string{"log10", "log"}, "log10(number)", 1, 1, ofFloats(expr.OpLog10)},
		{[]string{"log2"}, "log2(number)", 1, 1, ofFloats(expr.OpLog2)},
		{[]string{"cbrt"}, "cbrt(number)", 1, 1, ofFloats(expr.OpCbrt)},
		{[]string{"sin"}, "sin(radians)", 1, 1, ofFloats(expr.OpSin)},
		{[]string{"cos"}, "cos(radians)", 1, 1, ofFloats(expr.OpCos)},
		{[]string{"tan"}, "tan(radians)", 1, 1, ofFloats(expr.OpTan)},
		{[]string{"asin"}, "asin(number)", 1, 1, ofFloats(expr.OpAsin)},
		{[]string{"acos"}, "acos(number)", 1, 1, ofFloats(expr.OpAcos)},
		{[]string{"atan"}, "atan(number)", 1, 1, ofFloats(expr.OpAtan)},
		{[]string{"atan2"}, "atan2(y, x)", 2, 2, ofFloats(expr.OpAtan2)},
		{[]string{"radians"}, "radians(degrees)", 1, 1, times(math.Pi / 180)},
		{[]string{"degrees"}, "degrees(radians)", 1, 1, times(180 / math.Pi)},
		{[]string{"pi"}, "pi()", 0, 0, func(*binder, *sql.Expr, *scope) (typed, error) {
			return typed{e: expr.Float(math.Pi), t: columnar.Float}, nil
		}},
		{[]string{"greatest"}, "greatest(value, …)", 1, -1, bindExtreme(expr.OpGreatest)},
		{[]string{"least"}, "least(value, …)", 1, -1, bindExtreme(expr.OpLeast)},
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

// times binds a number as so many times itself.
func times(factor float64) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		v, err := b.number(e.Args[0], s)
		return typed{e: expr.Mul(expr.ToFloat(v.e), expr.Float(factor)), t: columnar.Float}, err
	}
}

// toPlaces binds a function that leaves so many places of a number, of an integer those
// before the point.
func toPlaces(op expr.Op) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		v, err := b.number(e.Args[0], s)
		if err != nil {
			return v, err
		}
		places := expr.Int(0)
		if len(e.Args) > 1 {
			if places, err = b.literalInt(e.Args[1], s, -20, "the number of places"); err != nil {
				return v, err
			}
		}
		if v = v.floatOfWide(); v.t == columnar.Int && places.Value.Int >= 0 {
			return v, nil
		}
		return typed{e: expr.Call(op, v.e, places), t: v.t}, nil
	}
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
		return typed{e: expr.Call(op, es...), t: t}, nil
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
