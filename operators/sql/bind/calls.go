package bind

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

// call binds a function of a row. grouped binds aggregates.
func (b *binder) call(e *sql.Expr, s *scope) typed {
	if e.Window != nil {
		return b.window(e, s)
	}
	plainCall(e, s)
	f, ok := known().functions[e.Text]
	if !ok {
		panic(unknownFunction(e))
	}
	f.checkCount(e)
	return f.bind(b, e, s)
}

// plainCall refuses clauses that only aggregates take, and aggregates where none are allowed.
func plainCall(e *sql.Expr, s *scope) {
	switch {
	case isAggregate(e.Text) && s.clause != "":
		panic(sql.Wrong(e.At, "", "the aggregate %s cannot stand in %s", e.Text, s.clause))
	case isAggregate(e.Text):
		panic(sql.Wrong(e.At, "", "aggregates cannot stand within aggregates"))
	case e.IgnoreNulls:
		panic(ignoresNulls(e))
	case e.Distinct, e.Filter != nil, len(e.Order) > 0:
		panic(sql.Wrong(e.At, "", "%s is no aggregate: DISTINCT, ORDER BY and FILTER cannot stand with it", e.Text))
	}
}

func unknownFunction(e *sql.Expr) error {
	if f, ok := known().windows[e.Text]; ok {
		return sql.Wrong(e.At, "Next: write "+f.usage+" OVER (ORDER BY …).", "%s is a function of a window", e.Text)
	}
	if near := sql.Nearest(e.Text, FunctionNames()); near != "" {
		hint := "Did you mean " + near + "?"
		if f, ok := known().functions[near]; ok {
			hint = "Did you mean " + f.usage + "?"
		} else if f, ok := known().windows[near]; ok {
			hint = "Did you mean " + f.usage + " OVER (…)?"
		}
		return sql.Wrong(e.At, hint, "there is no function %s", e.Text)
	}
	return sql.Wrong(e.At, "“analyzer help functions” lists them.", "there is no function %s", e.Text)
}

// called is a function as statements call it. B is the type that binds it, which differs
// for functions of rows, of groups and of windows.
type called[B any] struct {
	names []string
	usage string
	least int // arguments
	most  int // arguments; -1 means any number
	bind  B
}

// checkCount refuses a call with too few or too many arguments.
func (f called[B]) checkCount(e *sql.Expr) {
	if n := len(e.Args); n < f.least || f.most >= 0 && n > f.most {
		panic(sql.Wrong(e.At, "", "it is %s", f.usage))
	}
}

func byName[B any](all []called[B]) map[string]called[B] {
	known := make(map[string]called[B])
	for _, f := range all {
		for _, name := range f.names {
			known[name] = f
		}
	}
	return known
}

func namesIn[B any](all []called[B]) []string {
	return slices.Concat(each(all, func(f called[B]) []string { return f.names })...)
}

// function is a function of a row.
type function = called[binding]

// binding binds a call to a value.
type binding func(b *binder, e *sql.Expr, s *scope) typed

// knownFunctions are the functions by name. They are made for the first statement, not at
// startup, which takes microseconds; from then on they are read only.
type knownFunctions struct {
	sync.Once
	functions  map[string]function
	aggregates map[string]aggregateFunction
	windows    map[string]windowFunction
}

var madeOnce knownFunctions

func known() *knownFunctions {
	k := &madeOnce
	k.Do(func() {
		k.functions, k.aggregates, k.windows = byName(functions()), byName(aggregateFunctions()), byName(windowFunctions())
		for _, name := range unknownAggregates() {
			k.aggregates[name] = aggregateFunction{}
		}
	})
	return k
}

// functions returns all functions but the aggregates.
func functions() []function {
	return slices.Concat(textFunctions(), listFunctions(), numberFunctions(), otherFunctions(), dateFunctions())
}

// FunctionNames returns the names of all aggregates, functions and window functions.
func FunctionNames() []string {
	return slices.Concat(namesIn(aggregateFunctions()), namesIn(functions()), namesIn(windowFunctions()))
}

// valueOf binds an expression that must be a value of a type.
func (b *binder) valueOf(e *sql.Expr, t columnar.Type, s *scope) *expr.Expr {
	return b.expr(e, s).as(t)
}

// ofOp binds a function that is an operation with a single signature.
func ofOp(op expr.Op) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed {
		gives, takes, ok := op.Signature()
		if !ok || len(takes) != len(e.Args) {
			panic(fmt.Errorf("%s does not take %d arguments of one type each", op, len(e.Args)))
		}
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = b.valueOf(a, takes[i], s)
		}
		return typed{e: expr.Call(op, args...), t: gives}
	}
}

// on binds a function of its last argument: as binds the argument, and of makes the result.
func on(as func(b *binder, e *sql.Expr, s *scope) typed, of func(v typed) typed) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed { return of(as(b, e.Args[len(e.Args)-1], s)) }
}

func onNumber(of func(n typed) typed) binding  { return on((*binder).number, of) }
func onTime(of func(v typed) typed) binding    { return on((*binder).time, of) }
func onList(of func(list typed) typed) binding { return on((*binder).listOf, of) }

