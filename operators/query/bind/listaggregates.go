package bind

import (
	"strings"

	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { scalar.Functions.Add(listsOfRows) }

// listsOfRows are the functions of lists that are bound as queries.
func listsOfRows() []scalar.Function {
	of := scalar.Described[scalar.Binding]
	return []scalar.Function{
		of(registry.Lists, unnestName+" unlist", "(list[, recursive := true])", "a row for each item of a list; of lists within lists with recursive := true, and with max_depth := n so far, and a column for each field of structs",
			"unnest([1, 2])", "1, 2", unnestElsewhere).Taking(1, 1),
		of(registry.Texts, "regexp_split_to_table", "(text, pattern)", "a row for each part of a text between matches of a regular expression",
			"regexp_split_to_table('a1b', '[0-9]')", "a, b", unnestElsewhere),
		of(registry.Lists, "generate_subscripts", "(list, 1)", "a row for each position of a list",
			"generate_subscripts([7, 8], 1)", "1, 2", unnestElsewhere),
		of(registry.Lists, "list_aggregate list_aggr array_aggregate array_aggr aggregate", "(list, 'sum'[, argument])", "an aggregate of the items; list_sum(list) and the like are the same",
			"list_aggregate([1, 2, 3], 'sum')", "6", bindListAggregate).Taking(2, -1),
	}
}

// unnestElsewhere refuses unnest and its like where they are no column.
func unnestElsewhere(_ *scalar.Scope, e *sql.Expr) scalar.Value {
	panic(sql.Unsupported(e.At, "Next: make it a column of SELECT by itself, in a query in FROM.", e.Text+" within expressions and conditions"))
}

// bindListAggregate binds list_aggregate, which names an aggregate to compute over a list.
func bindListAggregate(s *scalar.Scope, e *sql.Expr) scalar.Value {
	name := strings.ToLower(s.LiteralText(e.Args[1], "the name of an aggregate"))
	call := e.At.Call("list_"+name, append([]*sql.Expr{e.Args[0]}, e.Args[2:]...)...)
	switch f := scalar.Functions.Find(call.Text); {
	case !isAggregate(name):
		panic(sql.Wrong(e.Args[1].At, "“analyzer help functions” lists them.", "there is no aggregate %s", name))
	case f != nil && f.Least == len(call.Args):
		return f.Bind(s, call)
	}
	return aggregateOf(s, name, call)
}

// aggregateOf binds an aggregate of the items of a list, the first argument, as a query over them. Texts are joined in
// the order of the list.
func aggregateOf(s *scalar.Scope, name string, e *sql.Expr) scalar.Value {
	if name == "string_agg" || name == "group_concat" || name == "listagg" {
		args := append(e.Args[:len(e.Args):len(e.Args)], e.At.Text(","))
		joined := e.At.Call("array_to_string", args[:2]...)
		some := e.At.Binary(">", e.At.Call("list_count", e.Args[:1]...), e.At.Number(0))
		return s.Expr(&sql.Expr{Kind: sql.Case, Args: []*sql.Expr{nil, some, joined, nil}, At: e.At})
	}
	if hasWindow(e.Args[0]) { // which would be one of the items
		panic(sql.Unsupported(e.At, "Next: compute the list in a query in FROM.", e.Text+" of window functions"))
	}
	item, items := "item", e.At.Call(unnestName, e.Args[:1]...)
	call := e.At.Call(name, append([]*sql.Expr{e.At.Column(item)}, e.Args[1:]...)...)
	q := &sql.Query{At: e.At, Select: &sql.Select{
		At: e.At, Items: []sql.Item{{Expr: call}}, From: &sql.From{At: e.At, Call: items, Alias: "items", Columns: []string{item}},
	}}
	none := &sql.Expr{Kind: sql.IsNull, Args: e.Args[:1], At: e.At}
	return s.Expr(&sql.Expr{Kind: sql.Case, Args: []*sql.Expr{nil, none, {Kind: sql.Null, At: e.At}, {Kind: sql.Subquery, Query: q, At: e.At}}, At: e.At})
}
