package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { functions.Add(listFunctions) }

// The functions of lists of any type that those of lists of texts are faster than.
var (
	hasAny = formula("list, items", "CASE WHEN list IS NOT NULL THEN length(list_filter(items, lambda x: list_contains(list, x))) > 0 END")
	hasAll = formula("list, items", "CASE WHEN list IS NOT NULL THEN length(list_filter(items, lambda x: NOT list_contains(list, x))) = 0 END")
)

func listFunctions() []function {
	return []function{
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_contains", "list_has", "array_contains"}, Usage: "list_contains(list, item)",
				Help:    "whether a list has an item",
				Example: "list_contains([1, 2], 2)", Value: "true",
			},
			least: 2, most: 2, bind: rewritten(contains),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_has_any", "array_has_any"}, Usage: "list_has_any(list, [item, …])",
				Help:    "whether a list has any of some items",
				Example: "list_has_any(['a', 'b'], ['b', 'c'])", Value: "true",
			},
			least: 2, most: 2, bind: bindHasAny,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_has_all", "array_has_all"}, Usage: "list_has_all(list, items)",
				Help:    "whether a list has all of some items",
				Example: "list_has_all(['a', 'b'], ['b'])", Value: "true",
			},
			least: 2, most: 2, bind: bindHasAll,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_value", "list_pack", "array_value"}, Usage: "list_value(value, …)",
				Help:    "a list of the values",
				Example: "list_value(1, 2)", Value: "[1, 2]",
			},
			least: 1, most: -1, bind: (*scope).list,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{unnestName}, Usage: "unnest(list)",
				Help:    "a row for each item of a list",
				Example: "unnest([1, 2])", Value: "1, 2",
			},
			least: 1, most: 1, bind: func(_ *scope, e *sql.Expr) typed {
				panic(sql.Unsupported(e.At, "Next: make it a column of SELECT by itself, in a query in FROM.", "unnest within expressions and conditions"))
			},
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_sort", "array_sort"}, Usage: "list_sort(list[, 'DESC'[, 'NULLS FIRST']])",
				Help:    "the items in order: 'ASC' or 'DESC', and 'NULLS LAST' or 'NULLS FIRST'",
				Example: "list_sort([2, 3, 1], 'DESC')", Value: "[3, 2, 1]",
			},
			least: 1, most: 3, bind: bindListSort,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_grade_up", "array_grade_up", "grade_up"}, Usage: "list_grade_up(list[, 'DESC'[, 'NULLS FIRST']])",
				Help:    "the positions of the items in their order",
				Example: "list_grade_up([5, 7, 6])", Value: "[1, 3, 2]",
			},
			least: 1, most: 3, bind: bindListGrade,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_reverse_sort", "array_reverse_sort"}, Usage: "list_reverse_sort(list)",
				Help:    "the items from the greatest to the least",
				Example: "list_reverse_sort([2, 3, 1])", Value: "[3, 2, 1]",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed { return sorted(l, true, false) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_min", "array_min"}, Usage: "list_min(list)",
				Help:    "the least item",
				Example: "list_min([2, 3, 1])", Value: "1",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed { return l.first(false) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_max", "array_max"}, Usage: "list_max(list)",
				Help:    "the greatest item",
				Example: "list_max([2, 3, 1])", Value: "3",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed { return l.first(true) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_unique", "array_unique"}, Usage: "list_unique(list)",
				Help:    "how many different items there are, without NULL",
				Example: "list_unique([1, 1, 2])", Value: "2",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed { return intOf(expr.Len(expr.Call(expr.OpListDistinct, l.e))) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_concat", "list_cat", "array_concat", "array_cat"}, Usage: "list_concat(list, list, …)",
				Help:    "the items of several lists; a NULL list counts as empty",
				Example: "list_concat([1], [2, 3])", Value: "[1, 2, 3]",
			},
			least: 2, most: -1, bind: rewritten(func(c rowCall) typed { return joined(c.args, true) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_append", "array_append", "array_push_back"}, Usage: "list_append(list, item)",
				Help:    "a list with an item added at its end",
				Example: "list_append([1, 2], 3)", Value: "[1, 2, 3]",
			},
			least: 2, most: 2, bind: rewritten(appended),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_prepend"}, Usage: "list_prepend(item, list)",
				Help:    "a list with an item added at its beginning",
				Example: "list_prepend(0, [1, 2])", Value: "[0, 1, 2]",
			},
			least: 2, most: 2, bind: rewritten(appended),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_position", "list_indexof", "array_position", "array_indexof"}, Usage: "list_position(list, item)",
				Help:    "the position of an item, counted from 1; NULL if the list does not have it",
				Example: "list_position([5, 6], 6)", Value: "2",
			},
			least: 2, most: 2, bind: rewritten(positionOf),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_sum", "array_sum"}, Usage: "list_sum(list)",
				Help:    "the sum of the items",
				Example: "list_sum([1, 2, 3])", Value: "6",
			},
			least: 1, most: 1, bind: on(asNumbers, func(l typed) typed { return typed{e: expr.Call(expr.OpListSum, l.e), t: sumType(l.t)} }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_avg", "array_avg"}, Usage: "list_avg(list)",
				Help:    "the mean of the items",
				Example: "list_avg([1, 2])", Value: "1.5",
			},
			least: 1, most: 1, bind: on(asNumbers, func(l typed) typed {
				return typed{e: expr.Div(expr.Call(expr.OpListSum, l.e), expr.Call(expr.OpListCount, l.e)), t: columnar.Float}
			}),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_any_value", "array_any_value"}, Usage: "list_any_value(list)",
				Help:    "the first item that is not NULL",
				Example: "list_any_value([NULL, 7])", Value: "7",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed {
				return typed{e: expr.Call(expr.OpListDistinct, l.e), t: l.t}.item(1)
			}),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_first", "array_first"}, Usage: "list_first(list)",
				Help:    "the first item",
				Example: "list_first([5, 6])", Value: "5",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed { return l.item(1) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_last", "array_last"}, Usage: "list_last(list)",
				Help:    "the last item",
				Example: "list_last([5, 6])", Value: "6",
			},
			least: 1, most: 1, bind: onList(func(l typed) typed { return l.item(-1) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_aggregate", "list_aggr", "array_aggregate", "array_aggr"}, Usage: "list_aggregate(list, 'sum'[, argument])",
				Help:    "an aggregate of the items; list_sum(list) and the like are the same",
				Example: "list_aggregate([1, 2, 3], 'sum')", Value: "6",
			},
			least: 2, most: -1, bind: bindListAggregate,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"range"}, Usage: "range([first, ]end[, step])",
				Help:    "the integers from the first, 0 by default, up to but without the end, or the timestamps an INTERVAL apart",
				Example: "range(3)", Value: "[0, 1, 2]",
			},
			least: 1, most: 3, bind: bindRange,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"generate_series"}, Usage: "generate_series([first, ]last[, step])",
				Help:    "the integers from the first, 0 by default, to the last, or the timestamps an INTERVAL apart",
				Example: "generate_series(1, 3)", Value: "[1, 2, 3]",
			},
			least: 1, most: 3, bind: bindRange,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_extract", "list_element", "array_extract"}, Usage: "list_extract(list, position)",
				Help:    "the item at a position, counted from 1, or from the end if it is negative",
				Example: "list_extract([5, 6, 7], -1)", Value: "7",
			},
			least: 2, most: 2, bind: (*scope).index,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"list_slice", "array_slice"}, Usage: "list_slice(list, first, last[, step])",
				Help:    "the items from one position to another, or each so-many-th of them",
				Example: "list_slice([5, 6, 7], 2, 3)", Value: "[6, 7]",
			},
			least: 3, most: 4, bind: (*scope).slice,
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"array_to_string"}, Usage: "array_to_string(list, separator)",
				Help:    "the items as a text, with a separator between them",
				Example: "array_to_string(['a', 'b'], '-')", Value: "a-b",
			},
			least: 2, most: 2, bind: rewritten(joinedText),
		},
	}
}

