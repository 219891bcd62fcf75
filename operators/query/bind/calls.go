package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// call binds a function of a row. grouped binds aggregates.
func (s *scope) call(e *sql.Expr) typed {
	if e.Window != nil {
		return s.window(e)
	}
	if o := s.outer; o != nil && o.scope.groups != nil && isAggregate(e.Text) && s.onlyOuter(e) {
		return o.column(s.b, e) // it is an aggregate of the query around
	}
	plainCall(e, s)
	f := functions.Find(e.Text)
	if f == nil {
		if name, ok := strings.CutPrefix(e.Text, "list_"); ok && isAggregate(name) && len(e.Args) > 0 {
			return s.aggregateOf(name, e)
		}
		panic(unknownFunction(e))
	}
	f.checkCount(e)
	return f.bind(s, e)
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

// chance says what to write in place of functions whose values are others each time.
var chance = map[string]string{
	"random":          "Next: USING SAMPLE 10 draws rows, and hash(…) spreads values, the same each time.",
	"uuid":            "Next: md5(…) or row_number() OVER () names rows, the same each time.",
	"gen_random_uuid": "Next: md5(…) or row_number() OVER () names rows, the same each time.",
}

func unknownFunction(e *sql.Expr) error {
	if hint := chance[e.Text]; hint != "" {
		return sql.Unsupported(e.At, hint, "values by chance")
	}
	if f := windowFunctions.Find(e.Text); f != nil {
		return sql.Wrong(e.At, "Next: write "+f.Usage+" OVER (ORDER BY …).", "%s is a function of a window", e.Text)
	}
	if near := sql.Nearest(e.Text, FunctionNames()); near != "" {
		hint := "Did you mean " + near + "?"
		if f := functions.Find(near); f != nil {
			hint = "Did you mean " + f.Usage + "?"
		} else if f := windowFunctions.Find(near); f != nil {
			hint = "Did you mean " + f.Usage + " OVER (…)?"
		}
		return sql.Wrong(e.At, hint, "there is no function %s", e.Text)
	}
	return sql.Wrong(e.At, "“analyzer help functions” lists them.", "there is no function %s", e.Text)
}

// called is a function as statements call it. B is the type that binds it, which differs
// for functions of rows, of groups and of windows.
type called[B any] struct {
	registry.Doc
	least int // arguments
	most  int // arguments; -1 means any number
	bind  B
}

// checkCount refuses a call with too few or too many arguments.
func (f called[B]) checkCount(e *sql.Expr) {
	if n := len(e.Args); n < f.least || f.most >= 0 && n > f.most {
		panic(sql.Wrong(e.At, "", "it is %s", f.Usage))
	}
}

// function is a function of a row.
type function = called[binding]

// binding binds a call to a value. Most functions do not need it: they are an operation
// (expr.AllCalled) or a rewrite. It is for those that look at how their arguments are written.
type binding func(s *scope, e *sql.Expr) typed

// functions are the functions of a row. Each file adds its own, as to the registries of
// aggregates and window functions.
var functions = registry.New(namesOf[binding])

func namesOf[B any](f *called[B]) []string { return f.Names }

func init() {
	functions.Add(func() []function { return each(expr.AllCalled(), operation) })
}

// operation is a function that is an operation.
func operation(o expr.Called) function {
	signatures, many := o.Op.Signatures()
	f := function{Doc: o.Doc, least: len(signatures[0].Takes), most: len(signatures[0].Takes), bind: ofOp(o.Op)}
	if many {
		f.most = -1
	}
	return f
}

// described is a function of a row with its documentation: its names, of which the usage begins with the
// first, and an example with its value.
func described(group registry.Group, names, usage, help, example, value string, least, most int, bind binding) function {
	called := strings.Fields(names)
	return function{
		Doc:   registry.Doc{Group: group, Names: called, Usage: called[0] + usage, Help: help, Example: example, Value: value},
		least: least, most: most, bind: bind,
	}
}

// FunctionNames returns the names of all aggregates, functions and window functions.
func FunctionNames() []string {
	return slices.Concat(each(documentation(), func(d registry.Doc) []string { return d.Names })...)
}

// rowCall is a call of a function of a row whose arguments are bound.
type rowCall struct {
	name string
	at   sql.Span
	args []typed
}

// rewritten binds a function that is made of other operations.
func rewritten(rewrite func(c rowCall) typed) binding {
	return func(s *scope, e *sql.Expr) typed {
		return rewrite(rowCall{e.Text, e.At, s.values(e.Args)})
	}
}

// ofOp binds an operation.
func ofOp(op expr.Op) binding {
	return rewritten(func(c rowCall) typed { return c.as(op) })
}

// as is a call of an operation, with the arguments cast to those of one of its signatures: from
// the first argument on, each to its own type, or otherwise to the first type that it can become.
func (c rowCall) as(op expr.Op) typed {
	left, many := op.Signatures()
	if many {
		return c.asCommon(op, left)
	}
	types := typesIn(c.args)
	left = each(left, func(s registry.Signature) registry.Signature { return s.Of(types) })
	args := make([]*expr.Expr, len(c.args))
	for i, v := range c.args {
		v = v.among(each(left, func(s registry.Signature) columnar.Type { return s.Takes[i] }))
		left = slices.DeleteFunc(slices.Clone(left), func(s registry.Signature) bool { return s.Takes[i] != v.t })
		args[i] = v.e
	}
	return typed{e: expr.Call(op, args...), t: left[0].Gives}
}

// asCommon is a call of an operation that takes any number of arguments of one type.
func (c rowCall) asCommon(op expr.Op, signatures []registry.Signature) typed {
	args, t := common(c.args)
	signatures = each(signatures, func(s registry.Signature) registry.Signature { return s.Of([]columnar.Type{t}) })
	i := slices.IndexFunc(signatures, func(s registry.Signature) bool { return s.Takes[0] == t })
	if i < 0 {
		panic(sql.Unsupported(c.at, "", c.name+" of "+TypeName(t)))
	}
	return typed{e: expr.Call(op, args...), t: signatures[i].Gives}
}

// typesIn returns the types of values, Invalid for NULL.
func typesIn(values []typed) []columnar.Type {
	return each(values, func(v typed) columnar.Type {
		if v.null {
			return columnar.Invalid
		}
		return v.t
	})
}

// among converts a value implicitly to one of several types. Where one of them is DOUBLE it may
// be any number, and where they are lists, any of those lists.
func (v typed) among(types []columnar.Type) typed {
	switch {
	case !v.null && slices.Contains(types, v.t):
		return v
	case slices.Contains(types, columnar.Float):
		if v = asNumber(v); !slices.Contains(types, v.t) {
			v = typed{e: expr.ToFloat(v.e), t: columnar.Float}
		}
		return v
	case types[0].Item() != columnar.Invalid:
		v = asList(v)
	}
	if t := types[0]; v.null || !slices.Contains(types, v.t) {
		return typed{e: v.as(t), t: t}
	}
	return v
}

// valueOf binds an expression that must be a value of a type.
func (s *scope) valueOf(e *sql.Expr, t columnar.Type) *expr.Expr {
	return s.expr(e).as(t)
}

// onNumber binds a function that is made of operations on a number.
func onNumber(of func(n typed) typed) binding { return on(asNumber, of) }

// onTime binds one of a date or timestamp, and onList one of a list.
func onTime(of func(v typed) typed) binding    { return on(typed.asTime, of) }
func onList(of func(list typed) typed) binding { return on(asList, of) }

func on(as, of func(v typed) typed) binding {
	return rewritten(func(c rowCall) typed { return of(as(c.args[0])) })
}

// literalInt binds an expression that must be a constant integer of at least least.
func (s *scope) literalInt(e *sql.Expr, least int64, what string) int64 {
	n := s.expr(e).e.Fold().Literal()
	if n == nil || n.Type != columnar.Int || n.Int < least {
		panic(sql.Wrong(e.At, "", "%s must be a number from %d on", what, least))
	}
	return n.Int
}

// values binds several expressions.
func (s *scope) values(args []*sql.Expr) []typed {
	return each(args, func(a *sql.Expr) typed { return s.expr(a) })
}
