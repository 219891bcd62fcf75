package scalar

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// Call binds a function of a row.
func (s *Scope) Call(e *sql.Expr) Value {
	f := Functions.Find(e.Text)
	f.CheckCount(e)
	return f.Bind(s, comparing(e))
}

// Called is a function as statements call it. B is the type that binds it, which differs
// for functions of rows, of groups and of windows.
type Called[B any] struct {
	registry.Doc
	Least int // arguments
	Most  int // arguments; -1 means any number
	Bind  B
}

// CheckCount refuses a call with too few or too many arguments.
func (f Called[B]) CheckCount(e *sql.Expr) {
	if n := len(e.Args); n < f.Least || f.Most >= 0 && n > f.Most {
		hint := "Next: write " + f.Usage + "."
		switch {
		case e.Text == "date_sub" && n > 1 && e.Args[n-1].Kind == sql.Interval:
			hint = "Next: write date - INTERVAL 7 DAY."
		case e.Text == "to_timestamp" && n == 2:
			hint = "Next: write strptime(text, '%Y-%m-%d %H:%M')."
		case e.Distinct && f.Most == 1:
			hint = "Next: write " + e.Text + "(DISTINCT (a, b)), of rows of several values."
		}
		panic(sql.Certainly(e.At, hint, "%s takes other arguments", e.Text))
	}
}

// Function is a function of a row.
type Function = Called[Binding]

// Binding binds a call to a value. Most functions do not need it: they are an operation
// (expr.AllCalled) or a rewrite. It is for those that look at how their arguments are written.
type Binding func(s *Scope, e *sql.Expr) Value

// Functions are the functions of a row. Each file adds its own, as to the registries of
// aggregates and window functions.
var Functions = registry.New(NamesOf[Binding])

// NamesOf returns the names by which a registry finds a function.
func NamesOf[B any](f *Called[B]) []string { return f.Names }

func init() {
	Functions.Add(func() []Function { return columnar.Each(expr.AllCalled(), operation) })
}

// operation is a function that is an operation.
func operation(o expr.Called) Function { return Documented(o.Doc, ofOp(o.Op)) }

// Documented is a function that takes as many arguments as its usage says.
func Documented[B any](doc registry.Doc, bind B) Called[B] {
	least, most := doc.Counts()
	return Called[B]{Doc: doc, Least: least, Most: most, Bind: bind}
}

// Taking is the function with other counts of arguments than its usage says.
func (f Called[B]) Taking(least, most int) Called[B] {
	f.Least, f.Most = least, most
	return f
}

// used is the function with another usage than its parameters say.
func (f Called[B]) used(usage string) Called[B] {
	f.Usage = usage
	return Documented(f.Doc, f.Bind)
}

// Described is a function with its documentation, as registry.Group.Doc takes it.
func Described[B any](group registry.Group, names, usage, help, example, value string, bind B) Called[B] {
	return Documented(group.Doc(names, usage, help, example, value), bind)
}

// describing makes an entry of a function of a row with its documentation.
type describing func(names, usage, help, example, value string, bind Binding) Function

// in makes entries of a group.
func in(group registry.Group) describing {
	return func(names, usage, help, example, value string, bind Binding) Function {
		return Described(group, names, usage, help, example, value, bind)
	}
}

// rowCall is a call of a function of a row whose arguments are bound.
type rowCall struct {
	name string
	at   sql.Span
	args []Value
}

// rewritten binds a function that is made of other operations.
func rewritten(rewrite func(c rowCall) Value) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		return rewrite(rowCall{e.Text, e.At, s.values(e.Args)})
	}
}

// made is the entry of a function that is made of other operations.
func (d describing) made(names, usage, help, example, value string, of func(c rowCall) Value) Function {
	return d(names, usage, help, example, value, rewritten(of))
}

// ofOp binds an operation.
func ofOp(op expr.Op) Binding {
	return rewritten(func(c rowCall) Value { return c.as(op) })
}