// listOf binds an expression that must be a list. NULL is taken as a list of texts.
func (s *scope) listOf(e *sql.Expr) typed { return asList(s.expr(e)) }

func asList(v typed) typed {
	switch {
	case v.null:
		return typed{e: expr.Null(columnar.TextList), t: columnar.TextList}
	case v.t.Item() == columnar.Invalid:
		panic(notAList(v))
	}
	return v
}

// listAndItem makes a value an item of a list. [] and NULL become lists of the value's type.
func listAndItem(list, value typed) (typed, *expr.Expr) {
	if t := columnar.ListOf(value.t); (list.empty || list.null) && t != columnar.Invalid {
		list = typed{e: list.as(t), t: t}
	}
	list = asList(list)
	if t := list.t.Item(); isNumber(t) && isNumber(value.t) && !value.null && widest(t, value.t) != t {
		wide := columnar.ListOf(widest(t, value.t))
		list = typed{e: list.as(wide), t: wide, at: list.at}
	}
	return list, value.as(list.t.Item())
}

// The items of a part of a list in steps, forwards and backwards.
var (
	forwards  = formula("list, step", "list_transform(range(1, length(list) + 1, step), lambda i: list[i])")
	backwards = formula("list, step", "list_transform(range(length(list), 0, step), lambda i: list[i])")
)

