package scalar

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/registry"
)

func init() { Functions.Add(choiceFunctions) }

func choiceFunctions() []Function {
	return []Function{
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"coalesce"}, Usage: "coalesce(value, …)",
				Help:    "the first of the values that is not NULL",
				Example: "coalesce(NULL, 2, 3)", Value: "2",
			},
			Least: 1, Most: -1, Bind: rewritten(coalesced),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"ifnull"}, Usage: "ifnull(value, otherwise)",
				Help:    "a value, or the other one where it is NULL",
				Example: "ifnull(NULL, 0)", Value: "0",
			},
			Least: 2, Most: 2, Bind: rewritten(coalesced),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"nullif"}, Usage: "nullif(value, other)",
				Help:    "a value, or NULL where it equals the other one",
				Example: "nullif(3, 3)", Value: "NULL",
			},
			Least: 2, Most: 2, Bind: rewritten(nullIf),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"if", "iff"}, Usage: "if(condition, value, otherwise)",
				Help:    "a value where the condition is true, and otherwise the other one",
				Example: "if(2 > 1, 'yes', 'no')", Value: "yes",
			},
			Least: 3, Most: 3, Bind: rewritten(chosen),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"hash"}, Usage: "hash(value[, seed])",
				Help:    "a whole number from 0 on that differs between values, and is the same in every run",
				Example: "hash('a', 1) = hash('a', 1)", Value: "true",
			},
			Least: 1, Most: 2, Bind: rewritten(func(c rowCall) Value {
				if len(c.args) == 1 {
					c.args = append(c.args, IntOf(expr.Int(0)))
				}
				return c.as(expr.OpHash)
			}),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"typeof"}, Usage: "typeof(value)",
				Help:    "the name of a value's type",
				Example: "typeof(1.5)", Value: "DECIMAL",
			},
			Least: 1, Most: 1, Bind: rewritten(typeOf),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"current_schema"}, Usage: "current_schema()",
				Help:    "the name of the only schema",
				Example: "current_schema()", Value: "main",
			},
			Bind: rewritten(func(rowCall) Value { return Value{Expr: expr.Str("main"), Type: columnar.Text} }),
		},
	}
}

func coalesced(c rowCall) Value {
	last := len(c.args) - 1
	conditions := each(c.args[:last], func(v Value) *expr.Expr { return expr.Not(expr.IsNull(v.Expr)) })
	return choose(conditions, c.args)
}

func nullIf(c rowCall) Value {
	return choose([]*expr.Expr{Compare(expr.OpEq, c.args[0], c.args[1])}, []Value{NullAt(c.at), c.args[0]})
}

func chosen(c rowCall) Value {
	return choose([]*expr.Expr{c.args[0].AsCondition()}, c.args[1:])
}

func typeOf(c rowCall) Value {
	name := TypeName(c.args[0].Type)
	if c.args[0].Null {
		name = `"NULL"` // as DuckDB writes the type
	}
	return Value{Expr: expr.Str(name), Type: columnar.Text}
}
