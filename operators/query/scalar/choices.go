package scalar

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(choiceFunctions) }

func choiceFunctions() []Function {
	anyValue := in(registry.AnyValue)
	return []Function{
		anyValue("coalesce", "(value, …)", "the first of the values that is not NULL",
			"coalesce(NULL, 2, 3)", "2", rewritten(coalesced)),
		anyValue("ifnull nvl", "(value, otherwise)", "a value, or the other one where it is NULL",
			"ifnull(NULL, 0)", "0", rewritten(coalesced)),
		anyValue.formula("nullif", "value, other", "CASE WHEN value = other THEN NULL ELSE value END", "a value, or NULL where it equals the other one",
			"nullif(3, 3)", "NULL"),
		anyValue.formula("if iff iif", "condition, value, otherwise", "CASE WHEN condition THEN value ELSE otherwise END", "a value where the condition is true, and otherwise the other one",
			"if(2 > 1, 'yes', 'no')", "yes"),
		anyValue("hash", "(value[, seed])", "a whole number from 0 on that differs between values, and is the same in every run",
			"hash('a', 1) = hash('a', 1)", "true", rewritten(func(c rowCall) Value {
				if len(c.args) == 1 {
					c.args = append(c.args, IntOf(expr.Int(0)))
				}
				return c.as(expr.OpHash)
			})),
		anyValue("alias", "(value)", "the name that a value has as a column, unless AS gives it another",
			"alias(1 + 2)", "1 + 2", func(s *Scope, e *sql.Expr) Value {
				s.Expr(e.Args[0]) // which must be one
				name := e.Args[0].String()
				if path := e.Args[0].Path; e.Args[0].Kind == sql.Column {
					name = path[len(path)-1]
				}
				return TextOf(expr.Str(name))
			}),
		anyValue("typeof", "(value)", "the name of a value's type",
			"typeof(1.5)", "DECIMAL", rewritten(typeOf)),
		anyValue("current_schema", "()", "the name of the only schema",
			"current_schema()", "main", rewritten(func(rowCall) Value { return TextOf(expr.Str("main")) })),
	}
}

func coalesced(c rowCall) Value {
	last := len(c.args) - 1
	conditions := columnar.Each(c.args[:last], func(v Value) *expr.Expr { return expr.Not(expr.IsNull(v.Expr)) })
	return choose(conditions, c.args)
}

func typeOf(c rowCall) Value {
	name := TypeName(c.args[0].Type)
	if c.args[0].Null {
		name = `"NULL"` // as DuckDB writes the type
	}
	return TextOf(expr.Str(name))
}
