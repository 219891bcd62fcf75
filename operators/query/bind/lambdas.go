package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { functions.Add(lambdaFunctions) }

func lambdaFunctions() []function {
	return []function{
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_transform", "array_transform", "list_apply", "array_apply", "apply"}, Usage: "list_transform(list, lambda x[, position]: value)",
				Help:    "the list of what a lambda makes of each item; also written [value FOR x IN list IF condition]",
				Example: "list_transform([1, 2, 3], lambda x: x * 10)", Value: "[10, 20, 30]",
			},
			least: 2, most: 2, bind: bindTransform,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_filter", "array_filter", "filter"}, Usage: "list_filter(list, lambda x[, position]: condition)",
				Help:    "the items for which a condition is true",
				Example: "list_filter([1, 2, 3], lambda x: x > 1)", Value: "[2, 3]",
			},
			least: 2, most: 2, bind: bindListFilter,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_reduce", "array_reduce", "reduce"}, Usage: "list_reduce(list, lambda made, x[, position]: value[, first])",
				Help:    "what a lambda makes of the first item, or value, and the next one, then of that and the one behind it, and so on",
				Example: "list_reduce([1, 2, 3], lambda made, x: made + x)", Value: "6",
			},
			least: 2, most: 3, bind: bindReduce,
		},
	}
}

// parameter is a linked list of the parameters of lambdas.
type parameter struct {
	name  string // in lower case
	value typed
	outer *parameter
}

// parameter returns the parameter of a lambda that an expression is, nil if it is none.
func (s *scope) parameter(e *sql.Expr) *typed {
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

func (s *scope) isParameter(e *sql.Expr) bool { return s.parameter(e) != nil }

func noLambda(e *sql.Expr) error {
	return sql.Unsupported(e.At, "Next: give it to list_transform, list_filter or list_reduce.", "lambdas here")
}

// lambda binds the expression of a lambda, whose parameters are values in their order. Not all need
// a name.
func (s *scope) lambda(e *sql.Expr, values ...typed) typed {
	if e.Kind != sql.Lambda {
		panic(sql.Wrong(e.At, "Next: write lambda x: x + 1, or x -> x + 1.", "a lambda is needed"))
	}
	if len(e.Path) > len(values) {
		panic(sql.Wrong(e.At, "", "this lambda has up to %d parameters, not %d", len(values), len(e.Path)))
	}
	in := *s
	in.queries, in.windows, in.clause = nil, nil, "a lambda"
	for i, name := range e.Path {
		in.parameters = &parameter{strings.ToLower(name), values[i], in.parameters}
	}
	return in.expr(e.Args[0])
}

// variable makes a variable of a type.
func (b *binder) variable(t columnar.Type) typed {
	return typed{e: expr.Variable(b.unique("variable"), t), t: t}
}

// itemOf binds a list, and makes variables for an item of it and its position. The items of NULL
// and [] have no type.
func (s *scope) itemOf(e *sql.Expr) (list, variable, item, position typed) {
	list = s.expr(e)
	bare := list.null || list.empty
	if bare {
		list.e, list.t, list.null, list.empty = list.as(columnar.IntList), columnar.IntList, false, false
	}
	list = asList(list)
	variable, position = s.b.variable(list.t.Item()), s.b.variable(columnar.Int)
	if item = variable; bare {
		item = nullAt(e.At)
	}
	return list, variable, item, position
}

func bindTransform(s *scope, e *sql.Expr) typed {
	list, variable, item, position := s.itemOf(e.Args[0])
	value := s.lambda(e.Args[1], item, position)
	t := columnar.ListOf(value.t)
	if t == columnar.Invalid {
		panic(noListOf(value.t, e.At))
	}
	return typed{e: expr.Call(expr.OpListTransform, list.e, variable.e, position.e, value.as(value.t)), t: t}
}

func bindListFilter(s *scope, e *sql.Expr) typed {
	list, variable, item, position := s.itemOf(e.Args[0])
	condition := s.lambda(e.Args[1], item, position).asCondition()
	return typed{e: expr.Call(expr.OpListFilter, list.e, variable.e, position.e, condition), t: list.t}
}

// bindReduce binds list_reduce. Without a first value, that is the first item.
func bindReduce(s *scope, e *sql.Expr) typed {
	list, variable, item, position := s.itemOf(e.Args[0])
	first, second := list.item(1), typed{e: expr.Add(position.e, expr.Int(1)), t: columnar.Int}
	if len(e.Args) > 2 {
		given := s.expr(e.Args[2])
		both, t := common([]typed{given, {e: expr.Null(list.t.Item()), t: list.t.Item()}})
		first, second = typed{e: both[0], t: t}, position
	} else {
		list.e = expr.Call(expr.OpSlice, list.e, expr.Int(2), expr.Int(1<<40))
	}
	made := s.b.variable(first.t)
	value := s.lambda(e.Args[1], made, item, second).as(first.t)
	return typed{e: expr.Call(expr.OpListReduce, list.e, first.e, made.e, variable.e, position.e, value), t: first.t}
}