// stepped binds the part of a list between two positions, in steps.
func (s *scope) stepped(list typed, e *sql.Expr) typed {
	step := s.expr(e.Args[3]).e.Fold().Literal()
	if step == nil || step.Type != columnar.Int || step.Int == 0 || list.t == columnar.Text {
		panic(sql.Unsupported(e.Args[3].At, "Next: write list[first:last:2], of a list and with a number.", "such steps"))
	}
	ends, how := [2]*sql.Expr{e.Args[1], e.Args[2]}, forwards
	if step.Int < 0 {
		ends, how = [2]*sql.Expr{e.Args[2], e.Args[1]}, backwards
	}
	part := s.slice(&sql.Expr{Kind: sql.Slice, Args: []*sql.Expr{e.Args[0], ends[0], ends[1]}, At: e.At})
	return how.value(s.b, e.At, []typed{part, intOf(expr.Int(step.Int))})
}

func notAList(v typed) error {
	return sql.Wrong(v.at, "", "a list is needed, and this is %s", TypeName(v.t))
}

// noList refuses a list as an argument of a function that does not take lists.
func noList(t columnar.Type, at sql.Span, function string) {
	if t.Item() != columnar.Invalid {
		panic(sql.Unsupported(at, "", function+" of "+TypeName(t)))
	}
}

func sorted(list typed, desc, nullsFirst bool) typed {
	return typed{e: expr.Call(expr.OpListSort, list.e, expr.Bool(desc), expr.Bool(nullsFirst)), t: list.t}
}

// bindListSort binds a sort of a list. Optional texts give the direction and where nulls go.
func bindListSort(s *scope, e *sql.Expr) typed {
	list := s.listOf(e.Args[0])
	desc, nullsFirst := s.orderOf(e)
	return sorted(list, desc, nullsFirst)
}

// bindListGrade binds the positions of the items in their order.
func bindListGrade(s *scope, e *sql.Expr) typed {
	list := s.listOf(e.Args[0])
	desc, nullsFirst := s.orderOf(e)
	return typed{e: expr.Call(expr.OpListGrade, list.e, expr.Bool(desc), expr.Bool(nullsFirst)), t: columnar.IntList}
}

