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
	if o := s.outer; o != nil && o.scope.groups != nil && isAggregate(e.Text) && s.onlyOuter(e) {
		return o.column(b, e) // it is an aggregate of the query around
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

	help    string // the result in one line
	example string // a call: of a function of a row by itself, of others over the rows of DocRows
	value   string // of the example, "" if it depends on the time; of a window function in all rows

	bind B
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
		{
			names: []string{"abs"}, usage: "abs(number)", least: 1, most: 1,
			help:    "a number without its sign",
			example: "abs(-2.5)", value: "2.5",
			bind: ofNumber(expr.OpAbs),
		},
		{
			names: []string{"floor"}, usage: "floor(number)", least: 1, most: 1,
			help:    "the next lower whole number",
			example: "floor(-2.5)", value: "-3",
			bind: ofNumber(expr.OpFloor),
		},
		{
			names: []string{"ceil", "ceiling"}, usage: "ceil(number)", least: 1, most: 1,
			help:    "the next higher whole number",
			example: "ceil(2.1)", value: "3",
			bind: ofNumber(expr.OpCeil),
		},
		{
			names: []string{"round"}, usage: "round(number[, places])", least: 1, most: 2,
			help:    "a number rounded to places after the decimal point; halves go away from zero",
			example: "round(2.345, 2)", value: "2.35",
			bind: toPlaces(expr.OpRound),
		},
		{
			names: []string{"trunc"}, usage: "trunc(number[, places])", least: 1, most: 2,
			help:    "a number cut to places after the decimal point",
			example: "trunc(2.345, 2)", value: "2.34",
			bind: toPlaces(expr.OpTrunc),
		},
		{
			names: []string{"sign"}, usage: "sign(number)", least: 1, most: 1,
			help:    "-1, 0 or 1, as the number is below, at or above zero",
			example: "sign(-7)", value: "-1",
			bind: onNumber(func(n typed) typed { return intOf(expr.Call(expr.OpSign, n.floatOfWide().e)) }),
		},
		{
			names: []string{"mod"}, usage: "mod(number, divisor)", least: 2, most: 2,
			help:    "the remainder of a division, with the sign of the number",
			example: "mod(-7, 3)", value: "-1",
			bind: func(b *binder, e *sql.Expr, s *scope) typed {
				return b.binary(&sql.Expr{Kind: sql.Binary, Text: "%", Args: e.Args, At: e.At}, s)
			},
		},
		{
			names: []string{"sqrt"}, usage: "sqrt(number)", least: 1, most: 1,
			help:    "the square root",
			example: "sqrt(9)", value: "3",
			bind: ofFloats(expr.OpSqrt),
		},
		{
			names: []string{"pow", "power"}, usage: "pow(number, power)", least: 2, most: 2,
			help:    "a number to a power",
			example: "pow(2, 10)", value: "1024",
			bind: ofFloats(expr.OpPow),
		},
		{
			names: []string{"exp"}, usage: "exp(number)", least: 1, most: 1,
			help:    "e to a power",
			example: "exp(0)", value: "1",
			bind: ofFloats(expr.OpExp),
		},
		{
			names: []string{"ln"}, usage: "ln(number)", least: 1, most: 1,
			help:    "the natural logarithm",
			example: "ln(1)", value: "0",
			bind: ofFloats(expr.OpLn),
		},
		{
			names: []string{"log10", "log"}, usage: "log10(number)", least: 1, most: 1,
			help:    "the logarithm to base 10",
			example: "log10(1000)", value: "3",
			bind: ofFloats(expr.OpLog10),
		},
		{
			names: []string{"log2"}, usage: "log2(number)", least: 1, most: 1,
			help:    "the logarithm to base 2",
			example: "log2(8)", value: "3",
			bind: ofFloats(expr.OpLog2),
		},
		{
			names: []string{"cbrt"}, usage: "cbrt(number)", least: 1, most: 1,
			help:    "the cube root",
			example: "cbrt(27)", value: "3",
			bind: ofFloats(expr.OpCbrt),
		},
		{
			names: []string{"sin"}, usage: "sin(radians)", least: 1, most: 1,
			help:    "the sine of an angle",
			example: "sin(0)", value: "0",
			bind: ofFloats(expr.OpSin),
		},
		{
			names: []string{"cos"}, usage: "cos(radians)", least: 1, most: 1,
			help:    "the cosine of an angle",
			example: "cos(0)", value: "1",
			bind: ofFloats(expr.OpCos),
		},
		{
			names: []string{"tan"}, usage: "tan(radians)", least: 1, most: 1,
			help:    "the tangent of an angle",
			example: "tan(0)", value: "0",
			bind: ofFloats(expr.OpTan),
		},
		{
			names: []string{"asin"}, usage: "asin(number)", least: 1, most: 1,
			help:    "the angle whose sine it is",
			example: "asin(0)", value: "0",
			bind: ofFloats(expr.OpAsin),
		},
		{
			names: []string{"acos"}, usage: "acos(number)", least: 1, most: 1,
			help:    "the angle whose cosine it is",
			example: "acos(1)", value: "0",
			bind: ofFloats(expr.OpAcos),
		},
		{
			names: []string{"atan"}, usage: "atan(number)", least: 1, most: 1,
			help:    "the angle whose tangent it is",
			example: "atan(0)", value: "0",
			bind: ofFloats(expr.OpAtan),
		},
		{
			names: []string{"atan2"}, usage: "atan2(y, x)", least: 2, most: 2,
			help:    "the angle of a point with these coordinates",
			example: "atan2(0, 1)", value: "0",
			bind: ofFloats(expr.OpAtan2),
		},
		{
			names: []string{"radians"}, usage: "radians(degrees)", least: 1, most: 1,
			help:    "degrees as radians",
			example: "radians(180)", value: "3.141592653589793",
			bind: times(math.Pi / 180),
		},
		{
			names: []string{"degrees"}, usage: "degrees(radians)", least: 1, most: 1,
			help:    "radians as degrees",
			example: "degrees(pi())", value: "180",
			bind: times(180 / math.Pi),
		},
		{
			names: []string{"xor"}, usage: "xor(integer, integer)", least: 2, most: 2,
			help:    "the bits that are set in exactly one of two integers",
			example: "xor(6, 3)", value: "5",
			bind: ofOp(expr.OpBitXor),
		},
		{
			names: []string{"bit_count"}, usage: "bit_count(integer)", least: 1, most: 1,
			help:    "how many bits of an integer are set",
			example: "bit_count(7)", value: "3",
			bind: ofOp(expr.OpBitCount),
		},
		{
			names: []string{"pi"}, usage: "pi()", least: 0, most: 0,
			help:    "the number pi",
			example: "pi()", value: "3.141592653589793",
			bind: func(*binder, *sql.Expr, *scope) typed { return typed{e: expr.Float(math.Pi), t: columnar.Float} },
		},
		{
			names: []string{"greatest"}, usage: "greatest(value, …)", least: 1, most: -1,
			help:    "the greatest of the values that are not NULL",
			example: "greatest(3, NULL, 7)", value: "7",
			bind: bindExtreme(expr.OpGreatest),
		},
		{
			names: []string{"least"}, usage: "least(value, …)", least: 1, most: -1,
			help:    "the least of the values that are not NULL",
			example: "least(3, NULL, 7)", value: "3",
			bind: bindExtreme(expr.OpLeast),
		},
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
		{
			names: []string{"coalesce"}, usage: "coalesce(value, …)", least: 1, most: -1,
			help:    "the first of the values that is not NULL",
			example: "coalesce(NULL, 2, 3)", value: "2",
			bind: bindCoalesce,
		},
		{
			names: []string{"ifnull"}, usage: "ifnull(value, otherwise)", least: 2, most: 2,
			help:    "a value, or the other one where it is NULL",
			example: "ifnull(NULL, 0)", value: "0",
			bind: bindCoalesce,
		},
		{
			names: []string{"nullif"}, usage: "nullif(value, other)", least: 2, most: 2,
			help:    "a value, or NULL where it equals the other one",
			example: "nullif(3, 3)", value: "NULL",
			bind: bindNullIf,
		},
		{
			names: []string{"if", "iff"}, usage: "if(condition, value, otherwise)", least: 3, most: 3,
			help:    "a value where the condition is true, and otherwise the other one",
			example: "if(2 > 1, 'yes', 'no')", value: "yes",
			bind: bindIf,
		},
		{
			names: []string{"typeof"}, usage: "typeof(value)", least: 1, most: 1,
			help:    "the name of a value's type",
			example: "typeof(1.5)", value: "DECIMAL",
			bind: on((*binder).expr, func(v typed) typed { return typed{e: expr.Str(TypeName(v.t)), t: columnar.Text} }),
		},
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
