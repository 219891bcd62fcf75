package bind

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/registry"
)

func init() { functions.Add(choiceFunctions) }

func choiceFunctions() []function {
	return []function{
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"coalesce"}, Usage: "coalesce(value, …)",
				Help:    "the first of the values that is not NULL",
				Example: "coalesce(NULL, 2, 3)", Value: "2",
			},
			least: 1, most: -1, bind: rewritten(coalesced),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"ifnull"}, Usage: "ifnull(value, otherwise)",
				Help:    "a value, or the other one where it is NULL",
				Example: "ifnull(NULL, 0)", Value: "0",
			},
			least: 2, most: 2, bind: rewritten(coalesced),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"nullif"}, Usage: "nullif(value, other)",
				Help:    "a value, or NULL where it equals the other one",
				Example: "nullif(3, 3)", Value: "NULL",
			},
			least: 2, most: 2, bind: rewritten(nullIf),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"if", "iff"}, Usage: "if(condition, value, otherwise)",
				Help:    "a value where the condition is true, and otherwise the other one",
				Example: "if(2 > 1, 'yes', 'no')", Value: "yes",
			},
			least: 3, most: 3, bind: rewritten(chosen),
		},
		{
			Doc: registry.Doc{
				Group: registry.AnyValue, Names: []string{"hash"}, Usage: "hash(value[, seed])",
				Help:    "a whole number from 0 on that differs between values, and is the same in every run",
				Example: "hash('a', 1) = hash('a', 1)", Value: "true",
			},
			least: 1, most: 2, bind: rewritten(func(c rowCall) typed {
				if len(c.args) == 1 {
					c.args = append(c.args, intOf(expr.Int(0)))
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
			least: 1, most: 1, bind: rewritten(typeOf),
		},
	}
}

func coalesced(c rowCall) typed {
	last := len(c.args) - 1
	conditions := each(c.args[:last], func(v typed) *expr.Expr { return expr.Not(expr.IsNull(v.e)) })
	return choose(conditions, c.args)
}

func nullIf(c rowCall) typed {
	return choose([]*expr.Expr{compare(expr.OpEq, c.args[0], c.args[1])}, []typed{nullAt(c.at), c.args[0]})
}

func chosen(c rowCall) typed {
	return choose([]*expr.Expr{c.args[0].asCondition()}, c.args[1:])
}

func typeOf(c rowCall) typed { return typed{e: expr.Str(TypeName(c.args[0].t)), t: columnar.Text} }