// orderOf reads the order that the arguments behind a list give.
func (s *scope) orderOf(e *sql.Expr) (desc, nullsFirst bool) {
	var given [2]bool
	for i, words := range [][2]string{{"ASC", "DESC"}, {"NULLS LAST", "NULLS FIRST"}}[:len(e.Args)-1] {
		word := strings.ToUpper(s.literalText(e.Args[1+i], "an order"))
		if given[i] = word == words[1]; !given[i] && word != words[0] {
			panic(sql.Wrong(e.Args[1+i].At, "", "here stands '%s' or '%s'", words[0], words[1]))
		}
	}
	return given[0], given[1]
}

// first returns the first item of the sorted list: the least, or the greatest if desc is set.
func (v typed) first(desc bool) typed {
	out := sorted(v, desc, false).item(1)
	out.at = v.at
	return out
}

// item returns the item at a position of a list.
func (v typed) item(place int64) typed {
	return typed{e: expr.Element(v.e, expr.Int(place)), t: v.t.Item()}
}

// joined concatenates lists. The result is NULL if any list is, or, if nullsEmpty is set, only
// if all are.
func joined(values []typed, nullsEmpty bool) typed {
	lists, t := common(values)
	if t.Item() == columnar.Invalid {
		panic(notAList(typed{t: t, at: values[0].at}))
	}
	out := lists[0]
	for _, list := range lists[1:] {
		out = expr.Call(expr.OpListConcat, out, list, expr.Bool(nullsEmpty))
	}
	return typed{e: out, t: t}
}

// appended adds an item to the end of a list, or to its beginning.
func appended(c rowCall) typed {
	at, item := 0, 1
	if c.name == "list_prepend" {
		at, item = 1, 0
	}
	list, v := listAndItem(c.args[at], c.args[item])
	both := [2]*expr.Expr{list.e, expr.Call(expr.OpListOf, v)}
	return typed{e: expr.Call(expr.OpListConcat, both[at], both[item], expr.Bool(true)), t: list.t}
}

func positionOf(c rowCall) typed {
	list, item := listAndItem(c.args[0], c.args[1])
	return intOf(expr.Call(expr.OpListPosition, list.e, item))
}

func joinedText(c rowCall) typed {
	return typed{e: expr.Call(expr.OpListText, asList(c.args[0]).e, c.args[1].as(columnar.Text)), t: columnar.Text}
}

func contains(c rowCall) typed {
	if c.name == "contains" && c.args[0].t == columnar.Text {
		return c.as(expr.OpContains)
	}
	list, item := listAndItem(c.args[0], c.args[1])
	return truth(expr.Call(expr.OpListContains, list.e, item))
}

// bindHasAny binds the test whether a list has any of some items.
func bindHasAny(s *scope, e *sql.Expr) typed {
	both := s.values(e.Args)
	if items := both[1].e.Fold().Literal(); both[0].t == columnar.TextList && items != nil && len(items.Texts) > 0 {
		list := both[0].as(columnar.TextList)
		any := each(items.Texts, func(item string) *expr.Expr { return expr.ListContains(list, expr.Str(item)) })
		return truth(expr.Or(any...))
	}
	return hasAny.value(s.b, e.At, both)
}

// bindHasAll binds the test whether a list has all of some items. Texts have an operation.
func bindHasAll(s *scope, e *sql.Expr) typed {
	both := s.values(e.Args)
	if both[0].t == columnar.TextList && both[1].t == columnar.TextList {
		return truth(expr.ListContainsAll(both[0].as(columnar.TextList), both[1].as(columnar.TextList)))
	}
	return hasAll.value(s.b, e.At, both)
}

// asNumbers is a value that must be a list of numbers; NULL is taken as a list of integers.
func asNumbers(list typed) typed {
	if !isNumber(list.t.Item()) {
		list = typed{e: list.as(columnar.IntList), t: columnar.IntList}
	}
	return list
}