// as is a call of an operation, with the arguments cast to those of one of its signatures: from
// the first argument on, each to its own type, or otherwise to the first type that it can become.
func (c rowCall) as(op expr.Op) Value {
	left, many := op.Signatures()
	if many {
		return c.asCommon(op, left)
	}
	types := typesIn(c.args)
	left = columnar.Each(left, func(s registry.Signature) registry.Signature { return s.Of(types) })
	args := make([]*expr.Expr, len(c.args))
	for i, v := range c.args {
		v = v.Among(columnar.Each(left, func(s registry.Signature) columnar.Type { return s.Takes[i] }))
		left = columnar.Only(left, func(s registry.Signature) bool { return s.Takes[i] == v.Type })
		args[i] = v.Expr
	}
	return Value{Expr: expr.Call(op, args...), Type: left[0].Gives}
}

// asCommon is a call of an operation that takes any number of arguments of one type.
func (c rowCall) asCommon(op expr.Op, signatures []registry.Signature) Value {
	args, like := CommonLike(c.args)
	t := like.Type
	signatures = columnar.Each(signatures, func(s registry.Signature) registry.Signature { return s.Of([]columnar.Type{t}) })
	i := slices.IndexFunc(signatures, func(s registry.Signature) bool { return s.Takes[0] == t })
	if i < 0 {
		panic(sql.UnsupportedTypes(c.at, "", c.name+" of "+TypeName(t)))
	}
	return Value{Expr: expr.Call(op, args...), Type: signatures[i].Gives, JSON: like.JSON && signatures[i].Gives == t}
}

// typesIn returns the types of values, Invalid for NULL.
func typesIn(values []Value) []columnar.Type {
	return columnar.Each(values, func(v Value) columnar.Type {
		if v.Null {
			return columnar.Invalid
		}
		return v.Type
	})
}

// Among converts a value implicitly to one of several types. Where one of them is DOUBLE it may
// be any number, and where they are lists, any of those lists.
func (v Value) Among(types []columnar.Type) Value {
	switch {
	case !v.Null && slices.Contains(types, v.Type):
		return v
	case slices.Contains(types, columnar.Float):
		if v = AsNumber(v); !slices.Contains(types, v.Type) {
			v = FloatOf(expr.ToFloat(v.Expr))
		}
		return v
	case types[0].Item() != columnar.Invalid && !v.Null:
		v = asList(v)
	}
	if t := types[0]; v.Null || !slices.Contains(types, v.Type) {
		return Value{Expr: v.As(t), Type: t}
	}
	return v
}

// ValueOf binds an expression that must be a value of a type.
func (s *Scope) ValueOf(e *sql.Expr, t columnar.Type) *expr.Expr {
	return s.Expr(e).As(t)
}

// onNumber binds a function that is made of operations on a number.
func onNumber(of func(n Value) Value) Binding { return on(AsNumber, of) }

// onTime binds one of a date or timestamp, and onList one of a list.
func onTime(of func(v Value) Value) Binding    { return on(Value.asTime, of) }
func onList(of func(list Value) Value) Binding { return on(asList, of) }

func on(as, of func(v Value) Value) Binding {
	return rewritten(func(c rowCall) Value { return of(as(c.args[0])) })
}

// LiteralInt binds an expression that must be a constant integer of at least least.
func (s *Scope) LiteralInt(e *sql.Expr, least int64, what string) int64 {
	n := s.Expr(e).Expr.Fold().Literal()
	if n == nil || n.Type != columnar.Int || n.Int < least {
		panic(sql.Wrong(e.At, "", "%s must be a number from %d on", what, least))
	}
	return n.Int
}

// values binds several expressions.
func (s *Scope) values(args []*sql.Expr) []Value {
	return columnar.Each(args, func(a *sql.Expr) Value { return s.Roomed(s.Expr(a)) })
}
