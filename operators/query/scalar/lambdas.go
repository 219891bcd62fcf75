package scalar

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(lambdaFunctions) }

func lambdaFunctions() []Function {
	lists := in(registry.Lists)
	return []Function{
		lists("list_transform array_transform list_apply array_apply apply", "(list, lambda x[, position]: value)", "the list of what a lambda makes of each item; also written [value FOR x IN list IF condition]",
			"list_transform([1, 2, 3], lambda x: x * 10)", "[10, 20, 30]", bindTransform).Taking(2, 2),
		lists("list_filter array_filter filter", "(list, lambda x[, position]: condition)", "the items for which a condition is true",
			"list_filter([1, 2, 3], lambda x: x > 1)", "[2, 3]", bindListFilter).Taking(2, 2),
		lists("list_reduce array_reduce reduce", "(list, lambda made, x[, position]: value[, first])", "what a lambda makes of the first item, or value, and the next one, then of that and the one behind it, and so on",
			"list_reduce([1, 2, 3], lambda made, x: made + x)", "6", bindReduce).Taking(2, 3),
	}
}

// parameter is a linked list of the parameters of lambdas.
type parameter struct {
	name  string // in lower case
	value Value
	outer *parameter
}

// parameter returns the parameter of a lambda that an expression is, nil if it is none.
func (s *Scope) parameter(e *sql.Expr) *Value {
	if e.Kind != sql.Column || len(e.Path) > 1 {
		return nil
	}
	for p := s.parameters; p != nil; p = p.outer {
		if strings.EqualFold(p.name, e.Path[0]) {
			return &p.value
		}
	}
	return nil
}

// parameterField returns the field of a struct that is the parameter of a lambda, as x.name.
func (s *Scope) parameterField(e *sql.Expr) (v Value, ok bool) {
	if e.Kind != sql.Column || len(e.Path) < 2 {
		return v, false
	}
	of := s.parameter(&sql.Expr{Kind: sql.Column, Path: e.Path[:1]})
	if of == nil || !HasFields(of.Type) {
		return v, false
	}
	return s.FieldPath(*of, e.Path[1:], e.At), true
}

// IsParameter reports whether an expression is the parameter of a lambda around.
func (s *Scope) IsParameter(e *sql.Expr) bool { return s.parameter(e) != nil }

func noLambda(e *sql.Expr) error {
	return sql.Unsupported(e.At, "Next: give it to list_transform, list_filter or list_reduce.", "lambdas here")
}

// Lambda binds the expression of a lambda, whose parameters are values in their order. Not all need
// a name.
func (s *Scope) Lambda(e *sql.Expr, values ...Value) Value {
	if e.Kind != sql.Lambda {
		panic(sql.Wrong(e.At, "Next: write lambda x: x + 1, or x -> x + 1.", "a lambda is needed"))
	}
	if len(e.Path) > len(values) {
		panic(sql.Wrong(e.At, "", "this lambda has up to %d parameters, not %d", len(values), len(e.Path)))
	}
	in := *s
	in.inLambda = true
	for i, name := range e.Path {
		in.parameters = &parameter{strings.ToLower(name), values[i], in.parameters}
	}
	return in.Expr(e.Args[0])
}

// itemOf binds a list, and makes variables for an item of it and its position. The items of NULL
// and [] have no type.
func (s *Scope) itemOf(e *sql.Expr) (list, variable, item, position Value) {
	list = s.Expr(e)
	bare := list.Null || list.bare()
	if bare {
		list.Expr, list.Type, list.Null, list.Untyped = list.As(columnar.IntList), columnar.IntList, false, nil
	}
	list = asList(list)
	variable, position = s.variable(list.Type.Item()), s.variable(columnar.Int)
	if item = variable; bare {
		item = NullAt(e.At)
	}
	return list, variable, item, position
}

func bindTransform(s *Scope, e *sql.Expr) Value {
	list, variable, item, position := s.itemOf(e.Args[0])
	value := s.Lambda(e.Args[1], item, position)
	t := columnar.ListOf(value.Type)
	if t == columnar.Invalid {
		panic(NoListOf(value.Type, e.At))
	}
	return Value{Expr: expr.Call(expr.OpListTransform, list.Expr, variable.Expr, position.Expr, value.As(value.Type)), Type: t, JSON: value.IsJSON()}
}

func bindListFilter(s *Scope, e *sql.Expr) Value {
	list, variable, item, position := s.itemOf(e.Args[0])
	condition := s.Lambda(e.Args[1], item, position).AsCondition()
	return Value{Expr: expr.Call(expr.OpListFilter, list.Expr, variable.Expr, position.Expr, condition), Type: list.Type}
}

// bindReduce binds list_reduce. Without a first value, that is the first item.
func bindReduce(s *Scope, e *sql.Expr) Value {
	list, variable, item, position := s.itemOf(e.Args[0])
	first, second := list.item(1), IntOf(expr.Add(position.Expr, expr.Int(1)))
	if len(e.Args) > 2 {
		given := s.Expr(e.Args[2])
		both, t := Common([]Value{given, {Expr: expr.Null(list.Type.Item()), Type: list.Type.Item()}})
		first, second = Value{Expr: both[0], Type: t}, position
	} else {
		list.Expr = expr.Call(expr.OpSlice, list.Expr, expr.Int(2), expr.Int(1<<40))
	}
	made := s.variable(first.Type)
	value := s.Lambda(e.Args[1], made, item, second).As(first.Type)
	return Value{Expr: expr.Call(expr.OpListReduce, list.Expr, first.Expr, made.Expr, variable.Expr, position.Expr, value), Type: first.Type}
}