// sumType is the type of the sum of a list of numbers.
func sumType(list columnar.Type) columnar.Type {
	if list.Item() == columnar.Decimal {
		return columnar.Wide
	}
	return list.Item()
}

// bindListAggregate binds list_aggregate, which names an aggregate to compute over a list.
func bindListAggregate(s *scope, e *sql.Expr) typed {
	name := strings.ToLower(s.literalText(e.Args[1], "the name of an aggregate"))
	call := &sql.Expr{Kind: sql.Call, Text: "list_" + name, Args: append([]*sql.Expr{e.Args[0]}, e.Args[2:]...), At: e.At}
	switch f := functions.Find(call.Text); {
	case name == "string_agg" || name == "group_concat" || name == "listagg":
		call.Text = "array_to_string"
		if len(call.Args) < 2 {
			call.Args = append(call.Args, &sql.Expr{Kind: sql.String, Text: ",", At: e.At})
		}
		return s.expr(call)
	case f != nil && f.least == len(call.Args) && isAggregate(name):
		return f.bind(s, call)
	case isAggregate(name):
		return s.aggregateOf(name, call)
	}
	panic(sql.Wrong(e.Args[1].At, "“analyzer help functions” lists them.", "there is no aggregate %s", name))
}

// aggregateOf binds an aggregate of the items of a list, the first argument, as a query over them.
func (s *scope) aggregateOf(name string, e *sql.Expr) typed {
	item, items := "item", &sql.Expr{Kind: sql.Call, Text: unnestName, Args: e.Args[:1], At: e.At}
	call := &sql.Expr{Kind: sql.Call, Text: name, Args: append([]*sql.Expr{{Kind: sql.Column, Path: []string{item}, At: e.At}}, e.Args[1:]...), At: e.At}
	q := &sql.Query{At: e.At, Select: &sql.Select{
		At: e.At, Items: []sql.Item{{Expr: call}}, From: &sql.From{At: e.At, Call: items, Alias: "items", Columns: []string{item}},
	}}
	none := &sql.Expr{Kind: sql.IsNull, Args: e.Args[:1], At: e.At}
	return s.expr(&sql.Expr{Kind: sql.Case, Args: []*sql.Expr{nil, none, {Kind: sql.Null, At: e.At}, {Kind: sql.Subquery, Query: q, At: e.At}}, At: e.At})
}

// bindRange binds range and generate_series, which are lists of integers or timestamps. Only
// generate_series includes the end.
func bindRange(s *scope, e *sql.Expr) typed {
	if steps, ok := stepsBetween(s, e); ok {
		return timesList(s, e, steps)
	}
	return typed{e: expr.Call(expr.OpRange, s.rangeOf(e)...), t: columnar.IntList}
}

// rangeOf returns the begin, the exclusive end and the step of a range.
func (s *scope) rangeOf(e *sql.Expr) []*expr.Expr {
	args := []*expr.Expr{expr.Int(0), nil, expr.Int(1)}
	if len(e.Args) == 1 {
		args[1] = s.rangeEnd(e.Args[0])
	} else {
		for i, a := range e.Args {
			args[i] = s.rangeEnd(a)
		}
	}
	if n := args[2].Literal(); n != nil && n.Int == 0 {
		panic(sql.Wrong(e.Args[2].At, "", "a step is no 0"))
	}
	if e.Text == "generate_series" {
		one := expr.If(expr.Lt(args[2], expr.Int(0)), expr.Int(-1), expr.Int(1))
		args[1] = expr.Add(args[1], one)
	}
	return args
}

func (s *scope) rangeEnd(e *sql.Expr) *expr.Expr {
	v := s.expr(e)
	if v.t == columnar.Date || v.t == columnar.Timestamp || v.t == columnar.Interval {
		panic(sql.Unsupported(e.At, "Next: give a step too, as range(DATE '2020-01-01', DATE '2021-01-01', INTERVAL 1 MONTH).", "ranges of "+TypeName(v.t)))
	}
	return v.as(columnar.Int)
}