// literalInt binds an expression that must be a constant integer of at least least.
func (b *binder) literalInt(e *sql.Expr, s *scope, least int64, what string) int64 {
	n := b.expr(e, s).e.Fold().Literal()
	if n == nil || n.Type != columnar.Int || n.Int < least {
		panic(sql.Wrong(e.At, "", "%s must be a number from %d on", what, least))
	}
	return n.Int
}

func numberFunctions() []function {
	return []function{
		{[]string{"abs"}, "abs(number)", 1, 1, ofNumber(expr.OpAbs)},
		{[]string{"floor"}, "floor(number)", 1, 1, ofNumber(expr.OpFloor)},
		{[]string{"ceil", "ceiling"}, "ceil(number)", 1, 1, ofNumber(expr.OpCeil)},
		{[]string{"round"}, "round(number[, places])", 1, 2, toPlaces(expr.OpRound)},
		{[]string{"trunc"}, "trunc(number[, places])", 1, 2, toPlaces(expr.OpTrunc)},
		{[]string{"sign"}, "sign(number)", 1, 1, onNumber(func(n typed) typed { return intOf(expr.Call(expr.OpSign, n.floatOfWide().e)) })},
		{[]string{"mod"}, "mod(number, divisor)", 2, 2, func(b *binder, e *sql.Expr, s *scope) typed {
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
		{[]string{"xor"}, "xor(integer, integer)", 2, 2, ofOp(expr.OpBitXor)},
		{[]string{"bit_count"}, "bit_count(integer)", 1, 1, ofOp(expr.OpBitCount)},
		{[]string{"pi"}, "pi()", 0, 0, func(*binder, *sql.Expr, *scope) typed { return typed{e: expr.Float(math.Pi), t: columnar.Float} }},
		{[]string{"greatest"}, "greatest(value, …)", 1, -1, bindExtreme(expr.OpGreatest)},
		{[]string{"least"}, "least(value, …)", 1, -1, bindExtreme(expr.OpLeast)},
	}
}

// ofNumber binds a function of a number that keeps its type. It leaves integers as they are,
// except for abs.
func ofNumber(op expr.Op) binding {
	return onNumber(func(n typed) typed {
		if n = n.floatOfWide(); n.t == columnar.Int && op != expr.OpAbs {
			return n
		}
		return typed{e: expr.Call(op, n.e), t: n.t}
	})
}

// ofFloats binds a function of floats.
func ofFloats(op expr.Op) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed {
		args := each(e.Args, func(a *sql.Expr) *expr.Expr { return expr.ToFloat(b.number(a, s).e) })
		return typed{e: expr.Call(op, args...), t: columnar.Float}
	}
}

// times binds a function that multiplies a number by a factor.
func times(factor float64) binding {
	return onNumber(func(n typed) typed {
		return typed{e: expr.Mul(expr.ToFloat(n.e), expr.Float(factor)), t: columnar.Float}
	})
}

// toPlaces binds a function that rounds a number to so many decimal places. An integer changes
// only if the places are negative.
func toPlaces(op expr.Op) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed {
		v := b.number(e.Args[0], s)
		places := int64(0)
		if len(e.Args) > 1 {
			places = b.literalInt(e.Args[1], s, -20, "the number of places")
		}
		if v = v.floatOfWide(); v.t == columnar.Int && places >= 0 {
			return v
		}
		return typed{e: expr.Call(op, v.e, expr.Int(places)), t: v.t}
	}
}

// bindExtreme binds the greatest or least of several values, ignoring nulls.
func bindExtreme(op expr.Op) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed {
		es, t := b.common(b.values(e.Args, s))
		noList(t, e.At, e.Text)
		return typed{e: expr.Call(op, es...), t: t}
	}
}

func (b *binder) values(args []*sql.Expr, s *scope) []typed {
	return each(args, func(a *sql.Expr) typed { return b.expr(a, s) })
}

func otherFunctions() []function {
	return []function{
		{[]string{"coalesce"}, "coalesce(value, …)", 1, -1, bindCoalesce},
		{[]string{"ifnull"}, "ifnull(value, otherwise)", 2, 2, bindCoalesce},
		{[]string{"nullif"}, "nullif(value, other)", 2, 2, bindNullIf},
		{[]string{"if", "iff"}, "if(condition, value, otherwise)", 3, 3, bindIf},
		{[]string{"typeof"}, "typeof(value)", 1, 1, on((*binder).expr, func(v typed) typed { return typed{e: expr.Str(TypeName(v.t)), t: columnar.Text} })},
	}
}

func bindCoalesce(b *binder, e *sql.Expr, s *scope) typed {
	values := b.values(e.Args, s)
	last := len(values) - 1
	conditions := each(values[:last], func(v typed) *expr.Expr { return expr.Not(expr.IsNull(v.e)) })
	return b.choose(conditions, values)
}

func bindNullIf(b *binder, e *sql.Expr, s *scope) typed {
	values := b.values(e.Args, s)
	return b.choose([]*expr.Expr{b.compare(expr.OpEq, values[0], values[1])}, []typed{nullAt(e.At), values[0]})
}

func bindIf(b *binder, e *sql.Expr, s *scope) typed {
	return b.choose([]*expr.Expr{b.condition(e.Args[0], s)}, b.values(e.Args[1:], s))
}
